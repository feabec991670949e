"""The pages' addresses, taken from the route table: tests that visit all pages include new ones."""

from rental_app.content.posts import posts
from rental_app.content.routes import ROUTES, Route

# Where a route has many pages, the one that tests visit.
SAMPLES = {
    "/vehicle-details/[vehicle_id]": "/vehicle-details/1",
    "/terms/[terms_named]": "/terms/2026-11-29",
    "/vehicle-details/[vehicle_id]/review": "/vehicle-details/1/review",
    "/my-bookings/[reference]": "/my-bookings/PH-4X7K20",
    "/blog/[post]": posts("", "")[0].path,
    "/vendors/[vendor_slug]": "/vendors/sai-kiran-reddy-1",
    "/[city_slug]/bike-rentals": "/gachibowli/bike-rentals",
    "/vendor/bookings/[reference]": "/vendor/bookings/PH-4X7K20",
    "/vendor/bookings/[reference]/handover": "/vendor/bookings/PH-4X7K20/handover",
    "/vendor/bookings/[reference]/return": "/vendor/bookings/PH-4X7K20/return",
    "/operator/words/[words_key]": "/operator/words/faq",
    "/operator/[table_name]": "/operator/people",
    "/operator/[table_name]/[row_id]": "/operator/people/1",
}


def address(route: Route) -> str:
    """Return the address of a route's page, or of one of its pages."""
    return SAMPLES[route.path] if route.varies else route.path


PUBLIC = [address(route) for route in ROUTES if not route.private]
VENDORS = [route.path for route in ROUTES if route.is_vendors and not route.varies]
OPERATORS = [address(route) for route in ROUTES if route.is_operators]
# A guest's page has no address before a booking is made: its own tests visit it.
_ELSEWHERE = ("/404", "/trip/[secret]")
PERSONAL = [
    address(route)
    for route in ROUTES
    if route.private and not route.is_vendors and not route.is_operators and route.path not in _ELSEWHERE
]
