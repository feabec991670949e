"""The part of a form that its pincode fills."""

from collections.abc import Iterator
from typing import Any

import reflex as rx

from rental_app.errors import RentalError
from rental_app.schemas.people import PINCODE_DIGITS
from rental_app.services import catalogue
from rental_app.services.throttle import Caller
from rental_app.states.events import error_toast, set_values


class PincodeForm(rx.State, mixin=True):
    """City, state and district of a form's pincode, and what is wrong with the form."""

    errors: dict[str, str] = {}
    # The pincode that was submitted last.
    _judged_pincode: str = ""
    # Whether a look-up has filled the city: one that somebody typed stays.
    _city_filled: bool = False

    def _look_up(self, caller: Caller, field: str, pincode: str, **toast: Any) -> Iterator[Any]:
        """Fill the place once all digits are there; state and district, which nobody types, are empty until then."""
        # An error reported for the submitted text stays, even if the look-up comes later.
        if pincode != self._judged_pincode:
            self.errors = {name: text for name, text in self.errors.items() if name != field}
        yield set_values(state="", district="", **({"city": ""} if self._city_filled else {}))
        self._city_filled = False
        if len(pincode) != PINCODE_DIGITS:
            return
        try:
            place = catalogue.look_up_pincode(caller, pincode)
        except RentalError as error:
            self.errors = self.errors | {field: error.message}
            yield error_toast("Failed to fetch location", **toast)
            return
        self._city_filled = True
        yield set_values(city=place.city, state=place.state.name, district=place.county.name)
