"""Listings are built from rows by position: a kind's fields are its columns in order, verdicts last."""

import pytest
from sqlalchemy import literal

from rental_app.models import Listing, ListingInFull, OwnListing, listings


@pytest.mark.parametrize(
    ("kind", "verdicts"), [(Listing, []), (ListingInFull, []), (OwnListing, ["is_available", "is_priced"])]
)
def test_a_row_fills_the_fields_it_was_selected_for(kind: type[Listing], verdicts: list[str]) -> None:
    wanted = listings(kind, *[literal(True).label(name) for name in verdicts])
    assert [column.name for column in wanted.selected_columns] == list(kind.__match_args__)
