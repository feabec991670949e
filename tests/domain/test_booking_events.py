"""Every event of a booking has everything an event has, and code names events by their enum."""

import ast
from pathlib import Path

import rental_app
from rental_app.content.account_words import KINDS
from rental_app.content.messages import CUSTOMER, VENDOR, WORDS
from rental_app.domain.account import LedgerKind
from rental_app.domain.booking_events import MEANINGS, STEPS, EventKind, meaning_of
from rental_app.domain.bookings import BookingStatus, TripStage
from tests.support.rows import each

ROOT = Path(rental_app.__file__).parent
MONEY = (LedgerKind.PAYMENT, LedgerKind.REFUND, LedgerKind.DEPOSIT_TAKEN, LedgerKind.DEPOSIT_RETURNED)
# Words that are nothing but events; the others are also statuses, stages or kinds of lines.
NOTHING_ELSE = {kind.value for kind in EventKind} - {*BookingStatus, *TripStage, *MONEY}


@each("what", EventKind)
def test_an_event_means_something(what: EventKind) -> None:
    meaning = MEANINGS[what]
    assert meaning.word
    for side in (CUSTOMER, VENDOR):
        assert ((what, side) in WORDS) == (side in meaning.recipients), (
            f"write to a side what it is told in WORDS: {side}"
        )
    if meaning.valid_while:
        assert meaning.recipients
        assert meaning.valid_while.status in (BookingStatus.PENDING, BookingStatus.CONFIRMED, BookingStatus.CANCELLED)
        assert set(meaning.valid_while.stages) <= {
            TripStage.BOOKED,
            TripStage.OUT,
            TripStage.RETURNED,
            TripStage.SETTLED,
            TripStage.NO_SHOW,
        }


def test_the_table_has_the_events_and_no_others() -> None:
    assert list(MEANINGS) == list(EventKind)
    assert list(STEPS.values()) == ["Requested", "Confirmed", "Picked up", "Returned", "Settled"]


def test_money_that_changes_hands_is_called_in_timelines_as_in_accounts() -> None:
    assert {kind: KINDS[kind] for kind in MONEY} == {kind: MEANINGS[kind].word for kind in MONEY}


def test_an_event_of_a_later_version_is_shown_by_its_name_and_nothing_follows_from_it() -> None:
    assert meaning_of("blessed") == ("Blessed", *meaning_of("x")[1:])
    assert not any(meaning_of("blessed")[1:])


def test_events_are_named_by_the_enum() -> None:
    modules = [path for part in ("services", "content", "seed", "schemas") for path in (ROOT / part).rglob("*.py")]
    # Names the states of proposals, which end in words that are also events.
    modules.remove(ROOT / "services" / "bookings" / "proposals.py")
    for path in [*modules, *(ROOT / "web").rglob("*presenter*.py"), *(ROOT / "web/parts/presenters").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value.partition(".")[0] not in NOTHING_ELSE, f"say EventKind: {path}:{node.lineno}"
