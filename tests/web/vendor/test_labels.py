"""Labels are for people: renaming one breaks nothing."""

import pytest

from rental_app.domain import pricing
from rental_app.domain.errors import InvalidInputError
from rental_app.infrastructure.db import read
from rental_app.schemas.listing import MissingFieldsError, require_fields
from rental_app.schemas.search import PageSearch
from rental_app.schemas.validation import refuse_together
from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.screens.compare import presenter
from rental_app.web.screens.vehicle_details import presenter as details
from tests.support.booking_steps import book, decide
from tests.support.page_states import vehicle_page
from tests.support.shop import DAILY_PAISE, VISITOR, Shop, add_vehicle, moment, wanted
from tests.support.state_tabs import journey
from tests.support.trips import preview


@journey
async def test_the_head_of_a_vehicles_page_needs_no_label(shop: Shop) -> None:
    car = (await vehicle_page(shop, None)).car
    assert car
    renamed = car.model_copy(update={"summary": [], "renting": []})
    assert details.head(renamed) == details.head(car)
    assert car.deposit in details.head(renamed).description


def test_vehicles_are_compared_fact_by_fact(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    other = add_vehicle(shop.vendor)
    asked = f"{shop.vehicle.id},{other.id}"
    before = read(presenter.comparison, VISITOR, asked, PageSearch()).rows
    monkeypatch.setattr(presenter, "Fact", lambda label, value: Fact(label="Renamed", value=value))
    after = read(presenter.comparison, VISITOR, asked, PageSearch()).rows
    assert [row.texts for row in after] == [row.texts for row in before]


def test_an_extension_finds_its_extras_under_another_label(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    booking = book(shop.customer, wanted(shop.vehicle, length=2).model_copy(update={"extras": ["helmet"]}))
    decide(shop.vendor, booking.id, "confirmed")
    monkeypatch.setitem(pricing.EXTRA_LABELS, "helmet", "One more helmet")
    assert preview(shop.customer, booking.reference, moment(6)).total == booking.price + DAILY_PAISE


def test_blanks_are_named_by_what_they_are_and_not_by_the_refusals_text() -> None:
    with pytest.raises(MissingFieldsError) as blank:
        refuse_together(lambda: require_fields({}), _refuse_another)
    assert "another" in blank.value.fields
    assert (len(blank.value.missing), "another" in blank.value.missing) == (17, False)


def _refuse_another() -> None:
    raise InvalidInputError("Another", fields={"another": "Please fill this in"})
