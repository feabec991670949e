"""What a vendor has to do about bookings, as Today lists it."""

from datetime import timedelta
from enum import StrEnum

# Money that is open for longer is no matter of tonight; Manage Bookings has it under "To settle".
MONEY_FOR = timedelta(days=60)


class DueToday(StrEnum):
    """What is to be done; addresses and clients have the values, so they stay as they are."""

    ANSWER = "answer"
    GOING_OUT = "going_out"
    COMING_BACK = "coming_back"
    OVERDUE = "overdue"
    MONEY = "money"
    OBJECTIONS = "objections"


# In words, as a filter says it.
DUE_WORDS: dict[str, str] = {
    DueToday.ANSWER: "To answer",
    DueToday.GOING_OUT: "Going out today",
    DueToday.COMING_BACK: "Coming back today",
    DueToday.OVERDUE: "Overdue",
    DueToday.MONEY: "Money due",
    DueToday.OBJECTIONS: "Objections open",
}
