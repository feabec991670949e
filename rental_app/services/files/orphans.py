"""Stored files that no row names: what a crash leaves between storing a file and committing its row."""

import logging
import re
import time
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from itertools import chain

from sqlalchemy import SQLColumnExpression, select
from sqlmodel import Session, col

from rental_app.infrastructure.db import read
from rental_app.models import (
    Booking,
    EventPhoto,
    IdentityPaperFile,
    TripPhoto,
    UnclaimedFile,
    User,
    Vehicle,
    VehicleFile,
)
from rental_app.services.files import storage
from rental_app.services.files.storage import objects_of

# Far longer than any upload is under way.
AGE = timedelta(days=1)
# A crash leaves a few. If far more files are nobody's, this is not their database.
MOST, MOST_PERCENT = 100, 10
# Between two chunks, for whom people wait.
PAUSE_SECONDS = 0.05
MEDIA = "/media/"
_SMALLER = re.compile(r"(?:800|1600)?\.webp$")
_LATER_PAGE = re.compile(r"(-p\d)-\d$")
log = logging.getLogger(__name__)


def sweep(instant: datetime) -> int:
    """Delete files that, at an instant by the store's clock, have been there for a day without a row that names them;
    returns how many there were.

    Opens a short transaction for each chunk of the store's list.
    """
    unnamed: list[str] = []
    total = 0
    for keys in storage.stored_before(instant - AGE):
        unnamed += read(orphaned, keys)
        total += len(keys)
        time.sleep(PAUSE_SECONDS)
    if len(unnamed) > max(MOST, total * MOST_PERCENT // 100):
        log.error("%s of %s stored files are in no row: is this their database? None is deleted", len(unnamed), total)
        return 0
    storage.remove(unnamed)
    return len(unnamed) + storage.drop_unfinished(instant - AGE)


def orphaned(session: Session, keys: Collection[str]) -> list[str]:
    """Which of some objects belong to no file that is named anywhere."""
    left = set(keys)
    for table in (UnclaimedFile, VehicleFile, TripPhoto, EventPhoto, IdentityPaperFile):
        column = col(table.key)
        left -= _belonging(session, column, _files(left))
    # These columns have no index: few objects, mostly pictures of vendors, get here.
    for column in (col(User.image), col(Vehicle.image), col(Booking.booked)["image"].as_string()):
        left -= _belonging(session, column, [f"{MEDIA}{key}" for key in _files(left) if key.startswith("public/")])
    return sorted(left)


def _files(objects: Iterable[str]) -> set[str]:
    """The keys of files that objects may belong to: as they are, as sizes of a photo, as pages of a document."""
    return set(chain.from_iterable((key, _SMALLER.sub(".jpg", key), _LATER_PAGE.sub(r"\1", key)) for key in objects))


def _belonging(session: Session, column: SQLColumnExpression[str], names: Collection[str]) -> set[str]:
    """The objects of those files whose names are in a column."""
    named = session.scalars(select(column).where(column.in_(names))) if names else ()
    return set(chain.from_iterable(objects_of(name.removeprefix(MEDIA)) for name in named))
