"""What is done to many vehicles at once: switched at the press, anything else by the form of a dialog."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from rental_app.domain.errors import RentalError
from rental_app.domain.ids import read_id
from rental_app.domain.money import counted, to_rupees
from rental_app.schemas.fleet import MOST_AT_ONCE, BulkRequest, ChangedPrice
from rental_app.schemas.prices import FleetPrices
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.fleet import bulk, prices
from rental_app.web.parts.presenters.bookings import in_the_way
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.browser_drafts import MOST_FIELDS, read_draft
from rental_app.web.session.events import close_dialog, focus, open_dialog, success_toast
from rental_app.web.session.handlers import form_handler
from rental_app.web.session.vendor_auth import manager_action, manager_change
from rental_app.web.vendor.manage_vehicles.presenter import PriceChange, price_change
from rental_app.web.vendor.manage_vehicles.state import FleetState

MANY = "many-vehicles"
PRICE, BLOCK, TERMS, RENEW = "price", "block", "terms", "renew"
TITLES = {PRICE: "Change prices", BLOCK: "Block dates", TERMS: "Change terms", RENEW: "Renew documents"}
LOWER, RUPEES = "lower", "rupees"
# The fields of each dialog, named as on the wire besides those that say how prices change.
FIELDS = {
    PRICE: ("direction", "by", "unit", "plan"),
    BLOCK: ("from", "to", "reason", "note"),
    TERMS: (
        "security_deposit",
        "late_penalty_per_hour",
        "distance_penalty_per_km",
        "speed_limit_kmph",
        "kms_limit",
        "drop_off_payment",
        "pick_up_payment",
        "terms",
    ),
    RENEW: ("paper", "validUntil"),
}
LONGEST = 5_000


class ManyState(PrivateState):
    """The act and the vehicles of the open dialog, what is wrong in its form, and the latest change that can be undone.

    The form names both itself: the server may have lost them since.
    """

    act: str = ""
    # Their ids, as the form names them.
    named: str = ""
    about: str = ""
    errors: dict[str, str] = {}
    refusal: str = ""
    booked: list[Link] = []
    busy: bool = False
    changes: list[PriceChange] = []
    problem: str = ""
    done: str = ""
    _shown: list[dict[str, Any]] = []
    _back: list[dict[str, Any]] = []
    _typed: dict[str, str] = {}

    @manager_action
    async def begin(self, _actor: Actor, act: str, ids: list[int]) -> AsyncIterator[Any]:
        """Open the dialog of an act."""
        if act in TITLES and ids:
            self._take(act, ids)
            yield open_dialog(MANY)

    @manager_action
    async def regain(self, actor: Actor, _lost: int | str, draft: str) -> None:
        """Fill the open dialog again after the server has lost it."""
        form = read_draft(draft)
        act = str(form.get("action") or "")
        if act in TITLES:
            self._take(act, ids_of(form))
            await self._try(actor, form)

    @manager_change
    async def switch(self, actor: Actor, act: str, ids: list[int]) -> AsyncIterator[Any]:
        """Pause or resume vehicles at once."""
        answer = await write(bulk.change, actor, validated(BulkRequest, {"ids": ids, "action": act}))
        yield success_toast(answer.message)
        fleet = await self.get_state(FleetState)
        fleet._list_ahead("the paused vehicles", answer.bookings)
        yield FleetState.load

    @manager_action
    async def note_typed(self, actor: Actor, typed: dict[str, str]) -> None:
        """Show what prices would become, as it is typed."""
        self.errors = {name: text for name, text in self.errors.items() if name not in typed}
        if self.act == PRICE:
            await self._try(actor, self._typed | typed)

    @manager_change
    @form_handler()
    async def save(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Do it to all of them or to none."""
        texts = {name: str(text or "")[:LONGEST] for name, text in [*form.items()][:MOST_FIELDS]}
        request = request_of(texts)
        # What the list in the dialog has shown is what is changed.
        shown = {"shown": self._shown} if request.get("action") == PRICE else {}
        answer = await write(bulk.change, actor, validated(BulkRequest, request | shown))
        yield close_dialog(MANY)
        yield success_toast(answer.message)
        self._note_done(answer.message, answer.prices)
        yield FleetState.load

    def _begins(self, _form: object) -> bool:
        self.errors, self.refusal, self.booked = {}, "", []
        return True

    async def _refused(self, error: RentalError) -> AsyncIterator[Any]:
        names = {"percent": "by", "amount": "by"}
        fields = {names.get(name, name): text for name, text in error.fields.items()}
        self.errors = {name: text for name, text in fields.items() if name in FIELDS.get(self.act, ())}
        self.refusal = "" if self.errors else error.message
        self.booked = in_the_way(error)
        if self.errors:
            yield focus(field_id(next(iter(self.errors))))
        raise error

    @manager_change
    async def undo(self, actor: Actor) -> AsyncIterator[Any]:
        """Set the prices changed last back, unless somebody has changed them since."""
        if not self._back:
            return
        back, self._back, self.done = self._back, [], ""
        await write(prices.change, actor, validated(FleetPrices, back))
        yield success_toast("Prices are as they were")
        yield FleetState.load

    @manager_action
    async def forget(self, _actor: Actor) -> None:
        """Let a change stand."""
        self.done, self._back = "", []

    def _take(self, act: str, ids: list[int]) -> None:
        self.act, self.named = act, ",".join(map(str, ids[:MOST_AT_ONCE]))
        self.about = counted(len(ids[:MOST_AT_ONCE]), "vehicle")
        self.errors, self.refusal, self.booked = {}, "", []
        self.changes, self.problem, self._shown, self._typed = [], "", [], {}

    async def _try(self, actor: Actor, typed: Mapping[str, str]) -> None:
        """Show what prices would become; without a figure there is nothing to show."""
        self._typed = {name: text[:LONGEST] for name, text in typed.items() if name in FIELDS[PRICE]}
        self.changes, self.problem, self._shown = [], "", []
        if not self._typed.get("by", "").strip():
            return
        request = request_of(self._typed | {"action": PRICE, "ids": self.named})
        try:
            answer = await read(bulk.preview, actor, validated(BulkRequest, request))
        except RentalError as error:
            self.problem = "; ".join(error.fields.values()) or error.message
            return
        self.changes = [price_change(each) for each in answer.prices]
        self._shown = [
            {"vehicle": each.vehicle, "price_name": each.price_name, "price": str(to_rupees(each.before))}
            for each in answer.prices
        ]

    def _note_done(self, message: str, changed: list[ChangedPrice]) -> None:
        self.done = message if changed else ""
        self._back = [
            {
                "vehicle": each.vehicle,
                "price_name": each.price_name,
                "price": str(to_rupees(each.before)),
                "shown": {"price": str(to_rupees(each.after))},
            }
            for each in changed
        ]


def request_of(form: Mapping[str, str]) -> dict[str, Any]:
    """A form as the call takes it; fields that were left blank stay as they are."""
    act = form.get("action", "")
    request: dict[str, Any] = {"action": act, "ids": ids_of(form)}
    filled = {name: form[name].strip() for name in FIELDS.get(act, ()) if form.get(name, "").strip()}
    if act != PRICE:
        # A charge for delivery or collection is one only where they cost extra.
        extra = filled.keys() & {"drop_off_payment", "pick_up_payment"}
        return request | filled | ({"drop_off_pick_extra_payment": True} if extra else {})
    by = filled.get("by", "").removesuffix("%").removeprefix("₹").strip()
    figure = f"-{by}" if by and filled.get("direction") == LOWER else by
    plan = {"plan": filled["plan"]} if "plan" in filled else {}
    return request | plan | ({"amount" if filled.get("unit") == RUPEES else "percent": figure} if figure else {})


def ids_of(form: Mapping[str, Any]) -> list[int]:
    """The vehicles that a form names."""
    return [read_id(text) for text in str(form.get("ids") or "").split(",")[: MOST_AT_ONCE + 1] if text]


def field_id(name: str) -> str:
    """The id of a field of the dialog."""
    return f"many-{name}"
