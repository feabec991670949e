"""Structured data for search engines, in the vocabulary of schema.org."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rental_app.content.posts import Post
from rental_app.domain import clock
from rental_app.domain.money import to_rupees
from rental_app.domain.reviews import MOST_STARS, rating
from rental_app.infrastructure.settings import settings
from rental_app.models import Listing
from rental_app.schemas.reviews import ReviewsAnswer, ReviewView
from rental_app.services.vendors import PublicVendor
from rental_app.ssr.head import absolute
from rental_app.web.parts.presenters.heads import SOCIAL_IMAGE
from rental_app.web.parts.presenters.links import vehicle_url, vendor_url
from rental_app.web.parts.presenters.words import FaqView
from rental_app.web.parts.vehicle_card.presenter import Card

Data = dict[str, Any]
_PINCODE = re.compile(r"\b\d{6}\b")


def business() -> Data:
    """The rental business with its offices."""
    product = settings()
    return {
        "@type": "AutoRental",
        "@id": absolute("/#business"),
        "name": product.product_name,
        "url": absolute("/"),
        "image": absolute(SOCIAL_IMAGE),
        "logo": absolute("/logo.svg"),
        "telephone": product.support_phone,
        "email": product.support_email,
        "currenciesAccepted": "INR",
        "areaServed": {"@type": "City", "name": product.city},
        "address": [_office(office) for office in product.offices],
        "department": [
            {
                "@type": "AutoRental",
                "name": f"{product.product_name}, {office.partition(',')[0]}",
                "image": absolute(SOCIAL_IMAGE),
                "telephone": product.support_phone,
                "address": _office(office),
            }
            for office in product.offices
        ],
    }


def _office(text: str) -> Data:
    pincode = _PINCODE.search(text)
    address = {"@type": "PostalAddress", "streetAddress": text, "addressLocality": settings().city}
    return address | {"addressCountry": "IN"} | ({"postalCode": pincode[0]} if pincode else {})


def questions(items: Iterable[FaqView]) -> Data:
    """Questions with their whole answers."""
    return {"@type": "FAQPage", "mainEntity": [_question(question) for question in items]}


def _question(question: FaqView) -> Data:
    answer = " ".join([question.answer, *(f"{point.rstrip('.')}." for point in question.points)])
    return {
        "@type": "Question",
        "name": question.text,
        "acceptedAnswer": {"@type": "Answer", "text": answer},
    }


def trail(*steps: tuple[str, str]) -> Data:
    """A page's position in the site, as names and paths from the home page down."""
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": position, "name": name, "item": absolute(path)}
            for position, (name, path) in enumerate((("Home", "/"), *steps), 1)
        ],
    }


def vehicles(name: str, cards: Sequence[Card]) -> Data:
    """A list of vehicles, each by the address of its own page."""
    return {
        "@type": "ItemList",
        "name": name,
        "numberOfItems": len(cards),
        "itemListElement": [
            {
                "@type": "ListItem",
                "position": position,
                "name": card.title,
                "url": absolute(vehicle_url(card.id)),
            }
            for position, card in enumerate(cards, 1)
        ],
    }


def vehicle(car: Listing, description: str, reviews: ReviewsAnswer | None = None) -> Data:
    """A vehicle, what a day with it costs and what customers said about it."""
    seller = {"@type": "AutoRental", "name": car.vendor_name, "address": car.pickup_address}
    return (
        _rated(car.stars_total, car.reviews)
        | _reviews(reviews)
        | {
            "@type": "Product",
            "name": car.title,
            "sku": str(car.id),
            "url": absolute(vehicle_url(car.id)),
            "image": absolute(car.picture.full),
            "description": description,
            "category": car.asset_type,
            "brand": {"@type": "Brand", "name": car.maker},
            "model": car.model_name,
            "color": car.color,
            "offers": _price(car) | {"seller": seller},
        }
    )


def _rated(stars_total: int, reviews: int) -> Data:
    """The average of reviews; empty without any, because a rating by nobody is not valid."""
    average = rating(stars_total, reviews)
    if average is None:
        return {}
    figures = {"ratingValue": average, "reviewCount": reviews, "bestRating": MOST_STARS, "worstRating": 1}
    return {"aggregateRating": {"@type": "AggregateRating", **figures}}


def _reviews(answer: ReviewsAnswer | None) -> Data:
    return {"review": [_review(one) for one in answer.reviews]} if answer and answer.reviews else {}


def _review(one: ReviewView) -> Data:
    return {
        "@type": "Review",
        "author": {"@type": "Person", "name": one.by},
        "datePublished": f"{clock.indian(one.at):%Y-%m-%d}",
        "reviewRating": {"@type": "Rating", "ratingValue": one.stars, "bestRating": MOST_STARS, "worstRating": 1},
        **({"reviewBody": one.text} if one.text else {}),
    }


def vendor(profile: PublicVendor) -> Data:
    """A vendor with what customers said and what can be rented."""
    each = profile.reviews.distribution
    total = sum(stars * count for stars, count in each.items())
    place = {"@type": "PostalAddress", "addressLocality": settings().city, "addressCountry": "IN"}
    return {
        "@type": "AutoRental",
        "@id": absolute(f"{vendor_url(profile.slug)}#vendor"),
        "name": profile.name,
        "url": absolute(vendor_url(profile.slug)),
        "image": absolute(profile.image or SOCIAL_IMAGE),
        "address": place,
        "currenciesAccepted": "INR",
        "areaServed": {"@type": "City", "name": settings().city},
        "makesOffer": [_price(car) | {"itemOffered": _offered(car)} for car in profile.vehicles.items],
        **_rated(total, sum(each.values())),
        **_reviews(profile.reviews),
    }


def _offered(car: Listing) -> Data:
    """A vehicle in a list, with its price and its rating. A product without an offer is not valid."""
    named = {"name": car.title, "url": absolute(vehicle_url(car.id)), "image": absolute(car.picture.full)}
    return {"@type": "Product", **named, **_rated(car.stars_total, car.reviews), "offers": _price(car)}


def fleet(name: str, cars: Sequence[Listing]) -> Data:
    """Vehicles of a place, each with its price and rating."""
    return {
        "@type": "ItemList",
        "name": name,
        "numberOfItems": len(cars),
        "itemListElement": [
            {
                "@type": "ListItem",
                "position": position,
                "url": absolute(vehicle_url(car.id)),
                "item": _offered(car),
            }
            for position, car in enumerate(cars, 1)
        ],
    }


def _price(car: Listing) -> Data:
    """The price of a day; the vehicle's vendor and location are given elsewhere."""
    price = {"price": to_rupees(car.daily_paise), "priceCurrency": "INR"}
    return {
        "@type": "Offer",
        "url": absolute(vehicle_url(car.id)),
        **price,
        "priceSpecification": {"@type": "UnitPriceSpecification", **price, "unitCode": "DAY", "unitText": "day"},
        "availability": "https://schema.org/InStock",
        "businessFunction": "http://purl.org/goodrelations/v1#LeaseOut",
        "itemCondition": "https://schema.org/UsedCondition",
        "areaServed": f"{car.service_location}, {settings().city}",
    }


def article(post: Post) -> Data:
    """A post of the blog."""
    publisher = {"@type": "Organization", "name": settings().product_name, "url": absolute("/")}
    return {
        "@type": "BlogPosting",
        "headline": post.title,
        "description": post.summary,
        "datePublished": post.published.isoformat(),
        "image": absolute(SOCIAL_IMAGE),
        "mainEntityOfPage": absolute(post.path),
        "author": publisher,
        "publisher": publisher | {"logo": {"@type": "ImageObject", "url": absolute("/logo.svg")}},
    }
