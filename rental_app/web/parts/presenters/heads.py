"""Titles and descriptions of pages."""

from dataclasses import dataclass

from rental_app.content.posts import Post, posts
from rental_app.content.routes import BY_PATH, NO_VEHICLE, Route
from rental_app.infrastructure.settings import settings
from rental_app.web.parts.presenters.copy import fill
from rental_app.web.screens.city.presenter import CityView, title
from rental_app.web.screens.vehicle_details.presenter import VehiclePage
from rental_app.web.screens.vendor_page.presenter import VendorPage


@dataclass(frozen=True, slots=True)
class Head:
    """A page's title in the browser's tab, and its description for search engines."""

    title: str
    description: str


UNKNOWN = Head("", "")
SOCIAL_IMAGE = "/social.png"


def of(route: str) -> Head:
    """The head of a page whose title never varies, or of any page of its kind."""
    return _filled(BY_PATH[route])


def missing() -> Head:
    """An address with nothing there."""
    return of("/404")


def missing_vehicle() -> Head:
    """A vehicle that is not listed."""
    return _filled(NO_VEHICLE)


def post(found: Post) -> Head:
    """A post of the blog."""
    return Head(_named(found.title), found.summary)


def vehicle(car: VehiclePage) -> Head:
    """A vehicle's page."""
    facts = {fact.label: fact.value for fact in (*car.summary, *car.renting)}
    return Head(
        _named(f"{car.title} on rent in {car.location}, {car.daily} a day"),
        f"Rent a {car.title} ({facts['Body type']}) in {car.location}, {settings().city}, for {car.daily} a day:"
        f" security deposit {facts['Security deposit']}, {facts['Seats']}, {facts['Transmission'].lower()}."
        " Terms, pickup place and free dates.",
    )


def _of_any(route: str, problem: str) -> Head:
    """The head of a page whose own is not known: that of its kind if it could not be loaded, as it is served then."""
    return of(route) if problem else UNKNOWN


def tab_of_vehicle(car: VehiclePage | None, missing: bool, problem: str) -> Head:
    """A vehicle's page in a tab, where the vehicle has to be loaded first; `problem` says why it could not be."""
    if missing:
        return missing_vehicle()
    return vehicle(car) if car else _of_any("/vehicle-details/[vehicle_id]", problem)


def tab_of_city(place: CityView | None, missing_city: bool, problem: str) -> Head:
    """A locality's page in a tab, where the locality has to be loaded first; `problem` says why it could not be."""
    if missing_city:
        return missing()
    return city(place) if place else _of_any("/[city_slug]/bike-rentals", problem)


def vendor(found: VendorPage) -> Head:
    """A vendor's page."""
    said = f" Rated {found.reviews.rating} {found.reviews.count}." if found.reviews.rating else ""
    offered = f"{found.count_line.partition(', ')[0]}, " if found.cards else ""
    return Head(
        _named(f"{found.name}, vehicles for rent in {settings().city}"),
        f"Rent from {found.name} in {settings().city}: {offered}hours and terms.{said}",
    )


def tab_of_vendor(found: VendorPage | None, missing_vendor: bool, problem: str) -> Head:
    """A vendor's page in a tab, where the vendor has to be loaded first; `problem` says why it could not be."""
    if missing_vendor:
        return missing()
    return vendor(found) if found else _of_any("/vendors/[vendor_slug]", problem)


def city(place: CityView) -> Head:
    """A locality's page."""
    count = place.count_line.partition(", ")[0]
    here = f"{count} from {place.from_price} a day" if place.cards else "where to find the nearest vehicles"
    return Head(
        _named(title(place.name)),
        f"Scooters, bikes and cars by the day in {place.name}, {settings().city}: {here}, with terms and hours.",
    )


def all_posts() -> tuple[Post, ...]:
    """The posts of the blog, newest first."""
    return posts(settings().product_name, settings().city)


def name(route: str) -> str:
    """The name of a page in a breadcrumb trail: its title without the product's name."""
    return of(route).title.partition(" | ")[0]


def _filled(route: Route) -> Head:
    return Head(fill(route.title), fill(route.description))


def _named(text: str) -> str:
    return f"{text} | {settings().product_name}"
