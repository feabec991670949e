"""The half-filled form of a new vehicle that an account keeps: one per account, not overwritten, deleted in time."""

from datetime import datetime, timedelta
from functools import partial

import pytest

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, ForbiddenError, InvalidInputError
from rental_app.domain.uploads import FILE_GROUPS, UNCLAIMED_LIVE
from rental_app.infrastructure.db import read, write
from rental_app.models import UnclaimedFile, User
from rental_app.services import maintenance
from rental_app.services.files import uploads
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.fleet import drafts
from tests.conftest import Clock
from tests.support.races import at_once
from tests.support.rest_helpers import listing
from tests.support.shop import Shop, actor, count, open_shop, put

TYPED = {"color": "Sea green", "rc_number": "TS09EC0001", "stands": "vendors"}


def keep(
    user: User, form: dict[str, str], known: datetime | None = None, files: tuple[int, ...] = ()
) -> datetime | None:
    return write(drafts.save, actor(user), form, files, known)


def kept(user: User) -> dict[str, str] | None:
    draft = read(drafts.of, actor(user))
    return draft.typed if draft else None


def send(shop: Shop, group: str, at: datetime) -> int:
    """Add a file uploaded ahead at some time; return its id."""
    row = UnclaimedFile(
        vendor_id=shop.vendor.id, group_name=group, key=f"private/{group}{at}", content_type="image/jpeg", size=9
    )
    row.created_at = at
    return put(row).id or 0


def test_what_was_typed_is_its_vendors_alone_and_blanks_are_no_draft(shop: Shop) -> None:
    blank = {"color": "", "files.RC": "[]", "drop.RC": "", "stands": "vendors", "round": "3"}
    assert keep(shop.vendor, blank) is None
    assert kept(shop.vendor) is None
    since = keep(shop.vendor, blank | TYPED)
    assert kept(shop.vendor) == TYPED
    assert kept(open_shop("Otherpur").vendor) is None
    for service in (drafts.of, drafts.forget):
        with pytest.raises(ForbiddenError):
            write(service, actor(shop.customer))
    with pytest.raises(ForbiddenError):
        keep(shop.customer, TYPED)
    assert keep(shop.vendor, blank, since) is None
    assert count("vehicle_draft") == 0


def test_a_draft_that_went_on_elsewhere_is_not_saved_over(shop: Shop) -> None:
    first = keep(shop.vendor, TYPED)
    second = keep(shop.vendor, TYPED | {"color": "Red"}, first)
    for known in (None, first):
        with pytest.raises(ConflictError) as refused:
            keep(shop.vendor, TYPED, known)
        assert refused.value.code == "draft_elsewhere"
    assert kept(shop.vendor) == TYPED | {"color": "Red"}
    write(drafts.forget, actor(shop.vendor))
    # A device that had the draft before starts it again.
    assert keep(shop.vendor, TYPED, second)


@pytest.mark.databases
def test_of_two_devices_that_save_at_once_one_learns_of_the_other(shop: Shop) -> None:
    colors = ("Red", "Blue", "White")
    outcomes = at_once(*(partial(keep, shop.vendor, {"color": color}) for color in colors))
    assert sorted(outcomes) == ["", "draft_elsewhere", "draft_elsewhere"]
    assert count("vehicle_draft") == 1


def test_too_much_is_refused_and_what_was_kept_stays(shop: Shop) -> None:
    since = keep(shop.vendor, TYPED)
    with pytest.raises(InvalidInputError):
        keep(shop.vendor, {"terms": "x" * drafts.LARGEST}, since)
    assert kept(shop.vendor) == TYPED


def test_files_of_a_draft_live_as_long_as_it_does(shop: Shop, stopped_clock: Clock) -> None:
    named, other = (send(shop, group, clock.now()) for group in ("RC", "Front"))
    stranger = open_shop("Otherpur").vendor
    keep(stranger, TYPED, None, (other,))
    keep(shop.vendor, TYPED, None, (named,))
    stopped_clock.instant += UNCLAIMED_LIVE
    assert write(maintenance.sweep, clock.now()) == [f"private/Front{stopped_clock.instant - UNCLAIMED_LIVE}"]
    stopped_clock.instant += drafts.DRAFTS_LIVE - UNCLAIMED_LIVE - timedelta(seconds=1)
    assert write(maintenance.sweep, clock.now()) == []
    assert [view.id for view in read(uploads.of_ids, actor(shop.vendor), [named])] == [named]
    stopped_clock.instant += timedelta(seconds=1)
    assert len(write(maintenance.sweep, clock.now())) == 1
    assert (count("vehicle_draft"), count("unclaimed_file")) == (0, 0)


def test_listing_ends_the_draft_and_a_refusal_does_not(shop: Shop) -> None:
    ahead = {group: [send(shop, group, clock.now())] for group in FILE_GROUPS}
    keep(shop.vendor, TYPED, None, tuple(upload for (upload,) in ahead.values()))
    with pytest.raises(InvalidInputError):
        write(drafts.submit, actor(shop.vendor), listing(color=""), CheckedUploads(ahead=ahead))
    assert (kept(shop.vendor), count("unclaimed_file")) == (TYPED, len(FILE_GROUPS))
    write(drafts.submit, actor(shop.vendor), listing(), CheckedUploads(ahead=ahead))
    assert (kept(shop.vendor), count("unclaimed_file")) == (None, 0)
