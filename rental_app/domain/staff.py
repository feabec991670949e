"""Whoever works in a vendor's business besides the vendor, and what that lets them do."""

from enum import StrEnum


class MemberRole(StrEnum):
    """What a member does for their vendor."""

    # Bookings, handovers, the calendar and its blocks.
    COUNTER = "counter"
    # Everything but bank, UPI ID, GST, change requests, members, the account and what is exported.
    MANAGER = "manager"
