"""The vendor's page Profile."""

import reflex as rx

from rental_app.components.vendor_layout import vendor_layout


def profile() -> rx.Component:
    """Profile."""
    return vendor_layout("Profile")
