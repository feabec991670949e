"""The vendor's page Manage Bookings."""

import reflex as rx

from rental_app.components.vendor_layout import vendor_layout


def manage_bookings() -> rx.Component:
    """Manage Bookings."""
    return vendor_layout("Manage Bookings")
