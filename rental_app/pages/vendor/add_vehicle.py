"""The vendor's page Add New Vehicle."""

import reflex as rx

from rental_app.components.vendor_layout import vendor_layout


def add_vehicle() -> rx.Component:
    """Add New Vehicle."""
    return vendor_layout("Add New Vehicle")
