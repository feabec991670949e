"""People and their login sessions, what proves who they are, the changes they request, and their favourites."""

from datetime import datetime, time
from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, Index, false, text
from sqlmodel import Field, SQLModel

from rental_app.domain import clock
from rental_app.domain.gst import DEFAULT_RATE_BPS
from rental_app.domain.hours import DEFAULT_CLOSE, DEFAULT_OPEN, OpeningHours
from rental_app.domain.staff import MemberRole


class User(SQLModel, table=True):
    """A customer or vendor with the vendor's business profile. Money is paise, commission hundredths of a percent."""

    __table_args__ = (
        CheckConstraint("email = lower(email)", name="ck_user_email_lower"),
        CheckConstraint("role IN ('Customer', 'Vendor', 'Operator')", name="ck_user_role"),
        CheckConstraint("status IN ('active', 'blocked')", name="ck_user_status"),
        CheckConstraint("length(zip_code) = 6", name="ck_user_zip_code"),
        CheckConstraint("length(phone_number) = 10", name="ck_user_phone_number"),
        CheckConstraint("commission_bps BETWEEN 0 AND 10000", name="ck_user_commission"),
        CheckConstraint("buffer_hours BETWEEN 0 AND 12", name="ck_user_buffer"),
        Index("uq_user_verified_phone", "verified_phone", unique=True),
        # The usual order of the operator's list.
        Index("ix_user_name_id", "name", "id"),
        CheckConstraint("open_time IS NULL OR close_time IS NULL OR open_time < close_time", name="ck_user_hours"),
    )

    id: int | None = Field(default=None, primary_key=True)
    name: str
    email: str = Field(unique=True)
    password_hash: str
    phone_number: str
    role: str = "Customer"
    status: str = "active"
    is_deleted: bool = False
    # Somebody for whom a vendor made a booking at the counter: nobody logs in as them, and nothing is sent to them.
    is_guest: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    created_at: datetime = Field(default_factory=clock.now)
    image: str = ""
    address: str
    landmark: str = ""
    zip_code: str
    city: str
    state: str = ""
    county: str = ""
    wallet_paise: int = 0
    bank_name: str = ""
    bank_account_no: str = ""
    bank_ifsc: str = ""
    commission_bps: int = 0
    commission_settle: str = ""
    gst_name: str = ""
    gst_number: str = ""
    # What tax the vendor's prices include, in hundredths of a percent; of interest with a GST number alone.
    gst_rate_bps: int = Field(default=DEFAULT_RATE_BPS, sa_column_kwargs={"server_default": text("1800")})
    booking_contact_no: str = ""
    booking_whatsapp_no: str = ""
    # The UPI ID that customers pay to.
    upi_id: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    no_of_staff: int = 0
    no_of_years: int = 0
    location_id: int | None = Field(default=None, foreign_key="location.id")
    delivery_supported: bool = False
    open_time: time | None = None
    close_time: time | None = None
    closing_days: list[str] = Field(default_factory=list, sa_type=JSON)
    # Hours between two trips of a vehicle.
    buffer_hours: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    website: str = ""
    google_maps_link: str = ""
    notes: str = ""
    # A keyed hash, see `security.address_mark`.
    last_login_from: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    # When its owner proved to read the e-mail; accounts from before that was asked count as proved when they were made.
    email_verified_at: datetime | None = None
    # When the account last got another e-mail; None since before this was noted, or never.
    email_changed_at: datetime | None = None
    # The number that its owner proved to have, as long as it is this account's, and when it last proved that.
    verified_phone: str | None = None
    phone_used_at: datetime | None = None
    # When the password was last changed; None since before this was noted, or since the sign-up.
    password_changed_at: datetime | None = None
    # What the picture takes up, and the photos of the vendor's trips, which are never deleted.
    image_bytes: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    trip_bytes: int = Field(default=0, sa_type=BigInteger, sa_column_kwargs={"server_default": text("0")})
    # When the operator lifted the limits on what the account may keep (services/files/limits.py).
    approved_at: datetime | None = None
    # Totals of the shown reviews by the vendor's customers, as in `Vehicle`.
    stars_total: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    reviews: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    # When its owner asked to have it erased, until a login takes that back; when it was, which sets `is_deleted` too.
    erase_asked_at: datetime | None = Field(default=None, index=True)
    erased_at: datetime | None = None
    # When its owner last had a copy of what is kept.
    exported_at: datetime | None = None
    # The version of the notice that the sign-up showed, and when; empty for accounts over REST that name none.
    notice_version: str | None = None
    noticed_at: datetime | None = None

    @property
    def phone_verified(self) -> bool:
        """Whether its owner proved to have the mobile number."""
        return self.verified_phone == self.phone_number

    @property
    def hours(self) -> OpeningHours:
        """The business hours in force: 09:00 to 20:00 if the vendor left them blank."""
        return opening_hours(self.open_time, self.close_time, self.closing_days)

    @property
    def full_address(self) -> str:
        """The address on one line."""
        return full_address(self.address, self.landmark, self.city, self.state, self.zip_code)


def opening_hours(open_time: time | None, close_time: time | None, closing_days: list[str]) -> OpeningHours:
    """The hours in force for the stored columns."""
    return OpeningHours(open_time or DEFAULT_OPEN, close_time or DEFAULT_CLOSE, frozenset(closing_days))


def full_address(address: str, landmark: str, city: str, state: str, zip_code: str) -> str:
    """An address on one line, without the parts left blank."""
    place = f"{state} {zip_code}".strip()
    return ", ".join(part for part in (address, landmark, city, place) if part)


class LoginSession(SQLModel, table=True):
    """The row behind a token: without it, or once it is revoked, the token is invalid."""

    __tablename__ = "login_session"

    jti: str = Field(primary_key=True)
    user_id: int = Field(foreign_key="user.id", index=True)
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None
    # What the browser calls itself, and when the session was last used (to the hour).
    device: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    last_seen_at: datetime | None = None
    # Whether it was opened by a code alone, and the password has not been given since.
    by_code: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    # When the second step was last given in it.
    stepped_at: datetime | None = None
    # When the password, a code of the second step or a passkey was last given in it; a texted code is neither.
    proved_at: datetime | None = None
    # The passkey that opened it, which may have been removed since.
    passkey_id: int | None = None


class SecondStep(SQLModel, table=True):
    """The authenticator app of an account, in force once it is confirmed.

    The key it shares with the app is derived from `nonce` and the signing key (services/accounts/second_step.py).
    `last_used` is the number of the last interval of 30 seconds whose code was used: none is taken twice. Its recovery
    codes are derived from `codes_nonce`, empty once they are kept (services/accounts/second_step.py).
    """

    __tablename__ = "second_step"

    user_id: int = Field(primary_key=True, foreign_key="user.id")
    nonce: str
    created_at: datetime = Field(default_factory=clock.now)
    confirmed_at: datetime | None = None
    last_used: int = Field(default=0, sa_type=BigInteger)
    codes_nonce: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    codes_made_at: datetime | None = None


class RecoveryCode(SQLModel, table=True):
    """A code that stands in for the app once: a keyed digest of it."""

    __tablename__ = "recovery_code"

    user_id: int = Field(primary_key=True, foreign_key="user.id")
    digest: str = Field(primary_key=True)
    used_at: datetime | None = None


class Passkey(SQLModel, table=True):
    """A key of an account's device that logs it in: its public half, and how often it said that it has signed.

    `credential_id` and `public_key` are base64url, as browsers write them. A `sign_count` that stays 0 counts nothing.
    """

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="user.id", index=True)
    name: str
    credential_id: str = Field(unique=True)
    public_key: str
    sign_count: int = Field(default=0, sa_type=BigInteger)
    created_at: datetime = Field(default_factory=clock.now)
    last_used_at: datetime | None = None


class KnownDevice(SQLModel, table=True):
    """A device that an account has been logged in from: a keyed digest of the key in its browser's storage."""

    __tablename__ = "known_device"

    user_id: int = Field(primary_key=True, foreign_key="user.id")
    digest: str = Field(primary_key=True)
    seen_at: datetime = Field(default_factory=clock.now)


class Member(SQLModel, table=True):
    """A person who works for a vendor, at the counter or as a manager; nobody does so for more than one."""

    __table_args__ = (CheckConstraint("role IN ('counter', 'manager')", name="ck_member_role"),)

    user_id: int = Field(primary_key=True, foreign_key="user.id")
    vendor_id: int = Field(foreign_key="user.id", index=True)
    added_at: datetime = Field(default_factory=clock.now)
    role: str = Field(default=MemberRole.COUNTER, sa_column_kwargs={"server_default": text("'counter'")})


class FormerMember(SQLModel, table=True):
    """Who chose to stop working for a vendor, in versions that added people without asking them.

    Nothing reads it any more: the version before still does, while it runs beside this one.
    """

    __tablename__ = "former_member"

    user_id: int = Field(primary_key=True, foreign_key="user.id")
    vendor_id: int = Field(primary_key=True, foreign_key="user.id")
    left_at: datetime = Field(default_factory=clock.now)


class ConfirmAtOnce(SQLModel, table=True):
    """Whether a vendor's bookings are confirmed at once, and under which conditions (domain/confirm_at_once.py).

    A vehicle may differ (`Vehicle.confirms_at_once`).
    """

    __tablename__ = "confirm_at_once"
    __table_args__ = (
        CheckConstraint("hours_ahead BETWEEN 0 AND 168", name="ck_confirm_at_once_hours"),
        CheckConstraint("most_open BETWEEN 1 AND 20", name="ck_confirm_at_once_open"),
    )

    vendor_id: int = Field(primary_key=True, foreign_key="user.id")
    is_on: bool
    verified_phone: bool
    hours_ahead: int
    most_open: int


class AccountChange(SQLModel, table=True):
    """A request for another name, e-mail, mobile number or bank account; at most one of a kind is open.

    `decision` is empty while it is open.
    """

    __tablename__ = "change_request"
    __table_args__ = (
        CheckConstraint("field IN ('name', 'email', 'phone', 'bank')", name="ck_change_request_field"),
        CheckConstraint(
            "decision IN ('', 'granted', 'refused', 'withdrawn') AND (decision = '') = (decided_at IS NULL)",
            name="ck_change_request_decision",
        ),
        Index(
            "uq_change_request_open",
            "user_id",
            "field",
            unique=True,
            sqlite_where=text("decision = ''"),
            postgresql_where=text("decision = ''"),
        ),
        # The usual order of the operator's list.
        Index("ix_change_request_created_at_id", "created_at", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="user.id", index=True)
    field: str
    value: str
    why: str = ""
    created_at: datetime = Field(default_factory=clock.now)
    decision: str = ""
    decided_at: datetime | None = None
    # Whoever decided it; empty for the command on the machine.
    decided_by: int | None = Field(default=None, foreign_key="user.id")
    reason: str = ""


class Proof(SQLModel, table=True):
    """A link or a code for one purpose and one account: it works once, until it expires.

    The secret itself is nowhere in the database: it is made again from `nonce` when the message is composed, and
    recognised by its keyed `digest` (services/accounts/proofs.py). `payload` is what the secret is about, such as the
    address it was sent to. Nobody's (`user_id` empty) are those asked for with an address that no account has.
    """

    __table_args__ = (
        CheckConstraint("tries >= 0", name="ck_proof_tries"),
        Index("ix_proof_user_id_purpose", "user_id", "purpose"),
        Index("ix_proof_about_purpose", "about", "purpose"),
    )

    id: int | None = Field(default=None, primary_key=True)
    purpose: str
    user_id: int | None = Field(default=None, foreign_key="user.id")
    nonce: str
    digest: str = Field(unique=True)
    # The mobile number that a code was sent to, with the booking that it is for, if it is for one; or whom it invites.
    about: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    # A mark of the device or network that asked for a code to log in with (services/accounts/letters.py).
    asked_by: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    payload: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    created_at: datetime = Field(default_factory=clock.now)
    expires_at: datetime = Field(index=True)
    tries: int = 0
    used_at: datetime | None = None


class Favourite(SQLModel, table=True):
    """A vehicle that somebody has marked, and when."""

    user_id: int = Field(foreign_key="user.id", primary_key=True)
    vehicle_id: int = Field(foreign_key="vehicle.id", primary_key=True, index=True)
    added_at: datetime = Field(default_factory=clock.now)


class PersonNote(SQLModel, table=True):
    """A note about an account, for operators alone. The database refuses to change it, and to delete it before the
    account is erased."""

    __tablename__ = "person_note"
    __table_args__ = (Index("ix_person_note_user_id_id", "user_id", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="user.id")
    text: str
    # Empty for a command on the machine.
    who_id: int | None = Field(default=None, foreign_key="user.id")
    at: datetime = Field(default_factory=clock.now)
