"""The part of a form that its pincode fills."""

from collections.abc import Iterator, Mapping
from typing import Any

import reflex as rx

from rental_app.domain.errors import RentalError
from rental_app.schemas.people import PINCODE_DIGITS
from rental_app.schemas.validation import MISSING
from rental_app.services import catalogue
from rental_app.services.throttle import Caller
from rental_app.web.session.events import error_toast, set_values

# What a look-up fills, by the names of refusals.
_FILLED = ("city", "state", "county")
# What is typed for such a pincode: fields of the form by the names of refusals.
_TYPED = {"state": "state", "county": "district"}
# What is said at state and district of such a pincode.
TYPED = "We do not know this pincode: please type it"


class PincodeForm(rx.State, mixin=True):
    """City, state and district of a form's pincode, and what is wrong with the form."""

    errors: dict[str, str] = {}
    # A pincode that the look-up does not know: its state and district are typed.
    unknown_pincode: str = ""
    # The pincode that was submitted last.
    _judged_pincode: str = ""
    # Whether a look-up has filled the city: one that somebody typed stays.
    _city_filled: bool = False

    def _look_up(self, caller: Caller, field: str, pincode: str, **toast: Any) -> Iterator[Any]:
        """Fill the place once all digits are there; until then, state and district are empty."""
        # An error reported for the submitted text stays, even if the look-up comes later.
        if pincode != self._judged_pincode:
            self.errors = {name: text for name, text in self.errors.items() if name != field}
        yield set_values(state="", district="", **({"city": ""} if self._city_filled else {}))
        self._city_filled, self.unknown_pincode = False, ""
        if len(pincode) != PINCODE_DIGITS:
            return
        try:
            place = catalogue.look_up_pincode(caller, pincode)
        except RentalError as error:
            self._note_pincode(pincode, error)
            self.errors = self.errors | {field: error.message}
            yield error_toast("Failed to fetch location", **toast)
            return
        self._city_filled = True
        if pincode != self._judged_pincode:
            # What is filled in is no longer missing.
            self.errors = {name: text for name, text in self.errors.items() if name not in _FILLED}
        yield set_values(city=place.city, state=place.state.name, district=place.county.name)

    def _note_pincode(self, pincode: str, error: RentalError) -> None:
        """Let state and district be typed if a refusal says that nobody knows the pincode."""
        message = catalogue.no_such_place(pincode)
        if message in (error.message, *error.fields.values()):
            self.unknown_pincode = pincode

    def _asked_place(self, form: Mapping[str, Any], fields: Mapping[str, str]) -> dict[str, str]:
        """The refusals of a form's fields; in place of a pincode that nobody knows, those of state and district."""
        blank = [error for error, name in _TYPED.items() if not str(form.get(name) or "").strip()]
        if not blank or str(form.get("pincode")) != self.unknown_pincode:
            return dict(fields)
        return {name: text for name, text in fields.items() if name != "pincode"} | dict.fromkeys(blank, MISSING)

    def _typed_place(self, form: Mapping[str, Any], pincode: str) -> dict[str, str]:
        """State and district of a form as services take them: what was filled for another pincode is left out."""
        if not pincode or pincode != self.unknown_pincode:
            return {"state": "", "county": ""}
        return {"state": str(form.get("state") or ""), "county": str(form.get("district") or "")}
