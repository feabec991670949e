"""The vendor area's pages."""

from rental_app.pages.page import Page
from rental_app.pages.vendor.add_vehicle import add_vehicle
from rental_app.pages.vendor.dashboard import dashboard
from rental_app.pages.vendor.manage_bookings import manage_bookings
from rental_app.pages.vendor.manage_vehicles import manage_vehicles
from rental_app.pages.vendor.profile import profile
from rental_app.settings import settings
from rental_app.states.vendor.add_vehicle import AddVehicleState
from rental_app.states.vendor.dashboard import DashboardState
from rental_app.states.vendor.gate import GateState
from rental_app.states.vendor.manage_bookings import ManageBookingsState
from rental_app.states.vendor.manage_vehicles import FleetState
from rental_app.states.vendor.profile import ProfileState
from rental_app.states.vendor.shell import ShellState

_NAME = settings().product_name

PAGES = (
    Page(
        "/vendor",
        dashboard,
        f"Dashboard | {_NAME}",
        "Your rental business at a glance.",
        (GateState.enter, ShellState.load, DashboardState.load),
    ),
    Page(
        "/vendor/profile",
        profile,
        f"Profile | {_NAME}",
        "Your business profile.",
        (GateState.enter, ShellState.load, ProfileState.load),
    ),
    Page(
        "/vendor/add-vehicle",
        add_vehicle,
        f"Add vehicle | {_NAME}",
        "List a vehicle.",
        (GateState.enter, ShellState.load, AddVehicleState.load),
    ),
    Page(
        "/vendor/manage-vehicles",
        manage_vehicles,
        f"Manage vehicles | {_NAME}",
        "Your listed vehicles.",
        (GateState.enter, ShellState.load, FleetState.load),
    ),
    Page(
        "/vendor/manage-bookings",
        manage_bookings,
        f"Manage bookings | {_NAME}",
        "Bookings of your vehicles.",
        (GateState.enter, ShellState.load, ManageBookingsState.load),
    ),
)
