"""The reasons for which a vendor declines a request, as the customer reads them."""

from typing import Literal

Reason = Literal["", "unavailable", "repair", "times", "other"]
REASONS: dict[Reason, str] = {
    "unavailable": "The vehicle is not available on these dates",
    "repair": "The vehicle needs repair",
    "times": "The pickup or return time does not suit",
    "other": "Another reason",
}
