"""The bindings of every route in the table: component, first events, state."""

from functools import partial

import reflex as rx

from rental_app.content.routes import ROUTES, Route, is_guarded
from rental_app.web.frame.plain_pages import not_found
from rental_app.web.operator.list_page import list_page
from rental_app.web.operator.row_page import row_page
from rental_app.web.operator.state import ConsoleState
from rental_app.web.operator.words_page import words_list_page, words_page
from rental_app.web.operator.words_state import WordsState
from rental_app.web.operator.work_page import work_page
from rental_app.web.operator.work_state import WorkState
from rental_app.web.parts.favourite_and_compare.state import FavouritesState
from rental_app.web.parts.page import Binding, BoundPage, bound
from rental_app.web.parts.presenters import heads
from rental_app.web.parts.reviews.state import VehicleReviewsState
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.react.server_rendered import server_rendered_head
from rental_app.web.screens.account.delete_page import delete_account
from rental_app.web.screens.account.page import account
from rental_app.web.screens.account.state import AccountState
from rental_app.web.screens.booking_review.page import booking_review
from rental_app.web.screens.booking_review.state import ReviewState
from rental_app.web.screens.city.page import city
from rental_app.web.screens.city.state import CityState
from rental_app.web.screens.compare.page import compare
from rental_app.web.screens.compare.state import ComparePageState
from rental_app.web.screens.favourites.page import favourites
from rental_app.web.screens.favourites.state import FavouritesPageState
from rental_app.web.screens.guest_trip.page import guest_trip
from rental_app.web.screens.guest_trip.state import GuestTripState
from rental_app.web.screens.home.page import home
from rental_app.web.screens.home.state import CityLinksState, HomeState
from rental_app.web.screens.list_your_vehicle import list_your_vehicle
from rental_app.web.screens.mailed_links.page import (
    confirm_email,
    decline_email,
    join,
    keep_account,
    not_me,
    reset_password,
    undo_email,
    verify_email,
)
from rental_app.web.screens.mailed_links.state import MailedLinkState
from rental_app.web.screens.my_booking.page import my_booking
from rental_app.web.screens.my_booking.state import MyBookingState
from rental_app.web.screens.my_bookings.page import my_bookings
from rental_app.web.screens.my_bookings.state import MyBookingsState
from rental_app.web.screens.offers.page import offers
from rental_app.web.screens.offers.state import OffersState
from rental_app.web.screens.texts.blog import blog, post_page
from rental_app.web.screens.texts.legal import legal_page, terms_page
from rental_app.web.screens.texts.state import TextState
from rental_app.web.screens.vehicle_details.page import vehicle_details
from rental_app.web.screens.vehicle_details.state import DetailState
from rental_app.web.screens.vehicles.page import vehicles
from rental_app.web.screens.vehicles.state import VehiclesState
from rental_app.web.screens.vendor_page.page import vendor_page
from rental_app.web.screens.vendor_page.state import VendorPageState
from rental_app.web.session.base import SessionState
from rental_app.web.session.operator_auth import OperatorDoorState
from rental_app.web.vendor import pages as vendor

POSTS = "/blog/[post]"
_START, _ENTER = SearchState.start, OperatorDoorState.enter
# Reviews first: once the vehicle is loaded, the page replaces the served one, which has them.
_VEHICLE = (VehicleReviewsState.load, DetailState.load)

BINDINGS = {
    "/": Binding(home, (_START, HomeState.load, CityLinksState.load)),
    "/vehicles": Binding(vehicles, (_START, VehiclesState.load)),
    "/vehicle-details/[vehicle_id]": Binding(vehicle_details, _VEHICLE, DetailState),
    "/vehicle-details/[vehicle_id]/review": Binding(booking_review, (ReviewState.load,)),
    "/my-bookings": Binding(my_bookings, (MyBookingsState.load,)),
    "/my-bookings/[reference]": Binding(my_booking, (MyBookingState.load,)),
    "/trip/[secret]": Binding(guest_trip, (GuestTripState.load,)),
    "/favourites": Binding(favourites, (FavouritesPageState.load,)),
    "/compare": Binding(compare, (ComparePageState.load,)),
    "/offers": Binding(offers, (OffersState.load,)),
    "/blog": Binding(blog),
    "/list-your-vehicle": Binding(list_your_vehicle),
    **{f"/{name}": Binding(partial(legal_page, name)) for name in ("privacy", "security")},
    "/terms": Binding(terms_page, (TextState.load_terms,)),
    "/terms/[terms_named]": Binding(terms_page, (TextState.load_terms,)),
    "/[city_slug]/bike-rentals": Binding(city, (_START, CityState.load), CityState),
    "/vendors/[vendor_slug]": Binding(vendor_page, (VendorPageState.load,), VendorPageState),
    "/account": Binding(account, (AccountState.load,)),
    "/account/delete": Binding(delete_account, (AccountState.load,)),
    "/reset-password": Binding(reset_password, (MailedLinkState.begin,)),
    "/verify-email": Binding(verify_email, (MailedLinkState.begin,)),
    "/confirm-email": Binding(confirm_email, (MailedLinkState.begin,)),
    "/undo-email": Binding(undo_email, (MailedLinkState.begin,)),
    "/decline-email": Binding(decline_email, (MailedLinkState.begin,)),
    "/not-me": Binding(not_me, (MailedLinkState.begin,)),
    "/join": Binding(join),
    "/keep-account": Binding(keep_account, (MailedLinkState.begin,)),
    "/404": Binding(not_found),
    **vendor.BINDINGS,
    "/operator": Binding(work_page, (_ENTER, WorkState.load), WorkState),
    "/operator/words": Binding(words_list_page, (_ENTER, WordsState.load_list), WordsState),
    "/operator/words/[words_key]": Binding(words_page, (_ENTER, WordsState.load), WordsState),
    "/operator/[table_name]": Binding(list_page, (_ENTER, ConsoleState.load_list), ConsoleState),
    "/operator/[table_name]/[row_id]": Binding(row_page, (_ENTER, ConsoleState.load_row), ConsoleState),
}


def _binding_of(route: Route) -> Binding:
    if route.path not in BINDINGS:
        table = "rental_app/web/vendor/pages.py" if route.is_vendors else "rental_app/web/pages.py"
        raise LookupError(f"{route.path} is in ROUTES and has no page: add it to BINDINGS in {table}")
    return BINDINGS[route.path]


PAGES = (
    *(bound(route, _binding_of(route)) for route in ROUTES if route.path != POSTS),
    # Each post is a page of its own.
    *(
        BoundPage(post.path, partial(post_page, post), heads.post(post).title, post.summary, (TextState.load_post,))
        for post in heads.all_posts()
    ),
)


def add_all(app: rx.App) -> None:
    """Add every page to the app."""
    for page in PAGES:
        marks = () if is_guarded(page.route) else (FavouritesState.start,)
        app.add_page(
            page.build,
            route=page.route.strip("/") or "index",
            title=page.title,
            description=page.description,
            image=page.image,
            meta=[server_rendered_head()],
            on_load=[SessionState.start, *marks, *page.on_load],
        )
