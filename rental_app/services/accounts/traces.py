"""What is left of a person in each table, and how it goes when the account is erased.

What the law wants stays: bookings with their accounts, and tax invoices. Whoever reads them finds a former customer or
vendor. `domain/retention.py` says of each column when it ends; a test looks for what is left in the whole database.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, or_, select, update
from sqlmodel import Session, SQLModel, col

from rental_app.domain.bookings import WhyCancelled
from rental_app.domain.counter import NOBODYS_NUMBER
from rental_app.domain.retention import ERASED_HOST, FORMER_CUSTOMER, FORMER_VENDOR
from rental_app.models import (
    AccountChange,
    AuditEntry,
    Block,
    Booking,
    BookingEvent,
    ConfirmAtOnce,
    EventPhoto,
    Favourite,
    FormerMember,
    IcalFeed,
    IcalImport,
    KnownDevice,
    LedgerEntry,
    ListingDraft,
    LoginSession,
    MaintenanceEntry,
    Member,
    Outbox,
    Passkey,
    PersonNote,
    PriceRule,
    Proof,
    RecoveryCode,
    RememberedAnswer,
    Review,
    SecondStep,
    TripDraft,
    TripPhoto,
    TripReading,
    UnclaimedFile,
    User,
    Vehicle,
    VehicleDraft,
    VehicleFile,
    VehiclePrice,
)
from rental_app.models.issued_paper import AGREEMENT, RECEIPT, STATEMENT
from rental_app.services import issued_papers
from rental_app.services.files.storage import objects_of
from rental_app.services.identity import stored as identity

MEDIA = "/media/"
NOWHERE = "000000"
# What a vehicle of an erased vendor is known by.
NO_NUMBER = "erased"
# Rows whose owner one column names, and which go with them. Drafts go before what refers to them is looked at.
_OWN: tuple[tuple[type[SQLModel], tuple[str, ...]], ...] = (
    (LoginSession, ("user_id",)),
    (SecondStep, ("user_id",)),
    (RecoveryCode, ("user_id",)),
    (Passkey, ("user_id",)),
    (KnownDevice, ("user_id",)),
    (Favourite, ("user_id",)),
    (RememberedAnswer, ("user_id",)),
    (AccountChange, ("user_id",)),
    (PersonNote, ("user_id",)),
    (Member, ("user_id", "vendor_id")),
    (FormerMember, ("user_id", "vendor_id")),
    (ConfirmAtOnce, ("vendor_id",)),
    (IcalFeed, ("vendor_id", "made_by")),
    (PriceRule, ("vendor_id",)),
    (ListingDraft, ("vendor_id",)),
    (VehicleDraft, ("vendor_id",)),
)
# Rows about a vehicle that nobody offers any more.
_OF_VEHICLES: tuple[type[SQLModel], ...] = (Favourite, VehiclePrice, MaintenanceEntry, Block, IcalImport)


def forget(session: Session, user: User, instant: datetime) -> tuple[list[str], list[int]]:
    """Erase a locked account; returns the store keys and the numbers of messages that are no longer used."""
    user_id, email, phone = user.id or 0, user.email, user.phone_number
    keys = [*objects_of(user.image.removeprefix(MEDIA)), *_unclaimed(session, user_id)]
    keys += identity.erase_for(session, user_id)
    vehicles = list(session.scalars(select(col(Vehicle.id)).where(col(Vehicle.vendor_id) == user_id)))
    former = FORMER_VENDOR if user.role == "Vendor" else FORMER_CUSTOMER
    keys += _trips(session, user_id)
    _papers(session, user_id, former)
    _reviews(session, user_id)
    keys += _vehicles(session, user_id, vehicles, instant)
    messages = _messages(session, user_id, email, phone)
    _blank(session, user, former, instant)
    # Once the account is erased: the guards of the trail and of notes ask for that.
    for model, columns in _OWN:
        own = or_(*(_column(model, name) == user_id for name in columns))
        _delete(session, model, own)
    _trail(session, user_id)
    session.expire_all()
    return keys, messages


def _column(model: type[SQLModel], name: str) -> ColumnElement[Any]:
    column: ColumnElement[Any] = SQLModel.metadata.tables[str(model.__tablename__)].c[name]
    return column


def _delete(session: Session, model: type[SQLModel], which: ColumnElement[bool]) -> None:
    session.execute(delete(model).where(which).execution_options(synchronize_session=False))


def _set(session: Session, model: type[SQLModel], which: ColumnElement[bool], **values: Any) -> None:
    session.execute(update(model).where(which).values(**values).execution_options(synchronize_session=False))


def _blank(session: Session, user: User, former: str, instant: datetime) -> None:
    """Empty the account itself; its row stays, because bookings refer to it."""
    texts = "address landmark city state county bank_name bank_account_no bank_ifsc gst_name gst_number upi_id website"
    texts += " google_maps_link notes booking_contact_no booking_whatsapp_no image last_login_from password_hash"
    nothing = "email_verified_at email_changed_at verified_phone phone_used_at password_changed_at exported_at"
    nothing += " notice_version noticed_at location_id erase_asked_at open_time close_time"
    user.sqlmodel_update(dict.fromkeys(texts.split(), ""))
    user.sqlmodel_update(dict.fromkeys(nothing.split()))
    user.sqlmodel_update(dict.fromkeys(("image_bytes", "trip_bytes", "no_of_staff", "no_of_years"), 0))
    user.name, user.phone_number, user.zip_code = former, NOBODYS_NUMBER, NOWHERE
    user.email = f"{user.id}@{ERASED_HOST}"
    user.closing_days = []
    user.is_deleted, user.erased_at = True, instant
    session.flush()


def _unclaimed(session: Session, user_id: int) -> Iterator[str]:
    own = delete(UnclaimedFile).where(col(UnclaimedFile.vendor_id) == user_id).returning(col(UnclaimedFile.key))
    for key in session.scalars(own.execution_options(synchronize_session=False)).all():
        yield from objects_of(key)


def _trips(session: Session, user_id: int) -> list[str]:
    """Of the bookings on both sides of which somebody stood: their words, photos and places; returns store keys."""
    theirs = select(col(Booking.id)).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    either = theirs.where(or_(col(Booking.customer_id) == user_id, col(Vehicle.vendor_id) == user_id))
    customers = col(Booking.customer_id) == user_id
    _set(session, Booking, customers, address="", guest_email=None)
    typed = col(Booking.cancel_reason).not_in([str(reason) for reason in WhyCancelled])
    own_words = customers & (col(Booking.cancelled_by) == "customer") & typed
    _set(session, Booking, own_words, cancel_reason=WhyCancelled.BY_CUSTOMER)
    _set(session, BookingEvent, (col(BookingEvent.who_id) == user_id) & (col(BookingEvent.note) != ""), note="")
    _delete(session, TripDraft, col(TripDraft.booking_id).in_(either))
    return [*_objection_photos(session, user_id), *_trip_photos(session, either)]


def _objection_photos(session: Session, user_id: int) -> list[str]:
    own = select(col(BookingEvent.id)).where(col(BookingEvent.who_id) == user_id)
    gone = delete(EventPhoto).where(col(EventPhoto.event_id).in_(own)).returning(col(EventPhoto.key))
    keys = session.scalars(gone.execution_options(synchronize_session=False)).all()
    return [name for key in keys for name in objects_of(key)]


def _trip_photos(session: Session, bookings: Select[int | None]) -> list[str]:
    readings = select(col(TripReading.id)).where(col(TripReading.booking_id).in_(bookings))
    of_trips = col(TripPhoto.reading_id).in_(readings)
    keys = session.scalars(select(col(TripPhoto.key)).where(of_trips)).all()
    # A line of the account, which nothing changes, may refer to a photo: its row stays, and names no file.
    needed = select(col(LedgerEntry.photo_id)).where(col(LedgerEntry.photo_id).is_not(None))
    for photo in session.scalars(select(TripPhoto).where(of_trips, col(TripPhoto.id).in_(needed))):
        photo.key = f"erased/{photo.id}"
    session.flush()
    _delete(session, TripPhoto, of_trips & col(TripPhoto.id).not_in(needed))
    return [name for key in keys if not key.startswith("erased/") for name in objects_of(key)]


def _papers(session: Session, user_id: int, former: str) -> None:
    """Take the names off receipts, agreements and statements; the law keeps tax papers as they are."""
    references = session.scalars(select(col(Booking.reference)).where(col(Booking.customer_id) == user_id)).all()
    for kind in (RECEIPT, AGREEMENT):
        issued_papers.forget(session, kind, references, customer=FORMER_CUSTOMER)
    names = {"vendor": former, "address": "", "gst_number": "", "plate": ""}
    issued_papers.forget_vendor(session, user_id, RECEIPT, **names, holder=former)
    issued_papers.forget_vendor(session, user_id, AGREEMENT, **names, vehicle_terms="", vendor_terms="")
    issued_papers.forget_vendor(session, user_id, STATEMENT, vendor=former, gst_number="")


def _reviews(session: Session, user_id: int) -> None:
    """The words of reviews by somebody and about them go, with the answers; stars stay."""
    about = or_(col(Review.customer_id) == user_id, col(Review.vendor_id) == user_id)
    _set(session, Review, about, text="", answer="", answered_at=None)
    _set(session, Review, about | (col(Review.reported_by) == user_id), report_note="")


def _vehicles(session: Session, user_id: int, vehicles: Sequence[int | None], instant: datetime) -> list[str]:
    """A vendor's vehicles stay for the bookings that name them, without what only their vendor knew; returns keys."""
    keys = _vehicle_files(session, vehicles)
    for model in _OF_VEHICLES:
        _delete(session, model, _column(model, "vehicle_id").in_(vehicles))
    own = col(Vehicle.vendor_id) == user_id
    _set(session, Vehicle, own & col(Vehicle.retired_at).is_(None), retired_at=instant)
    blank = "address landmark city state zip_code google_maps_link engine_number chassis_number owner_name_as_per_rc"
    blanks = dict.fromkeys((*blank.split(), "terms", "image", "refusal"), "")
    _set(session, Vehicle, own, rc_number=NO_NUMBER, is_active=False, is_featured=False, **blanks)
    for booking in session.scalars(select(Booking).where(col(Booking.vehicle_id).in_(vehicles))):
        places = ("image", "pickup_address", "google_maps_link", "terms", "vendor_terms")
        booking.booked = booking.booked | dict.fromkeys(places, "")
    session.flush()
    return keys


def _vehicle_files(session: Session, vehicles: Sequence[int | None]) -> list[str]:
    gone = delete(VehicleFile).where(col(VehicleFile.vehicle_id).in_(vehicles)).returning(col(VehicleFile.key))
    keys = session.scalars(gone.execution_options(synchronize_session=False)).all()
    return [name for key in keys for name in objects_of(key)]


def _messages(session: Session, user_id: int, email: str, phone: str) -> list[int]:
    """Delete what was written to somebody, and what proved that it was theirs; returns the numbers of messages."""
    addresses = (email, phone)
    written = or_(col(Outbox.user_id) == user_id, col(Outbox.to).in_(addresses))
    gone = delete(Outbox).where(written).returning(col(Outbox.id)).execution_options(synchronize_session=False)
    numbers = session.scalars(gone).all()
    _delete(session, Proof, or_(col(Proof.user_id) == user_id, col(Proof.about).in_(addresses)))
    return [number for number in numbers if number]


def _trail(session: Session, user_id: int) -> None:
    """Of what somebody did, and what was done to their account, keep that, and nothing by which they are known."""
    about = (col(AuditEntry.subject) == "user") & (col(AuditEntry.subject_id) == user_id)
    _set(session, AuditEntry, about, about="", before="{}", after="{}")
    by = col(AuditEntry.user_id) == user_id
    _set(session, AuditEntry, by, about="", before="{}", after="{}", address="")
