"""The vendor's business profile."""

from collections.abc import AsyncIterator
from typing import Any

from sqlmodel import Session

from rental_app.domain.clock import WEEKDAYS
from rental_app.domain.errors import RentalError
from rental_app.schemas.accounts import ProfileUpdate, UserView
from rental_app.schemas.validation import ticked
from rental_app.schemas.wire import MAX_LONG_TEXT
from rental_app.services import catalogue
from rental_app.services.accounts import profile
from rental_app.services.accounts.actor import Actor
from rental_app.web.parts.presenters.texts import lines
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.events import error_toast, focus, success_toast
from rental_app.web.session.handlers import one_at_a_time
from rental_app.web.session.pincode import PincodeForm
from rental_app.web.session.vendor_auth import vendor_action, vendor_change, vendor_load
from rental_app.web.vendor.profile.presenter import ProfilePage, profile_page

# The form's fields in their order on the page.
FIELDS = (
    "address",
    "landmark",
    "zipCode",
    "city",
    "state",
    "county",
    "service_location",
    "booking_contact_no",
    "booking_whatsapp_no",
    "upi_id",
    "no_of_staff",
    "no_of_years",
    "website",
    "google_maps_link",
    "open_time",
    "close_time",
    "closing_days",
    "gst_name",
    "gst_number",
    "gst_rate",
    "notes",
)
REQUIRED = ("address", "zipCode", "city")


class ProfileState(PincodeForm, PrivateState):
    """The profile shown, and what is wrong with the form that changes it."""

    profile: ProfilePage | None = None
    problem: str = ""
    # The names of all banks, as one text, and how many there are.
    banks: str = ""
    bank_count: int = 0
    banks_failed: bool = False
    editing: bool = False
    busy: bool = False
    terms: list[str] = []
    # Which opening of the form is current: what was typed into an earlier one may still arrive after it was closed.
    opening: int = 0

    @vendor_load
    async def load(self, actor: Actor) -> AsyncIterator[Any]:
        """Show the profile; a form being filled in stays as it is."""
        if not self.editing:
            self.profile, self.problem = profile_page(await read(profile.profile, actor)), ""
        if not self.banks:
            yield
            yield await self._load_banks(actor)

    def _failed(self, message: str) -> None:
        self.problem = "" if self.profile else message

    async def _load_banks(self, actor: Actor) -> Any:
        try:
            names = [bank.name for bank in await read(catalogue.banks, actor)]
        except RentalError:
            self.banks_failed = True
            return error_toast("Failed to load bank names")
        self.banks, self.bank_count, self.banks_failed = " · ".join(names), len(names), False
        return None

    @vendor_action
    async def edit(self, actor: Actor) -> None:
        """Open the form on the profile as it is now."""
        self.profile = profile_page(await read(profile.profile, actor))
        self.terms, self.errors, self.editing = self.profile.terms, {}, True
        self.opening, self._city_filled = self.opening + 1, False
        self.unknown_pincode = "" if catalogue.is_known(self.profile.pincode) else self.profile.pincode

    @vendor_action
    async def cancel(self, actor: Actor) -> None:
        """Close the form, forget what was typed and show what is stored; every visit to the page starts with this."""
        self.editing, self.errors = False, {}
        self.profile = profile_page(await read(profile.profile, actor))

    @vendor_action
    async def preview_terms(self, _actor: Actor, opening: int, notes: str) -> None:
        """Number the terms while they are typed."""
        if self._typed_in(opening):
            self.terms = lines(notes[:MAX_LONG_TEXT])

    @vendor_action
    async def look_up_pincode(self, actor: Actor, opening: int, pincode: str) -> AsyncIterator[Any]:
        """Fill city, state and district from the pincode."""
        for event in self._look_up(actor, "zipCode", pincode) if self._typed_in(opening) else ():
            yield event

    @vendor_change
    @one_at_a_time
    async def save(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Save the form; refusals are explained beside their fields, and nothing typed is lost."""
        pincode = str(form.get("zipCode"))
        self.errors, self._judged_pincode = {}, pincode
        yield
        try:
            self.profile = profile_page(await write(_update, actor, _sent(form | self._typed_place(form, pincode))))
        except RentalError as error:
            self.errors = {name: error.fields[name] for name in FIELDS if name in error.fields}
            self._note_pincode(pincode, error)
            if self.errors:
                yield focus(next(iter(self.errors)))
            raise
        self.editing = False
        yield success_toast(profile.UPDATED)

    def _typed_in(self, opening: int) -> bool:
        return self.editing and opening == self.opening


def _update(session: Session, actor: Actor, form: ProfileUpdate) -> UserView:
    profile.update_profile(session, actor, form, typed=True)
    return profile.profile(session, actor)


def _sent(form: dict[str, Any]) -> ProfileUpdate:
    """The form's text as a profile; raises InvalidInputError naming the fields at fault."""
    closing_days = [day for day in WEEKDAYS if ticked(form, f"closed_{day}")]
    delivery = ticked(form, "delivery_supported")
    return profile.read_profile(form | {"closing_days": closing_days, "delivery_supported": delivery})
