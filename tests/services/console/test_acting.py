"""The forms of the console's buttons: what is wrong is said at the field that it was typed into."""

from contextlib import suppress

import pytest

from rental_app.domain.errors import InvalidInputError, RentalError
from rental_app.infrastructure.db import write
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import acting as acting_on
from rental_app.services.console import tables
from rental_app.services.console.table import Decision
from tests.support.catalogue_entries import MODEL
from tests.support.console import acting
from tests.support.rows import each
from tests.support.shop import Shop


def wrong_fields(who: Actor, table: str, action: str, answers: dict[str, str]) -> dict[str, str]:
    """What is said at which field of a form; nothing if the form is not what is refused."""
    with suppress(RentalError):
        try:
            write(acting_on.act, who, table, action, Decision(1, "", answers))
        except InvalidInputError as error:
            return dict(error.fields)
    return {}


@each("nonsense", ["", "abc", "-1", "1,2,3,4", "9" * 400, "\x00"])
def test_nonsense_in_a_form_is_named_by_its_fields(nonsense: str, shop: Shop) -> None:
    who = acting()
    for table in tables.every().values():
        for action in table.every_action:
            asked = {field.name for field in action.asks}
            said = wrong_fields(who, table.name, action.name, dict.fromkeys(asked, nonsense))
            if asked:
                assert said.keys() <= asked, (table.name, action.name, said)


@pytest.mark.parametrize(
    ("prices", "field", "words"),
    [
        ({"full_day": "500", "week": "many"}, "week", "Enter an amount in rupees"),
        ({"full_day": "500, 400"}, "full_day", "The most is less than what is recommended"),
        ({"week": "3000"}, "full_day", "Give each plan once, Full Day among them"),
        ({}, "full_day", "Please fill this in"),
    ],
)
def test_a_wrong_price_of_a_model_is_named_by_its_plan(
    prices: dict[str, str], field: str, words: str, shop: Shop
) -> None:
    typed = {name: str(value) for name, value in MODEL.items() if name != "prices"}
    assert wrong_fields(acting(), "models", "add", typed | prices) == {field: words}
