"""The vendor's page Manage Vehicles."""

import reflex as rx

from rental_app.components.vendor_layout import vendor_layout


def manage_vehicles() -> rx.Component:
    """Manage Vehicles."""
    return vendor_layout("Manage Vehicles")
