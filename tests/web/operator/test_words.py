"""The words of the shop in the console without a browser: rows, drafts, saves over each other, undo."""

import json

from rental_app.infrastructure.db import read, write
from rental_app.models import User
from rental_app.services import words
from rental_app.web.operator.words_presenter import NOTE, ORDER, SEEN
from rental_app.web.operator.words_state import ADD, SAVE, WordsState
from tests.support.console import operator
from tests.support.page_states import page_of
from tests.support.shop import Shop, actor
from tests.support.state_tabs import answers, journey

RULES = "house_rules"


async def opened(who: User, key: str = RULES, stored: str | None = None) -> WordsState:
    page = await page_of(who, WordsState, f"/operator/words/{key}")
    await answers(page.load())
    await answers(page.start())
    await answers(page.take_draft(stored))
    return page


def form(page: WordsState, **typed: str) -> dict[str, str]:
    """The form as a browser sends it, with the fields of some rows typed, by their numbers: `r1`."""
    shown = {field.name: field.value for row in page.rows for field in row.fields}
    own = {page.rows[int(row[1:]) - 1].fields[0].name: text for row, text in typed.items() if row != NOTE}
    return shown | own | {ORDER: page.order, SEEN: str(page.seen), NOTE: typed.get(NOTE, "")}


@journey
async def test_rows_are_added_moved_and_removed_and_saved_in_their_order(shop: Shop) -> None:
    page = await opened(operator())
    first, second, third = (row.id for row in page.rows)
    await answers(page.move(first, 1))
    await answers(page.remove(third))
    await answers(page.add())
    assert [row.id for row in page.rows[:2]] == [second, first]
    assert [(row.number, row.is_last) for row in page.rows] == [(1, False), (2, False), (3, True)]
    # Beyond the ends, or of no row, nothing moves.
    for row, by in ((second, -1), (page.rows[2].id, 1), ("9x9", 1), (first, 5)):
        await answers(page.move(row, by))
    await answers(page.save(form(page, r1="One", r2="Two", r3="Three", note="Shorter")))
    saved = read(words.newest, RULES)
    assert (saved.value, saved.note) == (["One", "Two", "Three"], "Shorter")
    assert page.history[0].note == "Shorter"
    assert [line.sign for line in page.history[0].changes] == ["-", "-", "-", "+", "+", "+"]
    assert page.seen == 1


@journey
async def test_no_more_rows_are_added_than_there_may_be(shop: Shop) -> None:
    page = await opened(operator())
    for _ in range(7):
        await answers(page.add())
    assert "At most 10" in str(await answers(page.add()))
    assert len(page.rows) == 10


@journey
async def test_the_keyboard_stays_beside_the_row_that_moves_or_goes(shop: Shop) -> None:
    page = await opened(operator())
    first, second, third = (row.id for row in page.rows)
    for row, by, button in ((first, 1, "down"), (first, 1, "up"), (first, -1, "up"), (first, -1, "down")):
        assert f"{row}-{button}" in str(await answers(page.move(row, by)))
    assert f"{third}-remove" in str(await answers(page.remove(second)))
    assert f"{first}-remove" in str(await answers(page.remove(third)))
    assert ADD in str(await answers(page.remove(first)))


@journey
async def test_the_keyboard_goes_to_the_first_wrong_number_and_stays_at_the_button(shop: Shop) -> None:
    page = await opened(operator(), "numbers")
    wrong = form(page) | {"0.earlyHours": "1", "0.speedingFine": "1.005"}
    assert '"0.earlyHours"' in str(await answers(page.save(wrong))).replace("\\", "")
    for act in (page.save(form(page) | {"0.speedingFine": "150"}), page.take_theirs()):
        assert SAVE in str(await answers(act))


@journey
async def test_what_the_tab_has_kept_is_filled_in_again_with_the_version_it_began_with(shop: Shop) -> None:
    who = operator()
    page = await opened(who)
    kept = json.dumps(form(page, r1="Typed before"))
    write(words.put, actor(who), RULES, ["Saved elsewhere"], 0)
    again = await opened(who, stored=kept)
    assert (again.rows[0].fields[0].value, again.seen, len(again.rows)) == ("Typed before", 0, 3)
    await answers(again.save(form(again)))
    assert again.conflict is not None
    assert [line.text for line in again.conflict.there] == ["Saved elsewhere"]
    assert again.conflict.here[0].text == "Typed before"
    assert read(words.newest, RULES).value == ["Saved elsewhere"]
    await answers(again.keep_own())
    await answers(again.save(form(again, r1="Typed before")))
    assert read(words.newest, RULES).value[0] == "Typed before"


@journey
async def test_drafts_that_no_tab_can_have_kept_are_ignored(shop: Shop) -> None:
    who = operator()
    for stored in (None, "", "[1]", "{", '{"order": 5}', '{"order": "../x,<b>"}', "[" * 5000):
        page = await opened(who, stored=stored)
        assert (len(page.rows), page.seen) == (3, 0)


@journey
async def test_an_earlier_version_is_put_in_force_again_and_what_is_typed_stays(shop: Shop) -> None:
    who = operator()
    write(words.put, actor(who), RULES, ["One"], 0)
    write(words.put, actor(who), RULES, ["Two"], 1)
    page = await opened(who)
    await answers(page.ask_undo(1))
    await answers(page.undo(None))
    saved = read(words.newest, RULES)
    assert (saved.version, saved.value, saved.note) == (3, ["One"], "Back to version 1")
    assert page.rows[0].fields[0].value == "One"
    await answers(page.ask_undo(2))
    typed = form(page, r1="Half typed")
    rows = page.rows
    await answers(page.undo(json.dumps(typed)))
    assert read(words.newest, RULES).value == ["Two"]
    # Its save will be told that another version is in force.
    assert (page.rows, page.seen) == (rows, 3)


@journey
async def test_what_is_typed_is_shown_as_the_pages_will_and_what_is_wrong_at_its_field(shop: Shop) -> None:
    page = await opened(operator(), "faq")
    typed = form(page, r1="Is {product} nice?")
    await answers(page.show_typed(typed))
    assert page.preview is not None
    assert page.preview.questions[0].text == "Is Pahiya nice?"
    assert page.preview.questions[0].points[0] == "One government ID: PAN or Aadhaar"
    assert [line.sign for line in page.preview.changes] == ["-", "+"]
    answer = page.rows[1].fields[1].name
    await answers(page.show_typed(typed | {answer: "{nothing}"}))
    assert list(page.errors) == [answer]
    assert "{nothing}" in page.preview.problem
    await answers(page.save(typed | {answer: ""}))
    assert list(page.errors) == [answer]
    assert read(words.newest, "faq").version == 0


@journey
async def test_there_is_nothing_to_edit_under_another_name(shop: Shop) -> None:
    page = await page_of(operator(), WordsState, "/operator/words/privacy")
    await answers(page.load())
    assert (page.missing, page.subject) == (True, None)
    for event in (page.save({ORDER: "0", "0.text": "x"}), page.add(), page.undo(None), page.take_draft("{}")):
        await answers(event)
