"""The bindings of every route in the table: component, first events, state."""

from functools import partial

import reflex as rx

from rental_app.components.react.served import served_head
from rental_app.content.routes import ROUTES, is_vendors
from rental_app.pages import vendor
from rental_app.pages.blog import blog, post_page
from rental_app.pages.city import city
from rental_app.pages.compare import compare
from rental_app.pages.favourites import favourites
from rental_app.pages.home import home
from rental_app.pages.legal import legal_page
from rental_app.pages.list_your_vehicle import list_your_vehicle
from rental_app.pages.my_booking import my_booking
from rental_app.pages.my_bookings import my_bookings
from rental_app.pages.offers import offers
from rental_app.pages.page import Binding, Page, bound
from rental_app.pages.plain import not_found
from rental_app.pages.vehicle_details import vehicle_details
from rental_app.pages.vehicles import vehicles
from rental_app.pages.vendor_page import vendor_page
from rental_app.states.base import SessionState
from rental_app.states.city import CityLinksState, CityState
from rental_app.states.compare import ComparePageState
from rental_app.states.detail import DetailState
from rental_app.states.favourites import FavouritesPageState
from rental_app.states.marks import FavouritesState
from rental_app.states.my_booking import MyBookingState
from rental_app.states.my_bookings import MyBookingsState
from rental_app.states.offers import OffersState
from rental_app.states.reviews import VehicleReviewsState
from rental_app.states.search import HomeState, SearchState
from rental_app.states.vehicles import VehiclesState
from rental_app.states.vendor_page import VendorPageState
from rental_app.views import heads

POSTS = "/blog/[post]"
_START = SearchState.start
# Reviews first: once the vehicle is loaded, the page replaces the served one, which has them.
_VEHICLE = (VehicleReviewsState.load, DetailState.load)

BINDINGS = {
    "/": Binding(home, (_START, HomeState.load, CityLinksState.load)),
    "/vehicles": Binding(vehicles, (_START, VehiclesState.load)),
    "/vehicle-details/[vehicle_id]": Binding(vehicle_details, _VEHICLE, DetailState),
    "/my-bookings": Binding(my_bookings, (MyBookingsState.load,)),
    "/my-bookings/[reference]": Binding(my_booking, (MyBookingState.load,)),
    "/favourites": Binding(favourites, (FavouritesPageState.load,)),
    "/compare": Binding(compare, (ComparePageState.load,)),
    "/offers": Binding(offers, (OffersState.load,)),
    "/blog": Binding(blog),
    "/list-your-vehicle": Binding(list_your_vehicle),
    **{f"/{name}": Binding(partial(legal_page, name)) for name in ("privacy", "terms", "security")},
    "/[city_slug]/bike-rentals": Binding(city, (_START, CityState.load), CityState),
    "/vendors/[vendor_slug]": Binding(vendor_page, (VendorPageState.load,), VendorPageState),
    "/404": Binding(not_found),
    **vendor.BINDINGS,
}
PAGES = (
    *(bound(route, BINDINGS[route.path]) for route in ROUTES if route.path != POSTS),
    # A post contains all of its content: each is a page of its own.
    *(Page(post.path, partial(post_page, post), heads.post(post).title, post.summary) for post in heads.all_posts()),
)


def add_all(app: rx.App) -> None:
    """Add every page to the app."""
    for page in PAGES:
        marks = () if is_vendors(page.route) else (FavouritesState.start,)
        app.add_page(
            page.build,
            route=page.route.strip("/") or "index",
            title=page.title,
            description=page.description,
            image=page.image,
            meta=[served_head()],
            on_load=[SessionState.start, *marks, *page.on_load],
        )
