"""The review of a request: what it says at the price of the moment, or what stands in its way."""

from rental_app.domain import clock
from rental_app.domain.errors import NotFoundError, RentalError
from rental_app.domain.ids import read_id
from rental_app.domain.pricing import EXTRAS
from rental_app.infrastructure import db
from rental_app.models import Listing
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.search import PageSearch
from rental_app.schemas.validation import validated
from rental_app.services.bookings.requests import reviewed
from rental_app.services.pricing import quotes
from rental_app.services.throttle import Caller
from rental_app.ssr.answers import PageAnswer, Request
from rental_app.ssr.document import fill
from rental_app.ssr.head import Subject
from rental_app.ssr.vehicle import refused
from rental_app.web.parts.presenters import heads
from rental_app.web.parts.presenters.bookings import FreeDates, price_text
from rental_app.web.parts.presenters.links import read_options, read_query, walls, window_of
from rental_app.web.screens.booking_review.presenter import free_links, review_page, reviewed_price

BUILT = "vehicle-details/_/review"
NOTHING: dict[str, object] = {
    "price": None,
    "meaning": None,
    "refusal": "",
    "unavailable": False,
    "nearest": [],
    "free_windows": [],
    "free_instead": [],
    "similar": [],
    "offer_problem": "",
    "requested_href": "",
    "awaits_answers": False,
    "documents": None,
    "ways": [],
    "address": "",
    "address_problem": "",
    "address_filled": 0,
    "busy": False,
}


def review(request: Request) -> PageAnswer:
    """A request as a visitor checks it; 404 for a vehicle that is not listed. No search engine should keep it."""
    options = read_options(request.parameters)
    query, about = read_query(options.items()), Subject(heads.of("/vehicle-details/[vehicle_id]/review"), None)
    try:
        details = db.read(reviewed, request.caller, read_id(request.name), None)
    except NotFoundError:
        gone = fill("review", review_state=NOTHING | {"car": None, "missing": True})
        return PageAnswer(BUILT, Subject(heads.missing_vehicle(), None), gone, 404)
    window = window_of(*walls(query, details.vehicle.hours))
    car = review_page(details, window, options)
    price = _price(request.caller, details.vehicle, query, options) if window else {}
    return PageAnswer(BUILT, about, fill("review", review_state=NOTHING | {"car": car, "missing": False} | price))


def _price(caller: Caller, car: Listing, query: PageSearch, options: dict[str, str]) -> dict[str, object]:
    """The price of a request, without an offer that has no effect; or why there is none, and what is free instead."""
    extras = [extra for extra in EXTRAS if extra in options.get("extras", "").split(",")]
    terms = {"car": car.id, "pickup": query.pickup, "return_at": query.return_at, "extras": extras}
    try:
        booking = validated(BookingRequest, terms | {"offer": options.get("offer", "")})
        quote = db.read(quotes.quote_for, caller, booking)
        return {"price": price_text(quote), "meaning": reviewed_price(quote, clock.now())}
    except RentalError as error:
        if "offer" not in error.fields:
            shown = refused(caller, car, query, error)
            nearest = shown.get("nearest", [])
            free = [each for each in nearest if isinstance(each, FreeDates)] if isinstance(nearest, list) else []
            windows = [(each.text, each.pickup, each.return_at) for each in free]
            return shown | {"free_windows": free_links(car.id, windows, options)}
        without = {name: text for name, text in options.items() if name != "offer"}
        return _price(caller, car, query, without) | {"offer_problem": error.message}
