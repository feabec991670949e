"""A vehicle's page: the price of the window in its address, or what is free instead."""

from rental_app.domain.errors import NotFoundError, RentalError
from rental_app.domain.ids import read_id
from rental_app.infrastructure import db
from rental_app.infrastructure.settings import settings
from rental_app.models import Listing
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.search import PageSearch
from rental_app.schemas.wire import Page as ListPage
from rental_app.services import policies, vendors
from rental_app.services.bookings.free_dates import DatesUnavailableError
from rental_app.services.files.picture_sizes import size_of
from rental_app.services.pricing import quotes
from rental_app.services.reviews import reading
from rental_app.services.search import listings
from rental_app.services.throttle import Caller
from rental_app.ssr import structured
from rental_app.ssr.answers import PageAnswer, Request
from rental_app.ssr.document import fill
from rental_app.ssr.head import Subject
from rental_app.web.parts.presenters import heads
from rental_app.web.parts.presenters.alternatives import NOTHING, Alternatives, alternatives
from rental_app.web.parts.presenters.bookings import free_dates, price_text
from rental_app.web.parts.presenters.links import read_query, vehicle_url, walls
from rental_app.web.parts.presenters.words import cover
from rental_app.web.parts.reviews.presenter import FEW as FEW_REVIEWS
from rental_app.web.parts.reviews.presenter import reviews_view
from rental_app.web.parts.search_form.presenter import SearchForm
from rental_app.web.screens.vehicle_details.presenter import fitting_offer, head, vehicle_page


def vehicle(request: Request) -> PageAnswer:
    """A vehicle, with the price of the window in the address; 404 for one that is not listed."""
    query, vehicle_id = read_query(request.parameters), read_id(request.name)
    try:
        car = db.read(listings.get_listing, request.caller, vehicle_id)
    except NotFoundError:
        other = _others(db.read(alternatives, request.caller, vehicle_id, query))
        none = {"car": None, "missing": True} | other
        gone = fill("vehicle", detail_state=none, vehicle_reviews_state={"shown": None})
        return PageAnswer("vehicle-details/_", Subject(heads.missing_vehicle(), None), gone, 404)
    reviews = db.read(reading.of_vehicle, request.caller, car.id, ListPage(limit=FEW_REVIEWS))
    host, numbers = db.read(vendors.host, car.vendor_id), db.read(policies.current)
    view = vehicle_page(car, settings().city, host, db.read(cover), numbers)
    form = SearchForm(*walls(query, car.hours))
    shown: dict[str, object] = {"car": view, "busy": False} | _price(request.caller, car, query)
    shown |= {"choices": view.extras, "needs_address": False, "address": "", "address_problem": ""}
    shown |= {"offer": "", "offer_problem": ""}
    shown |= {"pickup": form.pickup, "return_at": form.return_at, "return_from": form.return_from}
    path, texts = vehicle_url(car.id), head(view)
    data = [
        structured.vehicle(car, texts.description, reviews),
        structured.trail(("Vehicles", "/vehicles"), (view.title, path)),
    ]
    image = car.picture.full
    return PageAnswer(
        "vehicle-details/_",
        Subject(texts, path, image, f"{view.title}, {car.color}", size_of(image), "product", data),
        fill("vehicle", detail_state=shown, vehicle_reviews_state={"shown": reviews_view(reviews)}),
    )


def _price(caller: Caller, car: Listing, query: PageSearch) -> dict[str, object]:
    """The price of a window, or why it is not available and what is free instead; nothing without a window."""
    nothing: dict[str, object] = {
        "price": None,
        "refusal": "",
        "unavailable": False,
        "nearest": [],
        "fits": None,
    } | _others(NOTHING)
    if not query.pickup or not query.return_at:
        return nothing
    wanted = BookingRequest(car=car.id, pickup=query.pickup, return_at=query.return_at)
    try:
        view = db.read(quotes.quote_for, caller, wanted)
        return nothing | {"price": price_text(view), "fits": db.read(fitting_offer, caller, view)}
    except RentalError as error:
        return nothing | refused(caller, car, query, error)


def refused(caller: Caller, car: Listing, query: PageSearch, error: RentalError) -> dict[str, object]:
    """Why there is no price for a window, and what is free instead."""
    if not isinstance(error, DatesUnavailableError):
        return {"refusal": error.message}
    free = [free_dates(window) for window in error.nearest]
    return {"refusal": error.message, "nearest": free} | _others(db.read(alternatives, caller, car.id, query))


def _others(others: Alternatives) -> dict[str, object]:
    return {"free_instead": others.free, "similar": others.similar}
