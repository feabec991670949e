"""A search and its address say the same, and errors in an address are reported, not ignored."""

from urllib.parse import parse_qsl, urlsplit

from hypothesis import given
from hypothesis import strategies as st

from rental_app.schemas.search import SORTS, PageSearch
from rental_app.web.parts.presenters.links import read_query, search_url
from rental_app.web.screens.vehicles.filters_presenter import filters
from tests.support.rows import each

NAMES = st.sampled_from(["", "Gachibowli", "HITEC City", "LB Nagar & more"])
NUMBERS = st.none() | st.integers(0, 90_000)


@given(
    st.builds(
        PageSearch,
        location=NAMES,
        text=st.sampled_from(["", "honda gachibowli", "50% _"]),
        types=st.sampled_from([(), ("Car",), ("Scooter", "Electric")]),
        fuel=st.sampled_from(["", "Petrol"]),
        seats=st.none() | st.integers(1, 12),
        max_price=NUMBERS,
        max_deposit=NUMBERS,
        rating=st.none() | st.sampled_from([1, 3.5, 5.0]),
        delivery=st.booleans(),
        near=st.just("Madhapur"),
        within_km=st.none() | st.sampled_from([0.5, 5, 30.25]),
        sort=st.sampled_from(["", *SORTS]),
        pickup=st.sampled_from(["", "2026-12-01", "2026-12-01T10:00"]),
    )
)
def test_a_search_is_read_back_from_its_address(query: PageSearch) -> None:
    assert read_query(parse_qsl(urlsplit(search_url(query)).query)) == query


@each(
    ("address", "at_fault"),
    [
        ("min_price=500&max_price=300", ["max_price"]),
        ("within_km=5", ["within_km"]),
        ("sort=distance", ["sort"]),
        ("sort=cheap&fuel=Petrol", ["sort"]),
        ("seats=2&seats=4", ["seats"]),
        ("type=Car&type=Scooter", []),
        ("rating=nan", ["rating"]),
        ("rating=6&within_km=1e9&near=Uppal", ["rating", "within_km"]),
        ("max_price=-1&delivery=perhaps", ["delivery", "max_price"]),
        ("q=" + "y" * 5_000, ["q"]),
        ("pickupDate=garbage&returnDate=2026-12-03T10:00", ["pickupDate"]),
        ("pickupDate=2026-13-01&returnDate=2026-12-03T25:00", ["pickupDate", "returnDate"]),
        ("pickupDate=2026-12-01&returnDate=2026-12-03T10:00%2B05:30", []),
        ("utm_source=mail", []),
    ],
)
def test_what_cannot_be_read_is_named(address: str, at_fault: list[str]) -> None:
    assert sorted(read_query(parse_qsl(address)).faults) == at_fault


@each(
    ("address", "chips"),
    [
        ("min_price=500&max_price=300", {"From ₹500": "max_price=300", "Up to ₹300": "min_price=500"}),
        ("min_price=500&max_price=dear", {"From ₹500": "", "Highest price: dear": "min_price=500"}),
        ("seats=many&fuel=Petrol", {"Petrol": "", "Seats: many": "fuel=Petrol"}),
        ("seats=2&seats=4&fuel=Petrol", {"Petrol": "seats=2", "2 seats or more": "fuel=Petrol"}),
        ("sort=cheap&delivery=1", {"Deliver to me": "", "Sorted by: cheap": "delivery=1"}),
        ("within_km=5", {"Distance: 5": ""}),
        ("near=Uppal&within_km=900", {"Near Uppal": "", "Distance: 900": "near=Uppal"}),
        ("type=Car&rating=9", {"Rating: 9": "type=Car"}),
        ("rating=" + "9" * 500, {"Rating: " + "9" * 40: ""}),
        ("pickupDate=garbage&max_price=9", {"Up to ₹9": ""}),
    ],
)
def test_what_cannot_be_read_is_removed_by_its_own_chip_alone(address: str, chips: dict[str, str]) -> None:
    shown = filters(read_query(parse_qsl(address))).chips
    assert {chip.text: chip.href.removeprefix("/vehicles").removeprefix("?") for chip in shown} == chips


def test_the_sheet_holds_what_could_not_be_read() -> None:
    held = filters(read_query(parse_qsl("min_price=500&max_price=300"))).held
    assert (held["min_price"], held["max_price"]) == ("500", "300")
