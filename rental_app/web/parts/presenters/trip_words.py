"""What is in an account, and what is shown and read at the vehicle, as people say it."""

from rental_app.content import account_words
from rental_app.domain import account, clock, handover
from rental_app.domain.money import counted
from rental_app.domain.settlement import fuel_missing
from rental_app.schemas.trips import Happening, LedgerLine, ReadingView

METHODS = account_words.METHODS
PAPERS = {
    "government_id": "Government ID",
    "licence": "Driving licence",
    "work_proof": "Work proof",
    "residence_proof": "Residence proof",
}


def line_time(line: LedgerLine) -> str:
    """When a line was written, after the day on which the money was paid if that was an earlier one."""
    written = clock.friendly(line.at)
    return f"{clock.friendly_day(line.paid_on)}, noted {written}" if line.paid_on else written


def event_time(event: Happening) -> str:
    """When something happened, as the customer reads it: with when it was noted, if that was later."""
    return handover.both_times(event.happened_at, event.at, f"the {event.by}")


def entry_label(line: LedgerLine) -> str:
    """What a line of the account is: 'Rent', 'Rent, reversed', or 'Rent, restored' if that was reversed, too."""
    word = account_words.word_of(line.kind)
    if line.reverses is None:
        return word
    return f"{word}, reversed" if account.takes_back(line.kind, line.amount) else f"{word}, restored"


def fuel_text(reading: ReadingView, before: ReadingView | None = None) -> str:
    """The fuel or charge: '3/4'; at a return, with what is missing since the handover `before` it."""
    missing = fuel_missing(before.fuel_eighths, reading.fuel_eighths) if before else 0
    return ", ".join(text for text in (eighths(reading.fuel_eighths), fuel_less(missing)) if text)


def fuel_less(missing: int) -> str:
    """Missing eighths in words: '4 eighths less than at the handover'; blank for none."""
    return f"{counted(missing, 'eighth')} less than at the handover" if missing else ""


def eighths(count: int) -> str:
    """Fuel or charge as people say it: 'Full', '3/4', '5/8', 'Empty'."""
    words = {0: "Empty", 2: "1/4", 4: "1/2", 6: "3/4", 8: "Full"}
    return words.get(count, f"{count}/8")
