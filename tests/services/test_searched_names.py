"""Names are found however their letters are written: in the console, and among a vendor's bookings and vehicles."""

import pytest
from pydantic import TypeAdapter

from rental_app.infrastructure.db import read
from rental_app.models import User, Vehicle
from rental_app.schemas.bookings import BookingFilter
from rental_app.schemas.fleet import FleetQuery
from rental_app.schemas.people import Name
from rental_app.schemas.validation import validated
from rental_app.services.bookings import lists
from rental_app.services.console import lists as console_lists
from rental_app.services.console.lists import ListQuery
from rental_app.services.fleet import table
from tests.support.booking_steps import alter, book
from tests.support.console import acting
from tests.support.shop import Shop, actor, wanted

pytestmark = pytest.mark.databases
# Typed at a sign-up, and later in a search.
SAME = [
    ("\u092e\u0939\u0947\u0936 \u0917\u0922\u093c\u0935\u093e\u0932", "\u0917\u095d\u0935\u093e\u0932"),
    ("\u0917\u095d\u0935\u093e\u0932", "\u0917\u0922\u093c\u0935\u093e\u0932"),
    ("\u09ae\u09df\u09a8\u09be \u09b8\u09c7\u09a8", "\u09ae\u09af\u09bc\u09a8\u09be"),
    ("\u0c15\u0c48\u0c32\u0c3e\u0c37\u0c4d \u0c30\u0c3e\u0c35\u0c41", "\u0c15\u0c46\u0c56\u0c32\u0c3e\u0c37\u0c4d"),
    ("\u0baa\u0bca\u0ba9\u0bcd\u0ba9\u0bbf", "\u0baa\u0bc6\u0bbe\u0ba9\u0bcd\u0ba9\u0bbf"),
    ("Zoe\u0308 Fernandes", "Zo\u00eb"),
    ("Zo\u00eb \u00c9mile", "\u00c9mil"),
    (
        "\u0c05\u0c28\u0c3f\u0c32\u0c4d\u200c\u0c15\u0c41\u0c2e\u0c3e\u0c30\u0c4d",
        "\u0c05\u0c28\u0c3f\u0c32\u0c4d\u0c15\u0c41\u0c2e\u0c3e\u0c30\u0c4d",
    ),
    (
        "\u0c05\u0c28\u0c3f\u0c32\u0c4d\u0c15\u0c41\u0c2e\u0c3e\u0c30\u0c4d",
        "\u0c05\u0c28\u0c3f\u0c32\u0c4d\u200c\u0c15\u0c41\u0c2e\u0c3e\u0c30\u0c4d",
    ),
    ("\u0d1c\u0d4b\u0d7a", "\u0d1c\u0d4b\u0d23\u0d4d\u200d"),
    ("\u0d1c\u0d4b\u0d23\u0d4d\u200d", "\u0d1c\u0d4b\u0d7a"),
]
OTHERS = [("\u0c38\u0c41\u0c30\u0c47\u0c37\u0c4d", "\u0c38\u0c41\u0c30\u0c47\u0c36\u0c4d")]


def test_a_name_is_found_in_every_encoding_of_its_letters(shop: Shop) -> None:
    book(shop.customer, wanted(shop.vehicle))
    operator, missed = acting(), []
    for typed, looked_for in SAME + OTHERS:
        name = TypeAdapter(Name).validate_python(typed)
        alter(User, shop.customer.id, name=name)
        alter(Vehicle, shop.vehicle.id, color=name)
        found = {
            "people": read(console_lists.page, operator, "people", ListQuery(q=looked_for)).total,
            "bookings": read(console_lists.page, operator, "bookings", ListQuery(q=looked_for)).total,
            "vendor": len(
                read(lists.of_vendor, actor(shop.vendor), None, validated(BookingFilter, {"text": looked_for})).items
            ),
            "vehicles": len(read(table.table, actor(shop.vendor), FleetQuery(text=looked_for)).vehicles),
        }
        missed += [(name, where) for where, many in found.items() if many != ((typed, looked_for) in SAME)]
    assert missed == []
