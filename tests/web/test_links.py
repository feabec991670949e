"""Where the links for vehicle owners lead, and what the links to call somebody are."""

import re

import pytest
import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.web.frame.footer import footer
from rental_app.web.parts.links import vendor_link
from rental_app.web.screens.vehicle_details.page import what_is_covered


def test_without_a_vendor_site_they_lead_to_our_own_page() -> None:
    link = str(vendor_link("List your vehicle", ""))
    assert "/list-your-vehicle" in link
    assert "_blank" not in link


def test_with_one_they_open_it_in_a_new_tab(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings(), "vendor_site_url", "https://vendors.example.com")
    link = str(vendor_link("List your vehicle", ""))
    for said in ("https://vendors.example.com", "_blank", "noopener", "(opens in a new tab)"):
        assert said in link


def test_no_link_to_call_us_has_blanks_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of vendors and customers are stored without blanks; ours is written as people read it."""
    monkeypatch.setattr(settings(), "support_phone", "+91 40-4567 8900")
    for part in (footer(rx.fragment()), what_is_covered()):
        assert re.findall(r'"(tel:[^"]*)"', str(part)) == ["tel:+914045678900"]
