"""Shapes of an account: sign-up, one's own profile, what a vendor asks to have changed, and a vendor's members."""

import re
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from rental_app.domain import money
from rental_app.domain.characters import on_a_keyboard
from rental_app.domain.gst import DEFAULT_RATE_BPS, RATES_BPS
from rental_app.domain.registration import gst_number
from rental_app.domain.staff import MemberRole
from rental_app.schemas.people import (
    City,
    ClosingClock,
    Email,
    Landmark,
    LandmarkOut,
    MapLink,
    MapLinkOut,
    Mobile,
    Name,
    NameIn,
    OpeningClock,
    OptionalMobile,
    OptionalName,
    Pincode,
    Required,
    StreetAddress,
    TypedPlace,
    Weekdays,
    web_link,
)
from rental_app.schemas.sign_in import NewPassword
from rental_app.schemas.wire import (
    BLANK_IS_ZERO,
    CLEAN,
    Answer,
    Body,
    ClosingDays,
    Delivers,
    ExactBody,
    IndianTime,
    ItsId,
    LongText,
    NameOut,
    PickupLocality,
    Picture,
    PincodeOut,
    RupeesOut,
    Text,
    VendorTerms,
    WholeNumber,
    Wire,
    WrittenTime,
    at_most,
    stored_as,
)


def _upi_id(text: str) -> str:
    address = on_a_keyboard(text).strip().lower()
    if address and not money.is_upi_address(address):
        raise ValueError("Enter a UPI ID like name@bank")
    return address


def _gst_rate(percent: int) -> int:
    if percent * 100 not in RATES_BPS:
        raise ValueError("Choose 5, 12, 18, 28 or 40 percent")
    return percent


Link = Annotated[Text, AfterValidator(web_link)]
Count = Annotated[WholeNumber, BLANK_IS_ZERO, Field(ge=0, le=1000)]


NoticeVersion = Annotated[
    Annotated[str, at_most(20), CLEAN] | None,
    BeforeValidator(lambda value: value or None),
    Field(alias="noticeVersion", description="The version of the notice about data that the sign-up showed"),
]


class Registration(TypedPlace):
    """A sign-up."""

    name: NameIn
    email: Email = Field(description="E-mail address")
    password: Annotated[str, Field(max_length=1000)] = Field(description="Password")
    address: StreetAddress
    landmark: Landmark = ""
    pincode: Pincode
    city: City
    phone_number: Mobile = Field(alias="phoneNumber", description="Mobile number")
    is_vendor: bool = Field(default=False, alias="isVendor", description="Whether the account is a vendor's")
    notice_version: NoticeVersion = None


class EmailChange(Wire):
    """Another e-mail for one's account, and the account's password."""

    email: Email = Field(description="The new email")
    password: NewPassword = Field(description="The account's password")


class ProfileUpdate(TypedPlace):
    """The part of a profile its owner may change; everything else in the object sent is ignored.

    Clients that only know the specification send no `upi_id` and no `gst_rate`: if left out, they stay as they are.
    """

    address: StreetAddress
    landmark: Landmark = ""
    pincode: Pincode = Field(alias="zipCode")
    city: City
    service_location: Text = Field(default="", description="A location's name; if blank, it stays as it is")
    delivery_supported: Delivers = False
    open_time: OpeningClock = None
    close_time: ClosingClock = None
    closing_days: Weekdays = Field(
        default=[], description="The weekdays on which the vendor is closed, by their English names"
    )
    website: Link = Field(default="", description="Address of the vendor's website, blank if there is none")
    google_maps_link: MapLink = ""
    gst_name: OptionalName = Field(default="", description="Name under which the vendor is registered for GST")
    gst_number: Annotated[Text, AfterValidator(lambda text: text and gst_number(text))] = Field(
        default="", description="GST number (GSTIN)"
    )
    gst_rate: Annotated[WholeNumber, AfterValidator(_gst_rate)] = Field(
        default=DEFAULT_RATE_BPS // 100,
        description="The GST that the vendor's prices include, in percent: 5, 12, 18, 28 or 40",
    )
    booking_contact_no: OptionalMobile = Field(
        default="", description="Mobile number for bookings, blank if there is none"
    )
    booking_whatsapp_no: OptionalMobile = Field(
        default="", description="WhatsApp number for bookings, blank if there is none"
    )
    upi_id: Annotated[Text, AfterValidator(_upi_id)] = Field(
        default="", description="UPI ID, such as name@bank; blank if there is none"
    )
    no_of_staff: Count = Field(default=0, description="How many people work for the vendor")
    no_of_years: Count = Field(default=0, description="How many years the vendor has been in business")
    notes: LongText = Field(default="", description="The vendor's terms for all vehicles")

    @property
    def changes(self) -> dict[str, Any]:
        """The values stored as sent, by column; not model_dump(), which turns times into the wire's text."""
        elsewhere = {"pincode", "state", "county", "service_location"} | ({"upi_id"} - self.model_fields_set)
        rate = {"gst_rate_bps": self.gst_rate * 100} if "gst_rate" in self.model_fields_set else {}
        return {name: value for name, value in self if name not in elsewhere | {"gst_rate"}} | rate


Role = Literal["Customer", "Vendor", "Operator"]


class UserView(Wire):
    """The user's own account and profile."""

    id: ItsId
    name: NameOut
    email: str = Field(description="E-mail address")
    phone_number: str = Field(alias="phoneNumber", description="Mobile number")
    status: str = Field(description="Whether the account may be used")
    image: Picture
    address: str = Field(description="Street address")
    landmark: LandmarkOut
    pincode: PincodeOut = Field(alias="zipCode")
    city: str = Field(description="City")
    state: str = Field(description="State")
    county: str = Field(description="District")
    wallet_paise: RupeesOut = Field(alias="wallet", description="Money in the wallet, in rupees")
    bank_name: str = Field(description="Name of the bank")
    bank_account_no: str = Field(description="Number of the bank account")
    bank_ifsc: str = Field(description="IFSC of the bank's branch")
    commission_percentage: float = Field(description="The platform's share, in percent")
    commission_settle: str = Field(description="How the platform's share is settled")
    role: Annotated[Role, stored_as(Role, "Customer")] = Field(description="What the account may do")
    created_at: WrittenTime = Field(description="When the account was made")
    is_deleted: bool = Field(alias="isDeleted", description="Whether the account is deleted")
    email_verified: bool = Field(alias="emailVerified", description="Whether the email has been confirmed by a link")
    phone_verified: bool = Field(
        alias="phoneVerified", description="Whether the mobile number has been confirmed by a code"
    )
    second_step: bool = Field(alias="secondStep", description="Whether logging in takes a second step")
    recovery_codes_left: int = Field(
        alias="recoveryCodesLeft", description="How many of the ten recovery codes are unused; 0 without a second step"
    )
    full_address: str = Field(alias="fullAddress", description="The whole address on one line")
    gst_name: str = Field(description="Name under which the vendor is registered for GST")
    gst_number: str = Field(description="GST number (GSTIN)")
    gst_rate: int = Field(description="The GST that the vendor's prices include, in percent")
    booking_contact_no: str = Field(description="Mobile number for bookings, blank if there is none")
    booking_whatsapp_no: str = Field(description="WhatsApp number for bookings, blank if there is none")
    upi_id: str = Field(description="UPI ID, such as name@bank; blank if there is none")
    no_of_staff: int = Field(description="How many people work for the vendor")
    no_of_years: int = Field(description="How many years the vendor has been in business")
    service_location: PickupLocality
    delivery_supported: Delivers
    open_time: OpeningClock
    close_time: ClosingClock
    closing_days: ClosingDays
    website: str = Field(description="Address of the vendor's website, blank if there is none")
    google_maps_link: MapLinkOut
    notes: VendorTerms


class Details(TypedPlace):
    """What a customer changes of their account."""

    name: NameIn
    phone_number: Mobile = Field(alias="phoneNumber", description="Mobile number")
    address: StreetAddress
    landmark: Landmark = ""
    pincode: Pincode
    city: City


_IFSC = re.compile(r"[A-Z]{4}0[A-Z0-9]{6}", re.ASCII)
_ACCOUNT_NUMBER = re.compile(r"[0-9]{9,18}", re.ASCII)


def bank_account(text: str) -> tuple[str, str, str]:
    """Bank, account number and IFSC in a text that names them so; raises ValueError."""
    bank, number, ifsc = (part.strip() for part in f"{on_a_keyboard(text)},,".split(",")[:3])
    number, ifsc = re.sub(r"[\s-]", "", number), ifsc.upper()
    if not (bank and _ACCOUNT_NUMBER.fullmatch(number) and _IFSC.fullmatch(ifsc)):
        raise ValueError("Enter bank, account number and IFSC like State Bank of India, 30012345678, SBIN0001234")
    return bank, number, ifsc


ChangeField = Literal["name", "email", "phone", "bank"]
_OF_FIELD: dict[str, TypeAdapter[str]] = {
    "name": TypeAdapter(Name),
    "email": TypeAdapter(Email),
    "phone": TypeAdapter(Mobile),
    "bank": TypeAdapter(Annotated[Required, AfterValidator(lambda text: ", ".join(bank_account(text)))]),
}


class ChangeWish(Body):
    """What a vendor asks to have changed, and their password."""

    field: ChangeField = Field(description="What is to change")
    value: Annotated[str, at_most(320, 1), CLEAN] = Field(
        description="What it is to be; of a bank account: the bank, the number, the IFSC, with commas between them"
    )
    why: Text = Field(default="", description="Why, for whoever decides")
    password: NewPassword = Field(description="The account's password")

    @field_validator("value")
    @classmethod
    def _of_its_field(cls, value: str, info: ValidationInfo) -> str:
        """The value as the account would have it."""
        kind = _OF_FIELD.get(info.data.get("field", ""))
        try:
            return kind.validate_python(value) if kind else value
        except ValidationError as error:
            raise ValueError(error.errors()[0]["msg"].removeprefix("Value error, ")) from None


class ChangeView(Wire):
    """A vendor's request for a change of their account."""

    id: ItsId
    field: ChangeField = Field(description="What is to change")
    value: str = Field(description="What it is to be")
    why: str = Field(description="Why it was asked for")
    created_at: IndianTime = Field(alias="createdAt", description="When it was asked for")
    state: Literal["open", "granted", "refused", "withdrawn"] = Field(description="What has become of it")
    reason: str = Field(description="Why it was decided so, blank if nothing was said")


class ChangesAnswer(Answer):
    """What a vendor has asked for, the latest first."""

    requests: list[ChangeView] = Field(description="The requests")


class ChangeAnswer(Answer):
    """A new request."""

    request: ChangeView = Field(description="The request")


class RecoveryView(Wire):
    """Another email, mobile number or both that an operator was asked to give to an account, and that waits."""

    fields: list[Literal["email", "phone"]] = Field(description="What of the account is to change")
    begun_at: IndianTime = Field(alias="begunAt", description="When an operator began it")
    changes_at: IndianTime = Field(alias="changesAt", description="When it changes, unless it is stopped before")


class RecoveryAnswer(Answer):
    """What waits for the account, null if nothing does."""

    recovery: RecoveryView | None = Field(description="What waits, with when it changes")


class UserAnswer(Answer):
    """The user a token belongs to."""

    user: UserView = Field(description="The account and profile")


Works = Annotated[
    MemberRole,
    Field(description="`counter`: bookings, handovers, calendar, blocks; `manager`: also vehicles, prices, earnings"),
]
Expires = Annotated[IndianTime, Field(alias="expiresAt", description="Until when it can be accepted")]


class RoleRequest(ExactBody):
    """What a member does from now on."""

    role: Works


class InvitationRequest(RoleRequest):
    """Whom a vendor invites to work for them, by an address that may have an account or not."""

    email: Email = Field(description="E-mail address")


class InvitationView(Wire):
    """An invitation that can still be accepted."""

    id: ItsId
    email: str = Field(description="E-mail address")
    role: Works
    expires_at: Expires


class InvitationAnswer(Answer):
    """An invitation that is on its way."""

    invitation: InvitationView = Field(description="The invitation")


class WorkOffer(Wire):
    """What somebody is invited to."""

    vendor: str = Field(description="The name of the vendor who invites")
    role: Works
    expires_at: Expires


class WorkOfferAnswer(Answer):
    """What somebody is invited to, or has accepted."""

    invitation: WorkOffer = Field(description="The invitation")


class MemberView(Wire):
    """A member, by the id of their account."""

    id: ItsId
    name: str = Field(description="The member's name")
    email: str = Field(description="E-mail address")
    role: Works
    since: IndianTime = Field(description="Since when")


class MemberAnswer(Answer):
    """A member as they are now."""

    member: MemberView = Field(description="The member")


class MembersAnswer(Answer):
    """A vendor's members, and the invitations nobody has accepted yet."""

    members: list[MemberView] = Field(description="The members")
    invitations: list[InvitationView] = Field(description="The invitations that can still be accepted")
