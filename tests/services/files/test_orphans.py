"""Files that a crash left behind are deleted after a day; no other ever is."""

import asyncio
import os
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import Session, col, select, update

from rental_app import rental_app
from rental_app.domain.pictures import WIDE
from rental_app.domain.uploads import AVATAR
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, User, VehicleFile
from rental_app.services.files import orphans, storage, uploads
from rental_app.services.files.storage import CheckedFile, objects_of
from tests.support.rest_helpers import stored
from tests.support.shop import Shop, actor, count

LATER = timedelta(days=1, minutes=1)


def photo(ending: str = WIDE, group: str = "Front") -> CheckedFile:
    """A photo of all sizes, as uploads are stored."""
    key = f"public/{uuid.uuid4().hex}{ending}"
    return CheckedFile(group, key, "image/jpeg", 1, {name: b"x" for name in objects_of(key)})


def put(file: CheckedFile) -> CheckedFile:
    """Store a file as a process does that is killed before its row is committed."""
    with storage.storing([file]):
        return file


def crash() -> CheckedFile:
    return put(photo())


def keep(shop: Shop, file: CheckedFile) -> CheckedFile:
    with storage.storing([file]):
        write(uploads.store, actor(shop.vendor), file)
    return file


@pytest.mark.databases
def test_only_old_files_that_nothing_names_are_deleted(shop: Shop) -> None:
    """Smaller sizes stay with their photo, and a picture with the booking or the person that shows it."""
    waiting, older = keep(shop, photo()), keep(shop, photo(".jpg", "Left"))
    avatar, booked, listed = put(photo(group=AVATAR)), put(photo()), put(photo())
    write(uploads.set_avatar, actor(shop.vendor), avatar)
    snapshot = read(lambda session: session.scalars(select(Booking).limit(1)).one())
    changed = update(Booking).where(col(Booking.id) == snapshot.id)
    write(Session.execute, changed.values(booked=snapshot.booked | {"image": booked.public_path}))
    row = VehicleFile(
        vehicle_id=shop.vehicle.id or 0, group_name="Front", key=listed.key, content_type="image/jpeg", size=1
    )
    write(lambda session: session.add(row))
    kept, orphan = stored(), crash()
    paper = put(CheckedFile("RC", "private/paper", "application/pdf", 1, {"private/paper": b"x"}))
    assert orphans.sweep(datetime.now(UTC)) == 0
    assert stored() == kept | set(orphan.objects) | set(paper.objects)
    assert orphans.sweep(datetime.now(UTC) + LATER) == len(orphan.objects) + 1 == 5
    assert stored() == kept >= {*waiting.objects, *older.objects, *avatar.objects, *booked.objects, *listed.objects}
    assert orphans.sweep(datetime.now(UTC) + LATER) == 0


def test_each_process_sweeps_by_itself(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rental_app, "HOUR_SECONDS", 0)
    kept = stored()
    crash()
    monkeypatch.setattr(orphans, "AGE", -timedelta(minutes=1))
    asyncio.run(rental_app._sweep_files())
    assert stored() == kept


def test_what_a_killed_write_left_of_a_file_goes_too(shop: Shop) -> None:
    waiting = keep(shop, photo())
    folder = settings().data_dir / "files"
    half, young = folder / f"{waiting.key}#1", folder / "private" / "paper#12"
    for path in (half, young):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x")
    yesterday = (datetime.now(UTC) - LATER).timestamp()
    os.utime(half, (yesterday, yesterday))
    assert orphans.sweep(datetime.now(UTC)) == 1
    assert (half.exists(), young.exists()) == (False, True)
    assert stored() >= set(waiting.objects)


def test_the_files_of_another_database_are_left_alone(
    shop: Shop, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a copy of the shop is tried out with the shop's own files."""
    monkeypatch.setattr(orphans, "MOST", 10)
    for _ in range(3):
        crash()
    before = stored()
    assert orphans.sweep(datetime.now(UTC) + LATER) == 0
    assert stored() == before
    assert "are in no row: is this their database?" in caplog.text


def test_what_is_not_ours_is_left_alone(shop: Shop) -> None:
    folder = settings().data_dir / "files"
    for name in ("notes.txt", "public/deeper/photo.jpg", "other/photo.jpg"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    assert orphans.sweep(datetime.now(UTC) + LATER) == 0
    assert len([path for path in Path(folder).rglob("*") if path.is_file()]) >= 3


def test_the_demos_photos_belong_to_it(shop: Shop) -> None:
    named = read(lambda session: session.scalars(select(VehicleFile.key)).all())
    assert len(named) == count("vehicle_file") > 0
    everything = [name for key in named for name in objects_of(key)]
    assert read(orphans.orphaned, everything) == []
    images = read(lambda session: session.scalars(select(User.image).where(col(User.image) != "")).all())
    assert read(orphans.orphaned, [image.removeprefix("/media/") for image in images]) == []
