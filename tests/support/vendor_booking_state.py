"""A vendor's booking in a tab."""

import json

from reflex.istate.data import ReflexURL, RouterData

from rental_app.domain.uploads import trip_upload
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.booking.readings_state import ReadingState
from rental_app.web.vendor.booking.state import VendorTripState
from tests.support.shop import Shop
from tests.support.state_tabs import tab_of, told
from tests.support.trips import send


async def page_of(token: str, ref: object) -> tuple[VendorTripState, ReadingState]:
    """Load a booking's page in a fresh tab."""
    page = await tab_of(None, VendorTripState)
    (await page.get_state(SessionState)).token = token
    page._get_root_state().router = RouterData(url=ReflexURL(f"http://localhost:3000/vendor/bookings/{ref}"))
    steps = await page.get_state(ReadingState)
    await told(page.load())
    await told(steps.load())
    return page, steps


def files(shop: Shop, *groups: str) -> dict[str, str]:
    """Return the hidden fields of uploaded photos."""
    return {f"files.{trip_upload(group)}": json.dumps([send(shop, group)]) for group in groups}
