"""What those who work for a vendor may do, in words."""

from typing import NamedTuple

from rental_app.domain.staff import MemberRole


class RoleWords(NamedTuple):
    """A role's name, and what whoever has it may do."""

    name: str
    may: str


ROLES = {
    MemberRole.COUNTER: RoleWords(
        "Counter", "answer requests, make bookings, hand over and receive vehicles, and block dates"
    ),
    MemberRole.MANAGER: RoleWords(
        "Manager",
        "do everything at the counter, look after vehicles, prices, calendars and reviews, and see the earnings",
    ),
}
