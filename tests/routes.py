"""The pages' addresses, taken from the route table: a new page is walked by every test that walks pages."""

from rental_app.content.posts import posts
from rental_app.content.routes import ROUTES, Route

# Where a page is one of many, the one that tests look at.
SAMPLES = {
    "/vehicle-details/[vehicle_id]": "/vehicle-details/1",
    "/my-bookings/[reference]": "/my-bookings/PH-4X7K20",
    "/blog/[post]": posts("", "")[0].path,
    "/vendors/[vendor_slug]": "/vendors/sai-kiran-reddy-1",
    "/[city_slug]/bike-rentals": "/gachibowli/bike-rentals",
    "/vendor/bookings/[reference]": "/vendor/bookings/PH-4X7K20",
}


def address(route: Route) -> str:
    """Where a route's page, or one of its kind, is found."""
    return SAMPLES[route.path] if route.varies else route.path


PUBLIC = [address(route) for route in ROUTES if not route.private]
VENDORS = [route.path for route in ROUTES if route.is_vendors and not route.varies]
PERSONAL = [address(route) for route in ROUTES if route.private and not route.is_vendors and route.path != "/404"]
