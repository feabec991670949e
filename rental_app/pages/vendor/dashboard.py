"""The vendor's page Dashboard."""

import reflex as rx

from rental_app.components.vendor_layout import vendor_layout


def dashboard() -> rx.Component:
    """Dashboard."""
    return vendor_layout("Dashboard")
