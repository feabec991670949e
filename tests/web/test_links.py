"""Where the links for vehicle owners lead."""

import pytest

from rental_app.infrastructure.settings import settings
from rental_app.web.parts.links import vendor_link


def test_without_a_vendor_site_they_lead_to_our_own_page() -> None:
    link = str(vendor_link("List your vehicle", ""))
    assert "/list-your-vehicle" in link
    assert "_blank" not in link


def test_with_one_they_open_it_in_a_new_tab(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings(), "vendor_site_url", "https://vendors.example.com")
    link = str(vendor_link("List your vehicle", ""))
    for said in ("https://vendors.example.com", "_blank", "noopener", "(opens in a new tab)"):
        assert said in link
