"""The search form: what it starts with and what it says."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.hours import OpeningHours
from rental_app.schemas.search import PageSearch
from rental_app.schemas.wire import read_window
from rental_app.web.parts.presenters.links import wall_text, walls, window_of

# The ids of the form's elements, by the names of their URL parameters.
FIELDS = {"pickupLocation": "search-location", "pickupDate": "search-pickup", "returnDate": "search-return"}
NO_PROBLEMS = dict.fromkeys(FIELDS, "")


def earliest_return(pickup: str) -> str:
    """24 hours after a pickup, both as wall-clock text; '' when there is none."""
    window = window_of(pickup, pickup)
    return wall_text(window.pickup + clock.MIN_LENGTH) if window else ""


def automatic_return(pickup: str, closing_days: Sequence[str] = ()) -> str:
    """The return that follows from a pickup, both as wall-clock text; '' when there is none."""
    window = window_of(pickup, pickup)
    hours = OpeningHours(closing_days=frozenset(closing_days))
    return wall_text(hours.return_after(window.pickup)) if window else ""


def moved_line(wished: str, moved: str) -> str:
    """Why a return moved from one wall-clock text to another: the shortest rental."""
    before, after = window_of(wished, moved), clock.MIN_LENGTH // clock.HOUR
    if before is None:
        return ""
    return f"The return moved to {clock.friendly(before.return_at)}: a rental takes {after} hours at least"


def check(query: PageSearch, choice: str) -> None:
    """Refuse a search without dates or a choice of place, or that no vendor could serve; raises InvalidInputError."""
    read_window(query.pickup, query.return_at)
    if not choice:
        message = "Please select a location"
        raise InvalidInputError(message, code="location_missing", fields={"pickupLocation": message})
    if window := window_of(query.pickup, query.return_at):
        clock.check_window(window, clock.now())


def problems(error: InvalidInputError) -> dict[str, str]:
    """What is wrong with each of the form's fields."""
    # The REST search has a different name for a locality than addresses have.
    texts = {"pickupLocation" if name == "location" else name: text for name, text in error.fields.items()}
    return {name: texts.get(name, "") for name in FIELDS}


def duration(pickup: str, return_at: str) -> str:
    """The badge: how long a rental between two wall-clock texts is; '' when it is none."""
    window = window_of(pickup, return_at)
    return window.label if window and window.return_at > window.pickup else ""


def window_line(pickup: str, return_at: str) -> str:
    """A window of wall-clock texts in one line: 'Sat 28 Nov, 10 AM – Mon 30 Nov, 10 AM'."""
    window = window_of(pickup, return_at)
    return f"{clock.friendly(window.pickup)} – {clock.friendly(window.return_at)}" if window else "Any dates"


def dates_line(pickup: str, return_at: str) -> str:
    """What the form has of a window, in one line; without a return it asks for one, without a pickup for both."""
    if not pickup:
        return "Add dates"
    start = window_of(pickup, pickup)
    return window_line(pickup, return_at) if return_at or not start else f"{clock.friendly(start.pickup)} – add return"


@dataclass(frozen=True, slots=True)
class SearchForm:
    """What the form shows; times are wall-clock text."""

    pickup: str
    return_at: str
    errors: dict[str, str] = field(default_factory=NO_PROBLEMS.copy)

    @property
    def return_from(self) -> str:
        """The earliest return on offer."""
        return earliest_return(self.pickup)

    @property
    def duration(self) -> str:
        """How long the rental is."""
        return duration(self.pickup, self.return_at)

    @property
    def dates_line(self) -> str:
        """Its dates in one line."""
        return dates_line(self.pickup, self.return_at)


def search_form(query: PageSearch, error: InvalidInputError | None = None) -> SearchForm:
    """The form for an address, and what is wrong with it; without a pickup in the address, it is the next full hour."""
    pickup, return_at = walls(query)
    pickup = pickup or wall_text(clock.default_pickup(clock.now()))
    return SearchForm(pickup, return_at, problems(error) if error else NO_PROBLEMS)
