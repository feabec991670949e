"""The route table: every page with its title, description and first events."""

from functools import partial

import reflex as rx

from rental_app.pages import vendor
from rental_app.pages.blog import all_posts, blog, post_page
from rental_app.pages.city import city
from rental_app.pages.home import home
from rental_app.pages.my_bookings import my_bookings
from rental_app.pages.offers import offers
from rental_app.pages.page import Page
from rental_app.pages.plain import not_found
from rental_app.pages.vehicle_details import vehicle_details
from rental_app.pages.vehicles import vehicles
from rental_app.settings import settings
from rental_app.states.base import SessionState
from rental_app.states.city import CityLinksState, CityState
from rental_app.states.detail import DetailState
from rental_app.states.my_bookings import MyBookingsState
from rental_app.states.offers import OffersState
from rental_app.states.search import HomeState, SearchState
from rental_app.states.vehicles import VehiclesState

_CITY, _NAME = settings().city, settings().product_name

PAGES = (
    Page(
        "/",
        home,
        f"{_NAME}: scooter, bike and car rental in {_CITY}",
        f"Rent scooters, motorcycles, electric vehicles and cars by the day in {_CITY}.",
        (SearchState.start, HomeState.load, CityLinksState.load),
    ),
    Page(
        "/vehicles",
        vehicles,
        f"Vehicles for rent in {_CITY} | {_NAME}",
        f"Find a vehicle by locality and dates in {_CITY}, with the full price before you book.",
        (SearchState.start, VehiclesState.load),
    ),
    Page(
        "/vehicle-details/[vehicle_id]",
        vehicle_details,
        f"Vehicle for rent in {_CITY} | {_NAME}",
        "Price, deposit, features, terms and pickup place of this vehicle, and its free dates.",
        (DetailState.load,),
    ),
    Page("/my-bookings", my_bookings, f"My bookings | {_NAME}", "Your rentals at a glance.", (MyBookingsState.load,)),
    Page(
        "/offers",
        offers,
        f"Offers | {_NAME}",
        f"Offers on rentals in {_CITY} that are in force today.",
        (OffersState.load,),
    ),
    Page("/blog", blog, f"Blog | {_NAME}", f"Renting and riding in {_CITY}: documents, deposits, cancellations."),
    *(Page(post.path, partial(post_page, post), f"{post.title} | {_NAME}", post.summary) for post in all_posts()),
    Page(
        "/[city_slug]/bike-rentals",
        city,
        f"{CityState.title} | {_NAME}",
        f"Scooters, bikes and cars by the day in one locality of {_CITY}: prices, terms and what is there now.",
        (SearchState.start, CityState.load),
    ),
    Page("/404", not_found, f"Page not found | {_NAME}", "There is nothing at this address."),
)


def add_all(app: rx.App) -> None:
    """Give every page to the app."""
    for page in (*PAGES, *vendor.PAGES):
        app.add_page(
            page.build,
            route=page.route.strip("/") or "index",
            title=page.title,
            description=page.description,
            on_load=[SessionState.start, *page.on_load],
        )
