"""Structured data for search engines, in the words of schema.org."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rental_app.content.faq import Question
from rental_app.content.posts import Post
from rental_app.models import Listing
from rental_app.rules.money import to_rupees
from rental_app.served.head import absolute
from rental_app.settings import settings
from rental_app.views.copy import fill
from rental_app.views.heads import SOCIAL_IMAGE
from rental_app.views.links import vehicle_url
from rental_app.views.vehicles import Card

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


def questions(asked: Iterable[Question]) -> Data:
    """Questions with their whole answers."""
    return {"@type": "FAQPage", "mainEntity": [_question(question) for question in asked]}


def _question(question: Question) -> Data:
    answer = " ".join([question.answer, *(f"{point.rstrip('.')}." for point in question.points)])
    return {
        "@type": "Question",
        "name": fill(question.text),
        "acceptedAnswer": {"@type": "Answer", "text": fill(answer)},
    }


def trail(*steps: tuple[str, str]) -> Data:
    """Where a page is in the site, as names and paths from the home page down."""
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


def vehicle(car: Listing, description: str) -> Data:
    """A vehicle and what a day with it costs."""
    return {
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
        "offers": _offer(car),
    }


def _offer(car: Listing) -> Data:
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
        "seller": {"@type": "AutoRental", "name": car.vendor_name, "address": car.pickup_address},
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
