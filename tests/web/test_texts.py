"""Counts in words: one is singular, whatever is counted."""

from rental_app.domain.money import counted
from rental_app.schemas.search import PageSearch
from rental_app.web.parts.presenters.texts import kilometres_a_day
from rental_app.web.screens.vehicles.filters_presenter import filters
from rental_app.web.screens.vehicles.presenter import count_line
from rental_app.web.vendor.manage_vehicles import presenter
from tests.support.rows import each


@each(
    ("said", "text"),
    [
        (counted(1, "seat"), "1 seat"),
        (kilometres_a_day(1200), "1,200 km a day"),
        (kilometres_a_day(0), "Unlimited"),
        (counted(0, "seat"), "0 seats"),
        (counted(1200, "more locality", "more localities"), "1,200 more localities"),
        (counted(1, "more locality", "more localities"), "1 more locality"),
        (count_line(1, 1), "Showing 1 vehicle"),
        (count_line(24, 1200), "Showing 24 of 1,200 vehicles"),
        (presenter.count_line(1, 1, 1, 1), "1 vehicle"),
        (presenter.count_line(60, 60, 20, 1200), "1,181 to 1,200 of 1,200 vehicles"),
    ],
)
def test_counted_things(said: str, text: str) -> None:
    assert said == text


@each(("least", "chips"), [(1, ["1 seat or more", "1 star or more"]), (4, ["4 seats or more", "4 stars or more"])])
def test_filters_of_one(least: int, chips: list[str]) -> None:
    found = filters(PageSearch(seats=least, rating=least))
    assert [chip.text for chip in found.chips] == chips
    assert (f"{least} or more", chips[1]) == (
        next(choice.label for choice in found.seats if choice.value == f"{least}"),
        next(choice.label for choice in found.ratings if choice.value == f"{least}"),
    )
