"""Booking a vehicle for somebody at the counter."""

from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any

from rental_app.domain import clock
from rental_app.domain import counter as rules
from rental_app.domain.account import PaymentMethod
from rental_app.domain.errors import RentalError
from rental_app.domain.handover import WITH_REASON
from rental_app.domain.ids import read_id
from rental_app.schemas.counter import ChoicesRequest, CounterChoice, CounterRequest
from rental_app.schemas.quotes import QuoteRequest
from rental_app.schemas.trips import PaymentRequest
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import counter
from rental_app.services.bookings.free_dates import DatesUnavailableError
from rental_app.services.trips import moves
from rental_app.web.parts.presenters.links import new_booking_url, read_wall, vendor_booking_url, wall_text, window_of
from rental_app.web.session.address import here
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.events import focus, keep_in_address, redirect, set_value, success_toast
from rental_app.web.session.handlers import one_at_a_time
from rental_app.web.session.vendor_auth import staff_action, staff_change, staff_load
from rental_app.web.vendor.new_booking.presenter import (
    LENGTHS,
    ContinuedTrip,
    CounterPrice,
    CounterVehicle,
    VehicleList,
    continued_trip,
    costs,
    counter_price,
    later,
    length_of,
    vehicle_list,
    why,
)

DAY = "24"
_TYPED = ("name", "phone", "email", "total", "reason", "other", "note", "lateReason")
# Fields whose names on the page differ from those of the request.
_FIELDS = {"customer.name": "name", "customer.phone": "phone", "customer.email": "email"}
# The places of errors, in the order of the page.
_PLACES = ("pickupDate", "returnDate", "lateReason", "vehicle", "phone", "name", "email", "total", "reason")


class NewBookingState(PrivateState):
    """The window, the vehicle and the price of a booking that is being made; the customer is in the browser."""

    pickup: str = ""
    return_at: str = ""
    length: str = DAY
    listed: VehicleList | None = None
    # Whether there is none to choose from, whatever is searched.
    has_none: bool = False
    vehicle: CounterVehicle | None = None
    extras: list[str] = []
    price: CounterPrice | None = None
    total: str = ""
    costs: str = ""
    continued: ContinuedTrip | None = None
    asks_why: str = ""
    # What asks for a reason of a rental that began long ago or is over; '' if nothing does.
    asks_late: str = ""
    problem: str = ""
    asked_url: str = ""
    busy: bool = False
    errors: dict[str, str] = {}
    _found: list[CounterChoice] = []
    _words: str = ""
    _every: bool = False
    _priced: tuple[int, int] | None = None

    @staff_load
    async def load(self, actor: Actor) -> AsyncIterator[Any]:
        """Show what is free; the page's address may name a window, a vehicle and extras."""
        if self.asked_url != here(self):
            self.reset()
            self.asked_url = here(self)
        self.problem = ""
        parameters = self.router.url.query_parameters
        # A load that another one interrupted, after a restart of the server, has not taken all of the address.
        if self.listed is None:
            self._begin(parameters)
            await self._continue(actor, parameters.get("continues", ""))
            await self._look(actor, read_id(parameters.get("vehicle", "")), parameters.get("extras", ""))
            return
        await self._look(actor)
        yield
        # On a newly opened page the field has the computed total; what is being typed there is not known here yet.
        if self.price and self.total != self.price.rupees:
            yield set_value("total", self.total)

    def _begin(self, parameters: Mapping[str, str]) -> None:
        instant = clock.now()
        now = wall_text(clock.default_pickup(instant))
        day, until = read_wall(parameters.get("day", "")), read_wall(parameters.get("until", ""))
        # A past window is taken only if it was chosen on this page; any other address is just old.
        is_begun = day >= wall_text(instant - WITH_REASON) and (until > now or "noted" in parameters)
        self.pickup = day if day > now or is_begun else now
        self._lasts(DAY)
        if until > self.pickup and until != self.return_at:
            self.return_at, self.length = until, length_of(self.pickup, until)

    async def _continue(self, actor: Actor, ref: str) -> None:
        """Go on with the trip that the page's address names, until it was to end."""
        if not ref:
            return
        trip = await read(moves.trip_to_continue, actor, ref)
        self.continued = continued_trip(trip)
        if trip.return_at > clock.default_pickup(clock.now()):
            self.return_at, self.length = wall_text(trip.return_at), ""

    @staff_action
    async def choose_pickup(self, actor: Actor, pickup: str) -> AsyncIterator[Any]:
        """Choose when the rental begins; its length stays."""
        self.pickup = read_wall(pickup)
        self._lasts(self.length)
        await self._look(actor)
        yield self._tell_address()

    @staff_action
    async def choose_return(self, actor: Actor, return_at: str) -> AsyncIterator[Any]:
        """Choose when the rental ends."""
        self.return_at, self.length = read_wall(return_at), ""
        await self._look(actor)
        yield self._tell_address()

    @staff_action
    async def choose_length(self, actor: Actor, hours: str) -> AsyncIterator[Any]:
        """Choose how long the rental lasts."""
        if hours in LENGTHS:
            self._lasts(hours)
            await self._look(actor)
            yield self._tell_address()

    @staff_action
    async def search(self, _actor: Actor, words: str) -> None:
        """Show the vehicles whose model or RC number has these words."""
        self._words = words
        self._list()

    @staff_action
    async def show_all(self, _actor: Actor) -> None:
        """Show every vehicle."""
        self._every = True
        self._list()

    @staff_action
    async def choose(self, actor: Actor, vehicle: int) -> Any:
        """Choose a vehicle; its price is computed."""
        self._choose(vehicle)
        return await self._reprice(actor)

    @staff_action
    async def toggle_extra(self, actor: Actor, extra: str) -> Any:
        """Add an extra, or leave it out again."""
        self._take_extras([name for name in (*self.extras, extra) if (name in self.extras) != (name == extra)])
        return await self._reprice(actor)

    @staff_action
    async def type_total(self, _actor: Actor, total: str) -> None:
        """Ask why, once another total than the computed one is typed."""
        self.total, paise = total, _paise(total)
        self.asks_why = why(self.price.paise, paise) if self.price else ""
        self.costs = costs(paise)

    @staff_change
    @one_at_a_time
    async def book(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Book the chosen vehicle, and go to the booking."""
        self.errors = {}
        yield
        book = moves.continue_trip if self.continued else counter.create
        try:
            made = await write(book, actor, validated(CounterRequest, self._request_fields(form)))
        except RentalError as error:
            self.errors = _placed(error, asks_late=bool(self.asks_late))
            if isinstance(error, DatesUnavailableError):
                await self._look(actor)
            yield focus(next(iter(self.errors)))
            raise
        yield success_toast(counter.BOOKED_AT_COUNTER)
        yield redirect(vendor_booking_url(made.reference))

    def _request_fields(self, form: dict[str, Any]) -> dict[str, Any]:
        texts = {name: str(form.get(name) or "") for name in _TYPED}
        reason = texts["other"] if texts["reason"] == "Other" else texts["reason"]
        fields = {
            "vehicle": self.vehicle.id if self.vehicle else None,
            "pickupDate": self.pickup,
            "returnDate": self.return_at,
            "note": texts["note"],
        }
        late = texts["lateReason"] if self.asks_late else ""
        if self.continued:
            return fields | {"continues": self.continued.reference, "reason": late}
        return fields | {
            "customer": {name: texts[name] for name in ("name", "phone", "email")},
            "total": texts["total"] or None,
            "reason": "; ".join(text for text in (reason if self.asks_why else "", late) if text),
            "extras": self.extras,
        }

    def _lasts(self, hours: str) -> None:
        self.length = hours
        window = window_of(self.pickup, self.pickup)
        if window and hours:
            self.return_at = wall_text(later(window.pickup, hours))

    def _choose(self, vehicle: int) -> None:
        shown = vehicle_list(self._found, "", every=True, instant=clock.now()).vehicles
        before = self.vehicle.id if self.vehicle else 0
        self.vehicle = next((one for one in shown if one.id == vehicle), None)
        if vehicle != before:
            self.extras = []

    async def _look(self, actor: Actor, vehicle: int = 0, extras: str = "") -> None:
        """Find what is free in the window, and keep the chosen vehicle if there is one."""
        self.errors, self._found, self.has_none = {}, [], False
        window = window_of(self.pickup, self.return_at)
        self.asks_late = rules.asks_reason(window, clock.now()) if window else ""
        try:
            request = ChoicesRequest(pickup=self.pickup, return_at=self.return_at)
            self._found = await read(counter.choices, actor, request)
            self.has_none = not self._found
        except RentalError as error:
            self.errors = _placed(error)
        self._choose(vehicle or (self.vehicle.id if self.vehicle else 0))
        self._take_extras(extras.split(",") if extras else self.extras)
        self._list()
        if self.vehicle and self.vehicle.taken:
            self.errors = self.errors | {"vehicle": f"{self.vehicle.title} is {self.vehicle.until}"}
        await self._compute(actor)

    def _list(self) -> None:
        self.listed = vehicle_list(self._found, self._words, every=self._every, instant=clock.now())

    def _take_extras(self, wanted: list[str]) -> None:
        offered = [choice.value for choice in self.vehicle.extras] if self.vehicle else []
        self.extras = [name for name in offered if name in wanted]

    def _tell_address(self) -> Any:
        """Put what is chosen into the page's address: a restarted server, or another one, knows it only from there."""
        parameters = self.router.url.query_parameters
        self.asked_url = new_booking_url(
            day=self.pickup,
            until=self.return_at,
            vehicle=self.vehicle.id if self.vehicle else "",
            extras=",".join(self.extras),
            continues=parameters.get("continues", ""),
            noted="later" if self.asks_late else "",
        )
        return keep_in_address(self.asked_url)

    async def _reprice(self, actor: Actor) -> Any:
        self.errors = {}
        # A field with the new total takes the place of the one that was there (page.py).
        await self._compute(actor)
        return self._tell_address()

    async def _compute(self, actor: Actor) -> None:
        """Compute the price of the chosen vehicle; the total is that price until another total is typed.

        A typed total stays while vehicle and price do, as its field does on the page.
        """
        before, self.price = self._priced, None
        if self.vehicle:
            with suppress(RentalError):
                fields = {"pickupDate": self.pickup, "returnDate": self.return_at, "extras": self.extras}
                request = validated(QuoteRequest, fields | {"car": self.vehicle.id})
                self.price = counter_price(await read(counter.preview, actor, request))
        self._priced = (self.vehicle.id, self.price.paise) if self.vehicle and self.price else None
        if self._priced is None or self._priced != before:
            self.total, self.asks_why = self.price.rupees if self.price else "", ""
            self.costs = costs(self.price.paise if self.price else None)


def _paise(total: str) -> int | None:
    """What a typed total is; None while it cannot be read."""
    fields = {"amount": total, "of": "rent", "method": PaymentMethod.CASH, "direction": "in"}
    try:
        return validated(PaymentRequest, fields).amount
    except RentalError:
        return None


def _placed(error: RentalError, *, asks_late: bool = False) -> dict[str, str]:
    """What is wrong, by the id of the field beside which it stands; a late one has its reason elsewhere."""
    errors = {_FIELDS.get(name, name): text for name, text in error.fields.items()}
    if asks_late and "reason" in errors:
        errors["lateReason"] = errors.pop("reason")
    return {name: errors[name] for name in _PLACES if name in errors} or {"vehicle": error.message}
