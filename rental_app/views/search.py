"""The search form: what it starts with and what it says."""

from dataclasses import dataclass

from rental_app.rules import clock
from rental_app.views.links import Query, wall_text, window_of


def earliest_return(pickup: str) -> str:
    """24 hours after a pickup, both as wall-clock text; '' when there is none."""
    window = window_of(pickup, pickup)
    return wall_text(window.pickup + clock.MIN_LENGTH) if window else ""


def duration(pickup: str, return_at: str) -> str:
    """The badge: how long a rental between two wall-clock texts is; '' when it is none."""
    window = window_of(pickup, return_at)
    return window.label if window and window.return_at > window.pickup else ""


@dataclass(frozen=True, slots=True)
class SearchForm:
    """What the form shows; times are wall-clock text."""

    location: str
    pickup: str
    return_at: str

    @property
    def return_from(self) -> str:
        """The earliest return on offer."""
        return earliest_return(self.pickup)

    @property
    def duration(self) -> str:
        """How long the rental is."""
        return duration(self.pickup, self.return_at)


def search_form(query: Query) -> SearchForm:
    """The form for an address: with what that asks for, else with the next full hour as the pickup."""
    pickup = query.pickup or wall_text(clock.default_pickup(clock.now()))
    return SearchForm(query.location, pickup, query.return_at)
