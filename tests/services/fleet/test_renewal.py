"""Renewing a paper: the day and the files together, the old file kept, of two at once one."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from rental_app.domain.errors import InvalidInputError, NotFoundError, TooLargeError
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import Vehicle
from rental_app.schemas.fleet import RenewRequest
from rental_app.schemas.validation import validated
from rental_app.schemas.vehicles import VendorVehicle
from rental_app.services.files import uploads
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.files.storage import CheckedFile
from rental_app.services.fleet import own_vehicles, renewal
from tests.support.booking_steps import alter
from tests.support.races import at_once
from tests.support.shop import Shop, actor, open_shop
from tests.support.trips import refusal

LATER = date(2028, 3, 31)


def policy(name: str = "new") -> CheckedFile:
    return CheckedFile("Insurance", f"private/{name}.pdf", "application/pdf", 1, {})


def renew(
    shop: Shop, *files: CheckedFile, until: date = LATER, ahead: Sequence[int] = (), vendor: Any = None, **more: Any
) -> str:
    asked = {"paper": "Insurance", "validUntil": until, "shown": shop.vehicle.insurance_expiry_date} | more
    sent = CheckedUploads(files, ahead={"Insurance": ahead})
    owner = actor(vendor or shop.vendor)
    return write(renewal.renew, owner, shop.vehicle.id or 0, validated(RenewRequest, asked, exact=True), sent)


def now(shop: Shop) -> VendorVehicle:
    return read(own_vehicles.own_vehicle, actor(shop.vendor), shop.vehicle.id or 0)


def test_day_and_file_change_together_and_the_old_file_is_kept(shop: Shop) -> None:
    assert renew(shop, policy("old")) == "Insurance renewed: valid until 31 Mar 2028."
    (old,) = now(shop).files
    upload = write(uploads.store, actor(shop.vendor), policy("new"))
    renew(shop, until=LATER.replace(year=2029), ahead=[upload.id], shown=LATER)
    after = now(shop)
    assert after.insurance_expiry_date == date(2029, 3, 31)
    assert after.pollution_expiry_date == shop.vehicle.pollution_expiry_date
    assert ([file.id for file in after.replaced_files], len(after.files)) == ([old.id], 1)
    assert read(own_vehicles.own_file, actor(shop.vendor), old.id).key == "private/old.pdf"


def test_without_a_file_or_a_later_day_nothing_changes(shop: Shop) -> None:
    same_day: dict[str, Any] = {"until": shop.vehicle.insurance_expiry_date}
    for names, given in ((("Insurance",), dict[str, Any]()), (("validUntil",), same_day)):
        files = [] if "Insurance" in names else [policy()]
        with pytest.raises(InvalidInputError) as refused:
            renew(shop, *files, **given)
        assert tuple(refused.value.fields) == names
    past = refusal("paper_expired", renew, shop, policy(), until=date(2026, 1, 1))
    assert "validUntil" in past.fields
    with pytest.raises(InvalidInputError) as far:
        renew(shop, policy(), until=date(2099, 1, 1))
    assert "validUntil" in far.value.fields
    gone = refusal("upload_gone", renew, shop, ahead=[99_999])
    assert "Insurance" in gone.fields
    with pytest.raises(InvalidInputError) as other:
        renew(shop, policy(), CheckedFile("Front", "public/front.jpg", "image/jpeg", 1, {}))
    assert "Front" in other.value.fields
    assert now(shop).files == []
    assert now(shop).insurance_expiry_date == shop.vehicle.insurance_expiry_date


def test_a_file_that_cannot_be_read_is_said_together_with_the_day(shop: Shop) -> None:
    refused_file = TooLargeError("too large", fields={"Insurance": "too large"})
    sent = CheckedUploads(refused=[refused_file])
    asked = {"paper": "Insurance", "validUntil": "2026-01-01", "shown": shop.vehicle.insurance_expiry_date}
    with pytest.raises(InvalidInputError) as refused:
        write(renewal.renew, actor(shop.vendor), shop.vehicle.id or 0, validated(RenewRequest, asked, exact=True), sent)
    assert set(refused.value.fields) == {"Insurance", "validUntil"}


@pytest.mark.databases
def test_of_two_renewals_at_once_one_wins(shop: Shop) -> None:
    codes = at_once(lambda: renew(shop, policy("one")), lambda: renew(shop, policy("two")))
    assert sorted(codes) == ["", "paper_renewed"]
    assert len(now(shop).files) == 1


def test_what_operators_approve_waits_for_them_again(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings(), "listing_approval", "manual")
    assert renew(shop, policy()).endswith(renewal.WAITS)
    assert not now(shop).is_available
    monkeypatch.setattr(settings(), "listing_approval", "auto")
    alter(Vehicle, shop.vehicle.id, is_approved=False, refusal="The policy is unreadable")
    assert renew(shop, policy("again"), until=LATER.replace(year=2029), shown=LATER).endswith(renewal.WAITS)
    assert read(own_vehicles.own_listing, actor(shop.vendor), shop.vehicle.id or 0).refusal == ""


def test_only_its_vendor_renews_it(shop: Shop) -> None:
    with pytest.raises(NotFoundError):
        renew(shop, policy(), vendor=open_shop("Otherpur").vendor)
