"""Shapes of people: registration, login, one's own profile."""

import re
from collections.abc import Mapping
from datetime import time
from typing import Annotated, Any, Literal

from email_validator import EmailNotValidError, ValidatedEmail, validate_email
from pydantic import (
    AfterValidator,
    BeforeValidator,
    EmailStr,
    Field,
    PlainSerializer,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from rental_app.domain import upi
from rental_app.domain.characters import as_typed, has_letter, in_one_script, on_a_keyboard
from rental_app.domain.clock import WEEKDAYS
from rental_app.domain.contacts import mobile
from rental_app.domain.gst import gst_number
from rental_app.domain.hours import format_time, parse_time
from rental_app.schemas.links import MAX_LINK, map_link, web_link
from rental_app.schemas.wire import (
    BLANK_IS_ZERO,
    CLEAN,
    Answer,
    Body,
    ClosingDays,
    Delivers,
    IndianTime,
    ItsId,
    Line,
    LongText,
    NameOut,
    PickupLocality,
    Picture,
    PincodeOut,
    Refusal,
    RupeesOut,
    Text,
    VendorTerms,
    WholeNumber,
    Wire,
    WrittenTime,
    at_most,
    stored_as,
    visible_characters,
)

_PINCODE = re.compile(r"[1-9][0-9]{5}")
PINCODE_DIGITS = 6


def pincode(text: str) -> str:
    """The six digits of what can be a pincode, which people also write 500 032; raises ValueError otherwise."""
    digits = re.sub(r"[\s-]", "", on_a_keyboard(text))
    if not _PINCODE.fullmatch(digits):
        raise ValueError("Enter a 6-digit pincode")
    return digits


def _name(text: str) -> str:
    if not has_letter(visible_characters(text)):
        raise ValueError("A name needs a letter")
    return text


def _bare(email: Any) -> Any:
    """The address without what was copied with it unseen, and without the "mailto:" of a copied link."""
    if not isinstance(email, str):
        return email
    if "<" in email:
        raise ValueError("Enter the address alone, without a name")
    return re.sub(r"\Amailto:", "", as_typed(email), flags=re.IGNORECASE)


def _one_script(email: str) -> str:
    if not in_one_script(email):
        raise ValueError("Use letters of one alphabet only")
    return email


def _parts(email: str) -> ValidatedEmail:
    return validate_email(email, check_deliverability=False)


def _in_punycode(email: str) -> str:
    """The address with its domain as mail servers know it, so that it has one spelling."""
    parts = _parts(email)
    return f"{parts.local_part}@{parts.ascii_domain}"


def spellings(email: str) -> set[str]:
    """An e-mail with its domain in punycode and in its own script, as accounts of earlier versions have it."""
    try:
        parts = _parts(email)
    except EmailNotValidError:
        return {email}
    return {email, f"{parts.local_part}@{parts.domain}"}


def _upi_id(text: str) -> str:
    address = on_a_keyboard(text).strip().lower()
    if address and not upi.is_address(address):
        raise ValueError("Enter a UPI ID like name@bank")
    return address


def clock_time(value: Any) -> time | None:
    """A time, or the text of one, None if it is left blank; raises ValueError for anything else."""
    if value in (None, ""):
        return None
    return value if isinstance(value, time) else parse_time(str(value))


def _weekdays(value: Any) -> list[str]:
    names = value.split(",") if isinstance(value, str) else value or []
    if not isinstance(names, list):
        raise ValueError("Send a list of weekdays")
    days = [str(name).strip().capitalize() for name in names if str(name).strip()]
    if any(day not in WEEKDAYS for day in days):
        raise ValueError("Use English names of weekdays, like Monday")
    if len(set(days)) == len(WEEKDAYS):
        raise ValueError("Leave at least one day open")
    return sorted(set(days), key=WEEKDAYS.index)


Mobile = Annotated[Text, AfterValidator(mobile)]
Pincode = Annotated[Text, AfterValidator(pincode), Field(description="The six digits of the pincode")]
OptionalMobile = Annotated[Text, AfterValidator(lambda text: text and mobile(text))]
Link = Annotated[Text, AfterValidator(web_link)]
MapLink = Annotated[
    str,
    at_most(MAX_LINK),
    CLEAN,
    AfterValidator(map_link),
    Field(description="Address of the place on Google Maps, blank if there is none"),
]
ClockTime = Annotated[
    time | None,
    BeforeValidator(clock_time, json_schema_input_type=str | None),
    PlainSerializer(lambda t: format_time(t) if t else "", return_type=str),
]
OpenTime = Annotated[time, PlainSerializer(format_time, return_type=str)]
Weekdays = Annotated[list[str], BeforeValidator(_weekdays, json_schema_input_type=list[str] | str | None)]
Count = Annotated[WholeNumber, BLANK_IS_ZERO, Field(ge=0, le=1000)]
Required = Annotated[Text, Field(min_length=1)]
Email = Annotated[
    EmailStr,
    BeforeValidator(_bare),
    AfterValidator(str.lower),
    AfterValidator(_one_script),
    AfterValidator(_in_punycode),
]
_EMAIL: TypeAdapter[str] = TypeAdapter(Email)
Name = Annotated[Line, Field(min_length=1), AfterValidator(_name)]
OptionalName = Annotated[Line, AfterValidator(lambda text: text and _name(text))]
MapLinkOut = Annotated[str, Field(description="Address of the place on Google Maps, blank if there is none")]
NameIn = Annotated[Name, Field(description="Its name")]
PhoneNumber = Annotated[Mobile, Field(description="Mobile number, blank if there is none")]
StreetAddress = Annotated[Required, Field(description="Street address")]
City = Annotated[Required, Field(description="City")]
Landmark = Annotated[Text, Field(description="What is near the address, blank if nothing is given")]
LandmarkOut = Annotated[str, Field(description="What is near the address, blank if nothing is given")]
ClosingClock = Annotated[ClockTime, Field(description="When the vendor closes, such as 09:00 PM, in Indian time")]
ClosingTime = Annotated[OpenTime, Field(description="When the vendor closes, such as 09:00 PM, in Indian time")]
OpeningClock = Annotated[ClockTime, Field(description="When the vendor opens, such as 09:00 AM, in Indian time")]
OpeningTime = Annotated[OpenTime, Field(description="When the vendor opens, such as 09:00 AM, in Indian time")]


def as_signed_up(email: str) -> str:
    """An e-mail as sign-up would write it."""
    try:
        return _EMAIL.validate_python(email)
    except ValidationError:
        return as_typed(email).lower()


def typed_place(data: Mapping[str, Any]) -> tuple[str, str]:
    """State and district in what a form sends, in which nothing has been checked yet."""
    return str(data.get("state") or "").strip(), str(data.get("county") or "").strip()


class TypedPlace(Body):
    """State and district (`county`) of a pincode that the look-up does not know; for others, they are ignored.

    The post opens new offices: nobody is turned away for a pincode that is not among those known.
    """

    state: Text = Field(default="", description="Only for a pincode that the look-up does not know")
    county: Text = Field(default="", description="The district of such a pincode")

    @property
    def typed_place(self) -> tuple[str, str]:
        """State and district, as sent."""
        return self.state, self.county


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


def token_in(text: str) -> str:
    """The token of a link as people paste it: with the white space of a mail program, or the whole link."""
    bare = re.sub(r"\s", "", text)
    named = re.search(r"[?&]token=([\w-]+)", bare, re.ASCII)
    return named[1] if named else bare


# What a login is asked with: any text, of which all that matters is whether an account has it.
LoginEmail = Annotated[str, at_most(320, 1), CLEAN, AfterValidator(as_signed_up)]
NewPassword = Annotated[str, Field(min_length=1, max_length=1000)]
Password = Annotated[NewPassword, Field(description="Password")]
Device = Annotated[
    Annotated[str, Field(max_length=200)] | None,
    Field(description="A random text that a device keeps, so that its next login is not told as a new device's"),
]
LinkToken = Annotated[
    str,
    at_most(2000, 1),
    AfterValidator(token_in),
    Field(description="The token of the link, or the whole link; white space in it does not matter"),
]


class ForgottenPassword(Wire):
    """The e-mail of an account whose password is forgotten."""

    email: LoginEmail = Field(description="E-mail address")


class LinkUse(Wire):
    """What proves that an address is read."""

    token: LinkToken


class OwnLinkUse(LinkUse):
    """The same, with the account's password where its owner is not logged in to it."""

    password: NewPassword | None = Field(default=None, description="Password")


class EmailChange(Wire):
    """Another e-mail for one's account, and the account's password."""

    email: Email = Field(description="The new email")
    password: NewPassword = Field(description="The account's password")


class PasswordReset(Wire):
    """A new password, and what proves that its account's e-mail is read."""

    token: LinkToken
    password: NewPassword = Field(description="The new password")


class PasswordChange(Wire):
    """The present password, and the new one."""

    current: NewPassword = Field(description="The present password")
    password: NewPassword = Field(description="The new password")


class Credentials(Wire):
    """A login. The email may be any text: all that matters is whether an account has it, as sign-up would write it."""

    email: LoginEmail = Field(description="E-mail address")
    password: Password
    # A key that the device keeps, so that its owner is not told of it as of a new one.
    device: Device = None


def six_digits(text: str) -> str:
    """The digits of a code, as people copy it: 123 456; raises ValueError."""
    digits = re.sub(r"[\s-]", "", on_a_keyboard(text))
    if not re.fullmatch(r"[0-9]{6}", digits):
        raise ValueError("Enter the 6 digits of the code")
    return digits


SixDigits = Annotated[Text, AfterValidator(six_digits)]


class Phone(Wire):
    """A mobile number that a code is to be sent to."""

    phone: PhoneNumber


class LoginCodeWish(Phone):
    """A mobile number that a code to log in with is to be sent to, and who asks."""

    device: Annotated[str, Field(max_length=200)] | None = Field(
        default=None,
        description="The device's random text: the code is its own then, and a known device has texts of its own",
    )


class PhoneCode(Phone):
    """A mobile number, and the code sent to it."""

    code: SixDigits = Field(description="The six digits that were sent to the number")


class CodeLogin(PhoneCode):
    """A login by a code."""

    device: Device = None


class OwnPassword(Wire):
    """The password of somebody who is logged in."""

    password: Password


class StepCode(Wire):
    """A code of an authenticator app."""

    code: Annotated[str, at_most(100, 1), CLEAN] = Field(
        description="The six digits that the app shows, or a recovery code"
    )


class StepOff(StepCode):
    """What turns the second step off, or makes new recovery codes."""

    password: Password


class StepAnswer(StepCode):
    """The second step of a login."""

    challenge: LinkToken = Field(description="What the login was refused with")
    device: Device = None


class LoginRefusal(Refusal):
    """A login that was refused; one that a second step has to follow brings what that is given with."""

    challenge: str | None = Field(default=None, description="Only with `second_step`: for the call that gives it")


class StepSetup(Wire):
    """What an authenticator app needs to know."""

    secret: str = Field(description="The key to type into an authenticator app")
    uri: str = Field(description="The same as an `otpauth://` address, to be shown as a QR code")


class StepSetupAnswer(Answer, StepSetup):
    """The key for an app, which counts once a code is confirmed."""


class RecoveryCodesAnswer(Answer):
    """Recovery codes that their owner has not yet kept; none once they are, and after a week."""

    recovery_codes: list[str] = Field(
        alias="recoveryCodes", description="Each stands in for the app once, for when it is lost"
    )


class ProfileUpdate(TypedPlace):
    """The part of a profile its owner may change; everything else in the object sent is ignored.

    Clients that only know the specification send no `upi_id`: if left out, it stays as it is.
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
        return {name: value for name, value in self if name not in elsewhere}


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
    "email": _EMAIL,
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


class SessionView(Wire):
    """A device that is logged in."""

    id: str = Field(description="What names it, for logging it out")
    current: bool = Field(description="Whether it is the one that asks")
    created_at: IndianTime = Field(alias="createdAt", description="When it logged in")
    last_seen: IndianTime = Field(alias="lastSeen", description="When it was last used, to the hour")
    device: str = Field(description="What it is, such as Chrome on Android")


class SessionsAnswer(Answer):
    """Where an account is logged in, this device first."""

    sessions: list[SessionView] = Field(description="The devices that are logged in")


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


class TokenAnswer(Answer):
    """A fresh token."""

    token: str = Field(description="The token, to be sent as `Authorization: Bearer`")
