"""Half-filled forms of new vehicles that an account keeps: titled, limited, not overwritten, deleted in time."""

from datetime import timedelta
from functools import partial

import pytest

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from rental_app.domain.retention import period
from rental_app.domain.uploads import FILE_GROUPS
from rental_app.infrastructure.db import read, write
from rental_app.models import UnclaimedFile, User, VehicleDraft, VehiclePrice
from rental_app.schemas.drafts import LARGEST, DraftView
from rental_app.services import maintenance
from rental_app.services.files import uploads
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.fleet import drafts
from tests.conftest import Clock
from tests.support.races import at_once
from tests.support.rest_helpers import listing
from tests.support.shop import Shop, a_model, actor, add_vehicle, count, open_shop, put

TYPED = {"color": "Sea green", "rc_number": "TS09EC0001", "stands": "vendors"}


def begin(user: User, form: dict[str, str] = TYPED, like: int | None = None) -> DraftView:
    return write(drafts.begin, actor(user), form, like)


def save(user: User, draft: DraftView, form: dict[str, str], edition: int | None = None) -> DraftView:
    return write(drafts.save, actor(user), draft.id, form, edition or draft.edition)


def kept(user: User, draft: DraftView) -> dict[str, str]:
    return read(drafts.one, actor(user), draft.id).fields


def send(shop: Shop, group: str) -> int:
    """Add a file uploaded ahead; return its id."""
    at = clock.now()
    row = UnclaimedFile(
        vendor_id=shop.vendor.id, group_name=group, key=f"private/{group}{at}", content_type="image/jpeg", size=9
    )
    row.created_at = at
    return put(row).id or 0


def naming(*files: tuple[str, int]) -> dict[str, str]:
    return {f"files.{group}": f'[{{"id": {upload}, "name": "a.jpg"}}]' for group, upload in files}


def test_what_was_typed_is_its_vendors_alone(shop: Shop) -> None:
    stranger = open_shop("Otherpur").vendor
    draft = begin(shop.vendor, {"color": "", "files.RC": "[]", "round": "3"} | TYPED)
    assert kept(shop.vendor, draft) == TYPED
    assert read(drafts.of_vendor, actor(stranger)) == []
    with pytest.raises(NotFoundError):
        kept(stranger, draft)
    with pytest.raises(NotFoundError):
        save(stranger, draft, {})
    with pytest.raises(NotFoundError):
        write(drafts.remove, actor(stranger), draft.id)
    with pytest.raises(NotFoundError):
        begin(stranger, {}, shop.vehicle.id)
    for act in (
        lambda: read(drafts.of_vendor, actor(shop.customer)),
        lambda: kept(shop.customer, draft),
        lambda: begin(shop.customer),
        lambda: save(shop.customer, draft, {}),
        lambda: write(drafts.remove, actor(shop.customer), draft.id),
    ):
        with pytest.raises(ForbiddenError):
            act()
    assert kept(shop.vendor, draft) == TYPED


def test_drafts_are_called_by_model_and_number_and_listed_by_when_they_were_saved(
    shop: Shop, stopped_clock: Clock
) -> None:
    today = clock.indian(clock.now())
    blank = begin(shop.vendor, {})
    stopped_clock.instant += timedelta(hours=1)
    numbered = begin(shop.vendor)
    stopped_clock.instant += timedelta(hours=1)
    model = begin(shop.vendor, {"model": str(a_model()[2])} | TYPED)
    assert model.title.endswith(" TS09EC0001")
    assert model.title.partition(" TS")[0] in {"Honda Activa 6G", "Honda Activa 125"}
    for nonsense in ("x", "9" * 30, "999999"):
        assert begin(shop.vendor, {"model": nonsense}).title.startswith("Draft of ")
    stopped_clock.instant += timedelta(days=1)
    save(shop.vendor, blank, {"color": "Red"})
    titles = [draft.title for draft in read(drafts.of_vendor, actor(shop.vendor))]
    assert titles[0] == f"Draft of {today.day} {today:%b}"
    assert titles[-2:] == [model.title, numbered.title]
    assert numbered.title == "TS09EC0001"


def test_a_draft_that_went_on_elsewhere_is_not_saved_over(shop: Shop) -> None:
    first = begin(shop.vendor)
    second = save(shop.vendor, first, TYPED | {"color": "Red"})
    with pytest.raises(ConflictError) as refused:
        save(shop.vendor, first, TYPED)
    assert refused.value.code == "draft_elsewhere"
    assert kept(shop.vendor, first) == TYPED | {"color": "Red"}
    write(drafts.remove, actor(shop.vendor), first.id)
    with pytest.raises(NotFoundError):
        save(shop.vendor, second, TYPED)


@pytest.mark.databases
def test_of_two_devices_that_save_at_once_one_learns_of_the_other(shop: Shop) -> None:
    draft = begin(shop.vendor)
    outcomes = at_once(*(partial(save, shop.vendor, draft, {"color": color}) for color in ("Red", "Blue", "White")))
    assert sorted(outcomes) == ["", "draft_elsewhere", "draft_elsewhere"]


@pytest.mark.databases
def test_a_draft_that_is_deleted_while_it_is_saved_is_saved_before_or_not_at_all(shop: Shop) -> None:
    for _ in range(10):
        form = naming(("RC", send(shop, "RC")), ("Front", send(shop, "Front")))
        draft = begin(shop.vendor, naming(("Back", send(shop, "Back"))))
        saving, deleting = at_once(
            partial(save, shop.vendor, draft, form), partial(write, drafts.remove, actor(shop.vendor), draft.id)
        )
        assert (saving in ("", "unknown_draft"), deleting) == (True, "")
        assert read(drafts.of_vendor, actor(shop.vendor)) == []


@pytest.mark.databases
def test_there_are_two_hundred_however_many_are_begun_at_once(shop: Shop) -> None:
    rows = [{"color": f"Red {number}"} for number in range(drafts.MOST_DRAFTS - 1)]
    assert len(write(drafts.add_all, actor(shop.vendor), rows)) == drafts.MOST_DRAFTS - 1
    outcomes = at_once(*(partial(begin, shop.vendor) for _ in range(3)))
    assert sorted(outcomes) == ["", "too_many_drafts", "too_many_drafts"]
    assert write(drafts.add_all, actor(shop.vendor), rows[:2]) == []
    assert len(read(drafts.of_vendor, actor(shop.vendor))) == drafts.MOST_DRAFTS
    begin(open_shop("Otherpur").vendor)


def test_too_much_is_refused_and_what_was_kept_stays(shop: Shop) -> None:
    draft = begin(shop.vendor)
    with pytest.raises(InvalidInputError):
        save(shop.vendor, draft, {"terms": "x" * LARGEST})
    with pytest.raises(InvalidInputError):
        save(shop.vendor, draft, {"files.RC": "[5]"})
    assert kept(shop.vendor, draft) == TYPED


def test_files_of_a_draft_live_as_long_as_it_does(shop: Shop, stopped_clock: Clock) -> None:
    named, other = send(shop, "RC"), send(shop, "Front")
    begin(open_shop("Otherpur").vendor, naming(("Front", other)))
    begin(shop.vendor, naming(("RC", named)))
    waits = period("unclaimed_file").lasts
    stopped_clock.instant += waits
    assert write(maintenance.sweep, clock.now()) == [f"private/Front{stopped_clock.instant - waits}"]
    stopped_clock.instant += period("listing_draft").lasts - waits - timedelta(seconds=1)
    assert write(maintenance.sweep, clock.now()) == []
    assert [view.id for view in read(uploads.of_ids, actor(shop.vendor), [named])] == [named]
    stopped_clock.instant += timedelta(seconds=1)
    assert len(write(maintenance.sweep, clock.now())) == 1
    assert (count("listing_draft"), count("unclaimed_file")) == (0, 0)


def test_the_draft_of_the_version_before_ends_too(shop: Shop, stopped_clock: Clock) -> None:
    put(VehicleDraft(vendor_id=shop.vendor.id, typed=TYPED, saved_at=clock.now()))
    stopped_clock.instant += period("listing_draft").lasts
    write(maintenance.sweep, clock.now())
    assert count("vehicle_draft") == 0


def test_listing_ends_the_draft_and_a_refusal_does_not(shop: Shop) -> None:
    ahead = {group: [send(shop, group)] for group in FILE_GROUPS}
    other = begin(shop.vendor, {"color": "Pink"})
    draft = begin(shop.vendor, TYPED | naming(*((group, upload) for group, (upload,) in ahead.items())))
    sent = CheckedUploads(ahead=ahead)
    with pytest.raises(InvalidInputError):
        write(drafts.submit, actor(shop.vendor), listing(color=""), sent, draft.id)
    assert len(read(drafts.of_vendor, actor(shop.vendor))) == 2
    assert count("unclaimed_file") == len(FILE_GROUPS)
    write(drafts.submit, actor(shop.vendor), listing(), sent, draft.id)
    assert count("unclaimed_file") == 0
    assert [row.id for row in read(drafts.of_vendor, actor(shop.vendor))] == [other.id]


def test_a_draft_like_a_vehicle_has_all_but_what_is_that_ones_alone(shop: Shop) -> None:
    vehicle = add_vehicle(
        shop.vendor,
        terms="No racing",
        drop_off_pick_extra_payment=True,
        drop_off_paise=150_50,
        address="7 Lake Road",
        zip_code="500032",
    )
    put(VehiclePrice(vehicle_id=vehicle.id or 0, price_name="Week", price_paise=3_000_00, status="Inactive"))
    put(UnclaimedFile(vendor_id=shop.vendor.id, group_name="RC", key="private/x", content_type="image/jpeg", size=9))
    form = begin(shop.vendor, {"color": "Red"}, vehicle.id).fields
    assert form.pop("color") == "Red", "what is sent along counts more"
    for own in ("rc_number", "engine_number", "chassis_number", "odometer_reading"):
        assert own not in form
    assert not [name for name in form if name.endswith("_date") or name.startswith("files.")]
    assert form["model"] == "1"
    assert (form["security_deposit"], form["late_penalty_per_hour"], form["terms"]) == ("2000", "50", "No racing")
    assert (form["drop_off_pick_extra_payment"], form["drop_off_payment"]) == ("true", "150.5")
    assert (form["stands"], form["address"], form["zipCode"]) == ("elsewhere", "7 Lake Road", "500032")
    prices = {name: text for name, text in form.items() if name.startswith("prices.")}
    assert prices == {
        "prices.0.price_name": "Full Day",
        "prices.0.price": "500",
        "prices.0.kms_limit": "100",
        "prices.0.status": "Active",
        "prices.1.price_name": "Week",
        "prices.1.price": "3000",
        "prices.1.kms_limit": "0",
    }
    at_vendors = begin(shop.vendor, {}, shop.vehicle.id).fields
    assert at_vendors["stands"] == "vendors"
    assert not at_vendors.keys() & {"address", "zipCode", "drop_off_pick_extra_payment"}
    assert begin(shop.vendor).edition == 1
