"""The numbers of the shop in the console: typed, with what they come to, refused at their field, and saved."""

from rental_app.infrastructure.db import read
from rental_app.models import User
from rental_app.services import policies
from rental_app.web.operator.words_presenter import ORDER, SEEN
from rental_app.web.operator.words_state import WordsState
from tests.support.console import operator
from tests.support.page_states import page_of
from tests.support.rows import each
from tests.support.shop import Shop
from tests.support.state_tabs import answers, journey


async def opened(who: User) -> WordsState:
    page = await page_of(who, WordsState, "/operator/words/numbers")
    await answers(page.load())
    await answers(page.take_draft(""))
    return page


def form(page: WordsState, **typed: str) -> dict[str, str]:
    """The form as a browser sends it, with some numbers typed."""
    (row,) = page.rows
    shown = {field.name: field.value for field in row.fields}
    return shown | {f"0.{name}": text for name, text in typed.items()} | {ORDER: page.order, SEEN: str(page.seen)}


@journey
async def test_each_number_says_what_it_is_and_what_it_comes_to(shop: Shop) -> None:
    page = await opened(operator())
    fields = {field.name.removeprefix("0."): field for field in page.rows[0].fields}
    assert (fields["earlyHours"].heading, fields["earlyHours"].value) == ("Cancelling", "72")
    assert (fields["speedingFine"].unit, fields["speedingFine"].value) == ("₹", "100")
    assert "RENTAL_MAX_VEHICLES says 200" in fields["maxVehicles"].hint
    assert not any(effect.changed for effect in page.preview.effects)
    await answers(page.show_typed(form(page, earlyPercent="40", speedingFine="0", graceMinutes="90")))
    changed = {effect.label: (effect.before, effect.after) for effect in page.preview.effects if effect.changed}
    assert changed == {
        "₹2,000 paid, cancelled early": (
            "₹500 kept, more than 72 hours before the pickup",
            "₹800 kept, more than 72 hours before the pickup",
        ),
        "Back an hour late, at ₹50 an hour": ("₹50", "nothing"),
        "Speeding once": ("₹100", "nothing"),
    }
    assert [(line.sign, line.text) for line in page.preview.changes][:2] == [
        ("-", "Kept early: 25 %"),
        ("+", "Kept early: 40 %"),
    ]


@journey
async def test_numbers_are_saved_and_in_force(shop: Shop) -> None:
    page = await opened(operator())
    await answers(page.save(form(page, secondHelmet="₹1,250.50", commission="7.5 %", reviewDays=" 21 ")))
    assert page.errors == {}
    now = read(policies.current)
    assert (now.second_helmet, now.commission_bps, now.review_days) == (125_050, 750, 21)
    assert page.history[0].number == 1
    assert "+₹1250.5" not in page.history[0].summary


@each(
    ("name", "typed", "message"),
    [
        ("speedingFine", "99.999", "Enter at most two decimals"),
        ("speedingFine", "-1", "Enter an amount between ₹0 and ₹10,000"),
        ("earlyHours", "", "Enter a number"),
        ("earlyHours", "3", "Early is longer before the pickup than late"),
        ("maxVehicles", "many", "Enter a whole number"),
    ],
)
def test_a_wrong_number_is_marked_and_nothing_is_saved(shop: Shop, name: str, typed: str, message: str) -> None:
    @journey
    async def steps() -> None:
        page = await opened(operator())
        await answers(page.save(form(page, **{name: typed})))
        assert page.errors == {f"0.{name}": message}
        assert read(policies.current) == policies.first()

    steps()


@journey
async def test_an_older_tab_is_shown_both_and_loses_nothing(shop: Shop) -> None:
    older, newer = await opened(operator()), await opened(operator())
    await answers(newer.save(form(newer, graceMinutes="30")))
    await answers(older.save(form(older, graceMinutes="45")))
    assert older.conflict
    assert any(line.text == "Late hours begin after: 45 minutes" for line in older.conflict.here)
    assert read(policies.current).grace_minutes == 30
    await answers(older.keep_own())
    await answers(older.save(form(older, graceMinutes="45")))
    assert read(policies.current).grace_minutes == 45
