"""The route table: every page with its title, description and first events."""

from functools import partial

import reflex as rx

from rental_app.components.served import served_head
from rental_app.pages import vendor
from rental_app.pages.blog import blog, post_page
from rental_app.pages.city import city
from rental_app.pages.home import home
from rental_app.pages.legal import legal_page
from rental_app.pages.list_your_vehicle import list_your_vehicle
from rental_app.pages.my_bookings import my_bookings
from rental_app.pages.offers import offers
from rental_app.pages.page import Page, one_of_many, public
from rental_app.pages.plain import not_found
from rental_app.pages.vehicle_details import vehicle_details
from rental_app.pages.vehicles import vehicles
from rental_app.states.base import SessionState
from rental_app.states.city import CityLinksState, CityState
from rental_app.states.detail import DetailState
from rental_app.states.my_bookings import MyBookingsState
from rental_app.states.offers import OffersState
from rental_app.states.search import HomeState, SearchState
from rental_app.states.vehicles import VehiclesState
from rental_app.states.vendor.shell import ShellState
from rental_app.views import heads

PAGES = (
    public("/", home, SearchState.start, HomeState.load, CityLinksState.load),
    public("/vehicles", vehicles, SearchState.start, VehiclesState.load),
    one_of_many("/vehicle-details/[vehicle_id]", vehicle_details, DetailState.load, state=DetailState),
    public("/my-bookings", my_bookings, MyBookingsState.load),
    public("/offers", offers, OffersState.load),
    public("/blog", blog),
    public("/list-your-vehicle", list_your_vehicle),
    *(public(f"/{name}", partial(legal_page, name)) for name in ("privacy", "terms", "security")),
    *(Page(post.path, partial(post_page, post), heads.post(post).title, post.summary) for post in heads.all_posts()),
    one_of_many("/[city_slug]/bike-rentals", city, SearchState.start, CityState.load, state=CityState),
    public("/404", not_found, ShellState.load),
)


def add_all(app: rx.App) -> None:
    """Give every page to the app."""
    for page in (*PAGES, *vendor.PAGES):
        app.add_page(
            page.build,
            route=page.route.strip("/") or "index",
            title=page.title,
            description=page.description,
            image=page.image,
            meta=[served_head()],
            on_load=[SessionState.start, *page.on_load],
        )
