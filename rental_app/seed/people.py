"""The demo accounts: vendors, customers and an operator, and those whose password everyone can read."""

import secrets
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime, time, timedelta
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, select

from rental_app.domain.confirm_at_once import AtOnceConditions
from rental_app.domain.hours import OpeningHours
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.domain.staff import MemberRole
from rental_app.infrastructure import db
from rental_app.infrastructure.security import hash_password, password_matches
from rental_app.models import AccountChange, ConfirmAtOnce, Location, LoginSession, Member, User
from rental_app.models.user import opening_hours
from rental_app.seed import tables
from rental_app.seed.places import CITY, PLACES, STATE
from rental_app.seed.tables import row_id
from rental_app.services.accounts.actor import may_log_in
from rental_app.services.accounts.members import INVITED_FOR
from rental_app.services.accounts.proofs import Purpose, open_proof

DEMO_PASSWORD = "demo-pass-123"  # noqa: S105 - published on purpose, opens demonstration accounts only
CUSTOMER_EMAIL, VENDOR_EMAIL = "customer@example.com", "vendor@example.com"
OPERATOR_EMAIL = "operator@example.com"
# The vendor whose bookings are confirmed at once.
AT_ONCE = "ramesh"
# Who works for the demo's vendor: e-mail, name, mobile number and what they do.
STAFF = (
    ("counter@example.com", "Swathi Reddy", "9000000002", MemberRole.COUNTER),
    ("manager@example.com", "Naveen Kumar", "9000000003", MemberRole.MANAGER),
)
CUSTOMERS = tables.rows("customers.csv")
VENDORS = tables.toml("vendors.toml")
DEMO_EMAILS = [
    OPERATOR_EMAIL,
    *(email for email, *_ in STAFF),
    *(person["email"] for person in (*CUSTOMERS, *VENDORS.values())),
]
PLACE_BY_NAME = {place.name: place for place in PLACES}


def own_address(vendor: str, place: str) -> dict[str, Any]:
    """The address of a vendor's yard in a place, as columns of a vehicle; empty for the vendor's own address."""
    yard = VENDORS[vendor]["yard"]
    if place != yard["place"]:
        return {}
    location = PLACE_BY_NAME[place]
    return {
        "address": yard["address"],
        "landmark": yard["landmark"],
        "city": CITY,
        "state": STATE,
        "zip_code": location.pincode,
        "google_maps_link": maps_link(location.latitude, location.longitude),
    }


def vendor_hours(vendor: str) -> OpeningHours:
    """The business hours of a vendor in vendors.toml."""
    profile = VENDORS[vendor]
    return opening_hours(*_times(profile), profile["closing_days"])


def _times(profile: dict[str, Any]) -> tuple[time | None, time | None]:
    return profile.get("open_time"), profile.get("close_time")


def add_vendors(session: Session, now: datetime, password_hash: str, locations: dict[str, Location]) -> dict[str, User]:
    """Insert the vendors; returns them by their key in vendors.toml."""
    vendors = {
        key: _vendor(profile, now, password_hash, row_id(locations[profile["place"]]))
        for key, profile in VENDORS.items()
    }
    session.add_all(vendors.values())
    session.flush()
    return vendors


def _vendor(profile: dict[str, Any], now: datetime, password_hash: str, location_id: int) -> User:
    place = PLACE_BY_NAME[profile["place"]]
    opens, closes = _times(profile)
    # The platform is younger than most of these businesses.
    created_at = now - timedelta(days=450 + 60 * min(profile["years"], 5))
    return User(
        name=profile["name"],
        email=profile["email"],
        password_hash=password_hash,
        phone_number=profile["phone"],
        role="Vendor",
        created_at=created_at,
        email_verified_at=created_at,
        verified_phone=profile["phone"] if profile["email"] == VENDOR_EMAIL else None,
        phone_used_at=now - timedelta(days=20) if profile["email"] == VENDOR_EMAIL else None,
        address=profile["address"],
        landmark=profile["landmark"],
        zip_code=place.pincode,
        city=CITY,
        state=STATE,
        county=place.county,
        wallet_paise=profile["wallet_rupees"] * PAISE_PER_RUPEE,
        bank_name=profile["bank_name"],
        bank_account_no=profile["bank_account_no"],
        bank_ifsc=profile["bank_ifsc"],
        commission_bps=profile["commission_percent"] * 100,
        commission_settle=profile["commission_settle"],
        gst_name=profile["gst_name"],
        gst_number=profile["gst_number"],
        booking_contact_no=profile["phone"],
        booking_whatsapp_no=profile["phone"],
        upi_id=profile.get("upi_id", ""),
        no_of_staff=profile["staff"],
        no_of_years=profile["years"],
        location_id=location_id,
        delivery_supported=profile["delivery_supported"],
        open_time=opens,
        close_time=closes,
        closing_days=profile["closing_days"],
        website=profile["website"],
        google_maps_link=maps_link(place.latitude, place.longitude),
        notes=profile["notes"].strip(),
    )


def add_confirmations(session: Session, vendors: dict[str, User]) -> None:
    """Let the bookings of one vendor be confirmed at once, under the conditions that one begins with."""
    usual = asdict(AtOnceConditions())
    session.add(ConfirmAtOnce(vendor_id=row_id(vendors[AT_ONCE]), is_on=True, **usual))
    session.flush()


def maps_link(latitude: float, longitude: float) -> str:
    """A map of a point given in degrees."""
    return f"https://www.google.com/maps/search/?api=1&query={latitude},{longitude}"


def add_customers(session: Session, now: datetime, password_hash: str) -> dict[str, User]:
    """Insert the customers; returns them by e-mail."""
    customers = {
        row["email"]: User(
            name=row["name"],
            email=row["email"],
            password_hash=password_hash,
            phone_number=row["phone"],
            created_at=now - timedelta(days=480 - 15 * position),
            # All but the latest have confirmed it.
            email_verified_at=now - timedelta(days=480 - 15 * position) if position < len(CUSTOMERS) - 1 else None,
            # Every second one has confirmed it, so that a login by a code can be tried.
            verified_phone=row["phone"] if position % 2 == 0 else None,
            phone_used_at=now - timedelta(days=20 + position) if position % 2 == 0 else None,
            address=row["address"],
            landmark=row["landmark"],
            zip_code=row["pincode"],
            city=CITY,
            state=STATE,
            county=row["county"],
        )
        for position, row in enumerate(CUSTOMERS)
    }
    session.add_all(customers.values())
    session.flush()
    return customers


def add_operator(session: Session, now: datetime, password_hash: str) -> None:
    """Insert the operator."""
    operator = User(
        name="Meera Joshi",
        email=OPERATOR_EMAIL,
        password_hash=password_hash,
        phone_number="9000000001",
        role="Operator",
        created_at=now - timedelta(days=500),
        email_verified_at=now - timedelta(days=500),
        address="Jubilee Square, Road No. 36",
        zip_code="500033",
        city=CITY,
        state=STATE,
    )
    session.add(operator)
    session.flush()


def add_staff(session: Session, now: datetime, password_hash: str, vendor: User) -> None:
    """Insert the people who work for a vendor, and somebody who is invited to."""
    for number, (email, name, phone, role) in enumerate(STAFF):
        begun = now - timedelta(days=200 - 60 * number)
        person = User(
            name=name,
            email=email,
            password_hash=password_hash,
            phone_number=phone,
            created_at=begun,
            email_verified_at=begun,
            address=vendor.address,
            zip_code=vendor.zip_code,
            city=CITY,
            state=STATE,
        )
        session.add(person)
        session.flush()
        session.add(Member(user_id=row_id(person), vendor_id=row_id(vendor), role=role, added_at=begun))
    open_proof(
        session,
        Purpose.INVITATION,
        vendor.id,
        INVITED_FOR,
        {"role": MemberRole.COUNTER},
        about="ravi.teja@example.com",
    )


# Where the demo accounts are logged in besides: what calls itself so, and the hours since it did.
DEVICES = (("Chrome on Android", 5), ("Firefox on Windows", 40))


def add_devices(session: Session, now: datetime, people: Iterable[User]) -> None:
    """Insert sessions of people on other devices; nobody has their tokens."""
    for person in people:
        for device, hours in DEVICES:
            seen = now - timedelta(hours=hours)
            session.add(
                LoginSession(
                    jti=secrets.token_hex(16),
                    user_id=row_id(person),
                    created_at=seen - timedelta(hours=2),
                    expires_at=seen + timedelta(days=5),
                    device=device,
                    last_seen_at=seen,
                )
            )
    session.flush()


def add_request(session: Session, now: datetime, vendor: User) -> None:
    """Insert what a vendor asks to have changed, which waits for the operator."""
    session.add(
        AccountChange(
            user_id=row_id(vendor),
            field="bank",
            value="State Bank of India, 30012345678, SBIN0020912",
            why="Our branch has moved to Madhapur",
            created_at=now - timedelta(hours=18),
        )
    )
    session.flush()


def published_accounts() -> list[str]:
    """The e-mails of the accounts that anyone can log in to."""
    return sorted(db.read(_opened_by_published_password))


def block_published_accounts() -> list[str]:
    """Block them, which ends their sessions and hides their vehicles; returns their e-mails."""
    emails = published_accounts()
    db.write(_block, emails)
    return emails


def _opened_by_published_password(session: Session) -> list[str]:
    of_demo = (col(User.email).in_(DEMO_EMAILS), *may_log_in())
    accounts = session.exec(select(User.email, User.password_hash).where(*of_demo)).all()
    # Comparing takes a quarter of a second, and the accounts of one demo share their hash.
    published = {
        candidate for candidate in {hashed for _, hashed in accounts} if password_matches(DEMO_PASSWORD, candidate)
    }
    return [email for email, hashed in accounts if hashed in published]


def _block(session: Session, emails: list[str]) -> None:
    # A blocked vendor with trips under way still logs in, with a password that must not be this one.
    unknown = hash_password(secrets.token_urlsafe(32))
    session.execute(update(User).where(col(User.email).in_(emails)).values(status="blocked", password_hash=unknown))
