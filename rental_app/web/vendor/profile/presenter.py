"""A vendor's account as texts."""

from datetime import datetime

from pydantic import BaseModel

from rental_app.content.staff import ROLES
from rental_app.domain import clock
from rental_app.domain.hours import DEFAULT_CLOSE, DEFAULT_OPEN, OpeningHours, format_time
from rental_app.domain.money import format_rupees
from rental_app.domain.staff import MemberRole
from rental_app.schemas.accounts import InvitationView, MemberView, UserView
from rental_app.web.parts.presenters.texts import Fact, lines

NOT_SET = "Not set"
_SAME = (
    "address landmark pincode city state service_location delivery_supported closing_days website google_maps_link"
    " gst_name gst_number booking_contact_no booking_whatsapp_no upi_id notes full_address"
)


class ProfilePage(BaseModel):
    """The editable fields as the form holds them, and the rest as texts ready to read."""

    address: str
    landmark: str
    pincode: str
    city: str
    state: str
    district: str
    service_location: str
    delivery_supported: bool
    open_time: str
    close_time: str
    closing_days: list[str]
    website: str
    google_maps_link: str
    gst_name: str
    gst_number: str
    gst_rate: str
    booking_contact_no: str
    booking_whatsapp_no: str
    upi_id: str
    no_of_staff: str
    no_of_years: str
    notes: str
    terms: list[str]
    hours: str
    closed: str
    full_address: str
    personal: list[Fact]
    bank: list[Fact]
    commission: list[Fact]


def profile_page(user: UserView) -> ProfilePage:
    """What the profile page shows of an account."""
    hours = OpeningHours(user.open_time or DEFAULT_OPEN, user.close_time or DEFAULT_CLOSE)
    return ProfilePage(
        **{name: getattr(user, name) for name in _SAME.split()},
        district=user.county,
        open_time=format_time(user.open_time) if user.open_time else "",
        close_time=format_time(user.close_time) if user.close_time else "",
        gst_rate=str(user.gst_rate),
        no_of_staff=str(user.no_of_staff),
        no_of_years=str(user.no_of_years),
        terms=lines(user.notes),
        hours=hours.text,
        closed=", ".join(user.closing_days) or "Open all week",
        personal=_facts(
            Name=user.name,
            Email=user.email,
            Phone=user.phone_number,
            Status=user.status.capitalize(),
            Role=user.role,
            **{"Vendor ID": str(user.id), "Member since": f"{datetime.fromisoformat(user.created_at):%-d %B %Y}"},
        ),
        bank=_facts(Bank=user.bank_name, **{"Account number": user.bank_account_no, "IFSC": user.bank_ifsc}),
        commission=_facts(
            Commission=f"{user.commission_percentage:g}%",
            Settlement=user.commission_settle,
            Wallet=format_rupees(user.wallet_paise),
        ),
    )


def _facts(**values: str) -> list[Fact]:
    return [Fact(label=label, value=value or NOT_SET) for label, value in values.items()]


class MemberRow(BaseModel):
    """Somebody who works for the vendor."""

    id: int
    name: str
    about: str
    role: MemberRole


def member_row(member: MemberView) -> MemberRow:
    """What a vendor reads about a member."""
    about = f"{member.email}, since {clock.indian(member.since):%-d %b %Y}"
    return MemberRow(id=member.id, name=member.name, about=about, role=member.role)


class InvitationRow(BaseModel):
    """Somebody who is invited: by e-mail address, which is all that is known of them."""

    id: int
    email: str
    role: MemberRole
    about: str


def invitation_row(invitation: InvitationView) -> InvitationRow:
    """What a vendor reads about an invitation."""
    about = f"Invited as {ROLES[invitation.role].name.lower()}, until {clock.indian(invitation.expires_at):%-d %b %Y}"
    return InvitationRow(id=invitation.id, email=invitation.email, role=invitation.role, about=about)
