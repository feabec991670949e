"""The vendor area's pages."""

from rental_app.pages.page import Page
from rental_app.pages.vendor.add_vehicle import add_vehicle
from rental_app.pages.vendor.dashboard import dashboard
from rental_app.pages.vendor.manage_bookings import manage_bookings
from rental_app.pages.vendor.manage_vehicles import manage_vehicles
from rental_app.pages.vendor.profile import profile
from rental_app.settings import settings
from rental_app.states.vendor.gate import GateState

_NAME = settings().product_name

PAGES = (
    Page("/vendor", dashboard, f"Dashboard | {_NAME}", "Your rental business at a glance.", (GateState.enter,)),
    Page("/vendor/profile", profile, f"Profile | {_NAME}", "Your business profile.", (GateState.enter,)),
    Page("/vendor/add-vehicle", add_vehicle, f"Add vehicle | {_NAME}", "List a vehicle.", (GateState.enter,)),
    Page(
        "/vendor/manage-vehicles",
        manage_vehicles,
        f"Manage vehicles | {_NAME}",
        "Your listed vehicles.",
        (GateState.enter,),
    ),
    Page(
        "/vendor/manage-bookings",
        manage_bookings,
        f"Manage bookings | {_NAME}",
        "Bookings of your vehicles.",
        (GateState.enter,),
    ),
)
