"""The vendor area's pages."""

from rental_app.pages.page import Binding
from rental_app.pages.plain import not_found_for_vendors
from rental_app.pages.vendor.add_vehicle import add_vehicle
from rental_app.pages.vendor.calendar import calendar
from rental_app.pages.vendor.dashboard import dashboard
from rental_app.pages.vendor.earnings import earnings
from rental_app.pages.vendor.manage_bookings import manage_bookings
from rental_app.pages.vendor.manage_vehicles import manage_vehicles
from rental_app.pages.vendor.prices import prices
from rental_app.pages.vendor.profile import profile
from rental_app.pages.vendor.reviews import vendor_reviews
from rental_app.pages.vendor.trip import vendor_trip
from rental_app.states.vendor.calendar import CalendarState
from rental_app.states.vendor.dashboard import DashboardState
from rental_app.states.vendor.earnings import EarningsState
from rental_app.states.vendor.gate import GateState
from rental_app.states.vendor.manage_bookings import ManageBookingsState
from rental_app.states.vendor.manage_vehicles import FleetState
from rental_app.states.vendor.members import MembersState
from rental_app.states.vendor.price_rules import PriceRulesState
from rental_app.states.vendor.prices import PricesState
from rental_app.states.vendor.profile import ProfileState
from rental_app.states.vendor.reviews import ReceivedState
from rental_app.states.vendor.shell import ShellState
from rental_app.states.vendor.trip import VendorTripState
from rental_app.states.vendor.trip_readings import ReadingState

_FIRST = (GateState.enter, ShellState.load)
_FOR_MEMBERS = (GateState.enter_as_staff, ShellState.load)

BINDINGS = {
    "/vendor": Binding(dashboard, (*_FOR_MEMBERS, DashboardState.load)),
    "/vendor/profile": Binding(profile, (*_FIRST, ProfileState.load, MembersState.load)),
    "/vendor/add-vehicle": Binding(add_vehicle, _FIRST),
    "/vendor/manage-vehicles": Binding(manage_vehicles, (*_FIRST, FleetState.load)),
    "/vendor/manage-bookings": Binding(manage_bookings, (*_FOR_MEMBERS, ManageBookingsState.load)),
    "/vendor/calendar": Binding(calendar, (*_FOR_MEMBERS, CalendarState.load)),
    "/vendor/prices": Binding(prices, (*_FIRST, PricesState.load, PriceRulesState.load)),
    "/vendor/earnings": Binding(earnings, (*_FIRST, EarningsState.load)),
    "/vendor/reviews": Binding(vendor_reviews, (*_FIRST, ReceivedState.load)),
    "/vendor/bookings/[reference]": Binding(vendor_trip, (*_FOR_MEMBERS, VendorTripState.load, ReadingState.load)),
    "/vendor/[[...splat]]": Binding(not_found_for_vendors, (ShellState.load,)),
}
