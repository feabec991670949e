"""Calendars of other platforms, imported as blocks every half hour (docs/architecture/calendars.md)."""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import case, delete, func, literal, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.clock import Window
from rental_app.domain.errors import ConflictError, NotFoundError, RentalError
from rental_app.domain.free_windows import UNKNOWN, TakenWindows, with_last, without
from rental_app.domain.money import counted
from rental_app.infrastructure import db
from rental_app.models import Block, Booking, IcalImport, Vehicle
from rental_app.schemas.calendars import ImportRequest, ImportView
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, own_ids, require_manager, require_own
from rental_app.services.calendar.blocks import FARTHEST, booked_over
from rental_app.services.calendar.ical.process_client import CalendarReading, read
from rental_app.services.files.safe_http import MOST_AT_A_TIME, FetchError, SafeClient, as_https, check_address, host_of
from rental_app.services.search.eligibility import in_fleet

log = logging.getLogger(__name__)
PAUSE, LONGEST_PAUSE = timedelta(minutes=30), timedelta(hours=6)
# The most for one vehicle, and for one vendor: other vendors' calendars wait behind them.
MOST, MOST_OF_VENDOR = 5, 200
# How many of a vendor are fetched or read at a time, among those of others: a host may keep each waiting.
AT_A_TIME_OF_VENDOR = 2
# As many processes read calendars at a time as a small machine has cores for; of one vendor, one does.
PROCESSES = 2
# For how long a calendar that falls due may go unseen while others are being fetched.
LOOK_SECONDS = 1.0
MOST_SHOWN = 20
FAILED = "The calendar could not be read"
ADDED = "The calendar will be imported within a minute"


class DueCalendar(NamedTuple):
    """A calendar that this process is about to import."""

    id: int
    vendor_id: int
    url: str


def add(session: Session, actor: Actor, request: ImportRequest) -> ImportView:
    """Import a calendar of another platform as blocks of one of the actor's vehicles, from the next minute on.

    Raises ForbiddenError, InvalidInputError (URL), NotFoundError (vehicle) and ConflictError (duplicate, too many).
    """
    throttle.count("change", actor)
    require_manager(actor)
    url = as_https(request.url)
    check_address(url)
    require_own(session, actor, request.vehicle, lock=True)
    urls = session.scalars(select(col(IcalImport.url)).where(col(IcalImport.vehicle_id) == request.vehicle)).all()
    if url in urls:
        raise ConflictError("This calendar is already being imported", code="known_calendar")
    if len(urls) >= MOST:
        message = f"{MOST} calendars are read for this vehicle, which is the limit: remove one first"
        raise ConflictError(message, code="too_many_calendars")
    count = select(func.count()).select_from(IcalImport).join(Vehicle).where(col(Vehicle.vendor_id) == actor.vendor)
    if session.execute(count).scalar_one() >= MOST_OF_VENDOR:
        message = f"{MOST_OF_VENDOR} calendars are read for you, which is the limit: remove one first"
        raise ConflictError(message, code="too_many_calendars")
    row = IcalImport(vehicle_id=request.vehicle, url=url, due_at=clock.now(), clashes=[])
    session.add(row)
    session.flush()
    # Addresses of calendars are secrets of theirs: only the host is written down.
    after = {"vehicle": request.vehicle, "source": host_of(url)[0]}
    audit.record(session, actor, Act.IMPORT_ADDED, ("calendar_import", row.id or 0), after=after)
    return _view(row)


def of_vendor(session: Session, actor: Actor) -> list[ImportView]:
    """The calendars imported for the actor's vehicles. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_manager(actor)
    imports = (
        select(IcalImport).join(Vehicle).where(col(Vehicle.vendor_id) == actor.vendor).order_by(col(IcalImport.id))
    )
    return [_view(row) for row in session.scalars(imports)]


def remove(session: Session, actor: Actor, import_id: int) -> str:
    """Stop importing a calendar and remove its blocks. Raises ForbiddenError and NotFoundError."""
    throttle.count("change", actor)
    require_manager(actor)
    own = select(col(IcalImport.id)).where(
        col(IcalImport.id) == import_id, col(IcalImport.vehicle_id).in_(own_ids(actor))
    )
    if session.execute(own.with_for_update()).first() is None:
        raise NotFoundError("There is no such calendar", code="unknown_calendar")
    session.execute(delete(Block).where(col(Block.import_id) == import_id))
    session.execute(delete(IcalImport).where(col(IcalImport.id) == import_id))
    audit.record(session, actor, Act.IMPORT_REMOVED, ("calendar_import", import_id))
    return "The calendar is no longer read"


def _view(row: IcalImport) -> ImportView:
    return ImportView(
        id=row.id or 0,
        vehicle=row.vehicle_id,
        url=row.url,
        source=host_of(row.url)[0],
        fetched_at=row.fetched_at,
        error=row.error,
        unread=row.unread or [],
        clashes=len(row.clashes),
    )


class Importer:
    """Imports the calendars that are due. None waits for a slow one, unless both are of the same vendor."""

    def __init__(self, outside: SafeClient | None = None) -> None:
        """`outside` is what the calendars are fetched with."""
        self._outside = outside or SafeClient()
        self._running: dict[asyncio.Task[None], int] = {}
        self._processes = asyncio.Semaphore(PROCESSES)
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    @property
    def is_importing(self) -> bool:
        """Whether calendars are being imported."""
        return bool(self._running)

    async def step(self) -> int:
        """Start to import what is due as far as there is room, and wait until some are done, or LOOK_SECONDS.

        Returns how many were started. Raises RentalError if the database fails.
        """
        due = await db.run(db.write, claim, clock.now(), Counter(self._running.values()))
        for calendar in due:
            self._running[asyncio.create_task(self._import(calendar))] = calendar.vendor_id
        if self._running:
            await asyncio.wait(self._running, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        self._forget([task for task in self._running if task.done()])
        return len(due)

    def _forget(self, done: Sequence[asyncio.Task[None]]) -> None:
        for task in done:
            del self._running[task]
        for vendor_id in {*self._turns} - {*self._running.values()}:
            del self._turns[vendor_id]
        for task in done:
            task.result()

    async def _import(self, calendar: DueCalendar) -> None:
        """Replace a calendar's blocks with its current entries; a failure of one does not affect the others."""
        try:
            body = await self._outside.fetch(calendar.url)
            async with self._turns[calendar.vendor_id], self._processes:
                # May take a minute, during which no database thread is occupied.
                reading = await asyncio.to_thread(read, body, clock.now())
            await db.run(db.write, apply, calendar.id, reading, clock.now())
        except FetchError as error:
            log.warning("calendar %s could not be read: %s", calendar.id, error)
            await db.run(db.write, note, calendar.id, str(error))
        except RentalError:
            raise
        except Exception:
            log.exception("calendar %s could not be taken", calendar.id)
            await db.run(db.write, note, calendar.id, FAILED)


def claim(session: Session, instant: datetime, running: Mapping[int, int]) -> list[DueCalendar]:
    """Claim calendars that are due, so that no other process does, until after the pause that follows a failure.

    `running` says how many of which vendor (by id) are being imported here: who has fewest comes first.
    """
    due = col(IcalImport.due_at) <= instant
    order = (col(IcalImport.due_at), col(IcalImport.id))
    held = case(running, value=col(Vehicle.vendor_id), else_=0) if running else literal(0)
    nth = func.row_number().over(partition_by=col(Vehicle.vendor_id), order_by=order) + held
    waiting = select(col(IcalImport.id), col(Vehicle.vendor_id), nth.label("nth")).join(Vehicle)
    queue = waiting.where(due, in_fleet()).subquery()
    batch = select(IcalImport, queue.c.vendor_id).join(queue, queue.c.id == col(IcalImport.id))
    batch = batch.where(due, queue.c.nth <= AT_A_TIME_OF_VENDOR).order_by(queue.c.nth, *order)
    batch = batch.limit(max(0, MOST_AT_A_TIME - sum(running.values())))
    rows = session.execute(batch.with_for_update(of=IcalImport, skip_locked=True)).all()
    for row, _ in rows:
        row.due_at = instant + _pause(row, instant)
    session.flush()
    return [DueCalendar(row.id or 0, vendor_id, row.url) for row, vendor_id in rows]


def _pause(row: IcalImport, instant: datetime) -> timedelta:
    """Until when a calendar is not tried again if it fails now: with every failure in a row twice as long."""
    if not row.error:
        return PAUSE
    return min(max(PAUSE, instant - row.fetched_at), LONGEST_PAUSE) if row.fetched_at else LONGEST_PAUSE


def note(session: Session, import_id: int, error: str) -> None:
    """Record why a calendar was not read; the blocks of its last import stay."""
    if row := session.get(IcalImport, import_id):
        row.error, row.unread = error, []


def apply(session: Session, import_id: int, reading: CalendarReading, instant: datetime) -> None:
    """Turn a calendar's entries into blocks, except over bookings or other blocks; those over bookings clash.

    For entries that could not be read, what they took in the last import stays blocked.
    """
    vehicle = select(col(IcalImport.vehicle_id)).where(col(IcalImport.id) == import_id)
    vehicle_id = session.execute(vehicle).scalar_one_or_none()
    if vehicle_id is None:
        return
    session.execute(select(col(Vehicle.id)).where(col(Vehicle.id) == vehicle_id).with_for_update())
    row = session.get_one(IcalImport, import_id)
    taken = with_last(reading.taken, [key for key, _ in reading.unread], _last(session, row, instant))
    events = [window for windows in taken.values() for window in windows]
    session.execute(delete(Block).where(col(Block.import_id) == import_id))
    span = Window(instant, instant + 2 * FARTHEST)
    trips = select(col(Booking.pickup_at), col(Booking.return_at)).where(*booked_over([vehicle_id], span, instant))
    booked = _windows(session, trips)
    own = (col(Block.vehicle_id) == vehicle_id, col(Block.ends_at) > instant)
    blocked = _windows(session, select(col(Block.begins_at), col(Block.ends_at)).where(*own))
    for free in without(events, [*booked, *blocked]):
        session.add(
            Block(
                vehicle_id=vehicle_id,
                begins_at=free.pickup,
                ends_at=free.return_at,
                reason="other",
                import_id=import_id,
                created_at=instant,
            )
        )
    row.fetched_at, row.error, row.due_at = instant, _import_message(reading), instant + PAUSE
    row.taken = {key: [_written(window) for window in windows] for key, windows in taken.items()}
    row.unread = [text for _, text in reading.unread[:MOST_SHOWN]]
    row.clashes = [_written(event) for event in events if any(_meet(event, window) for window in booked)]
    session.flush()


def _last(session: Session, row: IcalImport, instant: datetime) -> TakenWindows:
    """What the last import took, without what is over."""
    if row.taken is None:
        blocks = select(col(Block.begins_at), col(Block.ends_at)).where(col(Block.import_id) == row.id)
        return {UNKNOWN: _windows(session, blocks)}
    last = {key: [Window(*map(datetime.fromisoformat, ends)) for ends in row.taken[key]] for key in row.taken}
    return {key: [one for one in windows if one.return_at > instant] for key, windows in last.items()}


def _import_message(reading: CalendarReading) -> str:
    """What the vendor should know of a calendar that was read in part."""
    unread = f"{counted(len(reading.unread), 'entry', 'entries')} could not be read" if reading.unread else ""
    return ". ".join(filter(None, [unread, *map(_unknown_zone, reading.zones[:MOST_SHOWN])]))


def _unknown_zone(name: str) -> str:
    return f'The time zone "{name}" is not known: its times are taken as Indian time'


def _windows(session: Session, statement: Any) -> list[Window]:
    return [Window(*ends) for ends in session.execute(statement)]


def _meet(one: Window, other: Window) -> bool:
    return one.pickup < other.return_at and other.pickup < one.return_at


def _written(window: Window) -> list[str]:
    return [window.pickup.isoformat(), window.return_at.isoformat()]
