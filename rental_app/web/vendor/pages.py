"""The vendor area's pages."""

from rental_app.web.frame.plain_pages import not_found_for_vendors
from rental_app.web.frame.vendor_state import ShellState
from rental_app.web.parts.page import Binding
from rental_app.web.session.vendor_auth import VendorAuthState
from rental_app.web.vendor.add_vehicle.page import add_vehicle
from rental_app.web.vendor.booking.page import vendor_trip
from rental_app.web.vendor.booking.readings_state import ReadingState
from rental_app.web.vendor.booking.state import VendorTripState
from rental_app.web.vendor.booking.steps_page import handover, return_
from rental_app.web.vendor.calendar.page import calendar
from rental_app.web.vendor.calendar.state import CalendarState
from rental_app.web.vendor.confirm_at_once.page import confirm_at_once
from rental_app.web.vendor.confirm_at_once.state import ConfirmAtOnceState
from rental_app.web.vendor.dashboard.page import dashboard
from rental_app.web.vendor.dashboard.state import DashboardState
from rental_app.web.vendor.earnings.page import earnings
from rental_app.web.vendor.earnings.state import EarningsState
from rental_app.web.vendor.manage_bookings.page import manage_bookings
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState
from rental_app.web.vendor.manage_vehicles.maintenance_state import MaintenanceState
from rental_app.web.vendor.manage_vehicles.page import manage_vehicles
from rental_app.web.vendor.manage_vehicles.renewal_state import RenewState
from rental_app.web.vendor.manage_vehicles.state import FleetState
from rental_app.web.vendor.new_booking.page import new_booking
from rental_app.web.vendor.new_booking.state import NewBookingState
from rental_app.web.vendor.prices.page import prices
from rental_app.web.vendor.prices.rules_state import PriceRulesState
from rental_app.web.vendor.prices.state import PricesState
from rental_app.web.vendor.profile.members_state import MembersState
from rental_app.web.vendor.profile.page import profile
from rental_app.web.vendor.profile.state import ProfileState
from rental_app.web.vendor.reviews.page import vendor_reviews
from rental_app.web.vendor.reviews.state import ReceivedState

_FIRST = (VendorAuthState.enter, ShellState.load)
_FOR_MANAGERS = (VendorAuthState.enter_as_manager, ShellState.load)
_FOR_MEMBERS = (VendorAuthState.enter_as_staff, ShellState.load)
_OF_TRIP = (VendorAuthState.enter_trip, ShellState.load)
_TRIP = (*_FOR_MEMBERS, VendorTripState.load, ReadingState.load)
_FLEET = (FleetState.load, RenewState.arrive, MaintenanceState.arrive)

BINDINGS = {
    "/vendor": Binding(dashboard, (*_FOR_MEMBERS, DashboardState.load)),
    "/vendor/profile": Binding(profile, (*_FIRST, ProfileState.load, MembersState.load)),
    "/vendor/add-vehicle": Binding(add_vehicle, _FOR_MANAGERS),
    "/vendor/manage-vehicles": Binding(manage_vehicles, (*_FOR_MANAGERS, *_FLEET)),
    "/vendor/manage-bookings": Binding(manage_bookings, (*_FOR_MEMBERS, ManageBookingsState.load)),
    "/vendor/calendar": Binding(calendar, (*_FOR_MEMBERS, CalendarState.load)),
    "/vendor/prices": Binding(prices, (*_FOR_MANAGERS, PricesState.load, PriceRulesState.load)),
    "/vendor/earnings": Binding(earnings, (*_FOR_MANAGERS, EarningsState.load)),
    "/vendor/reviews": Binding(vendor_reviews, (*_FOR_MANAGERS, ReceivedState.load)),
    "/vendor/confirm-at-once": Binding(confirm_at_once, (*_FOR_MANAGERS, ConfirmAtOnceState.load)),
    "/vendor/new-booking": Binding(new_booking, (*_FOR_MEMBERS, NewBookingState.load)),
    "/vendor/bookings/[reference]": Binding(vendor_trip, (*_OF_TRIP, VendorTripState.load, ReadingState.load)),
    "/vendor/bookings/[reference]/handover": Binding(handover, _TRIP),
    "/vendor/bookings/[reference]/return": Binding(return_, _TRIP),
    "/vendor/[[...splat]]": Binding(not_found_for_vendors, (ShellState.load,)),
}
