"""A search and its address say the same, and errors in an address are reported, not ignored."""

from urllib.parse import parse_qsl, urlsplit

from hypothesis import given
from hypothesis import strategies as st

from rental_app.schemas.shop import SORTS, ShopQuery
from rental_app.views.links import read_query, search_url
from tests.rows import each

NAMES = st.sampled_from(["", "Gachibowli", "HITEC City", "LB Nagar & more"])
NUMBERS = st.none() | st.integers(0, 90_000)


@given(
    st.builds(
        ShopQuery,
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
def test_a_search_is_read_back_from_its_address(query: ShopQuery) -> None:
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
