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
    IndianTime,
    Line,
    LongText,
    Refusal,
    RupeesOut,
    Text,
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
Pincode = Annotated[Text, AfterValidator(pincode)]
OptionalMobile = Annotated[Text, AfterValidator(lambda text: text and mobile(text))]
Link = Annotated[Text, AfterValidator(web_link)]
MapLink = Annotated[str, at_most(MAX_LINK), CLEAN, AfterValidator(map_link)]
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

    name: Name
    email: Email
    password: Annotated[str, Field(max_length=1000)]
    address: Required
    landmark: Text = ""
    pincode: Pincode
    city: Required
    phone_number: Mobile = Field(alias="phoneNumber")
    is_vendor: bool = Field(default=False, alias="isVendor")


def token_in(text: str) -> str:
    """The token of a link as people paste it: with the white space of a mail program, or the whole link."""
    bare = re.sub(r"\s", "", text)
    named = re.search(r"[?&]token=([\w-]+)", bare, re.ASCII)
    return named[1] if named else bare


# What a login is asked with: any text, of which all that matters is whether an account has it.
LoginEmail = Annotated[str, at_most(320, 1), CLEAN, AfterValidator(as_signed_up)]
NewPassword = Annotated[str, Field(min_length=1, max_length=1000)]
LinkToken = Annotated[str, at_most(2000, 1), AfterValidator(token_in)]


class ForgottenPassword(Wire):
    """The e-mail of an account whose password is forgotten."""

    email: LoginEmail


class LinkUse(Wire):
    """What proves that an address is read."""

    token: LinkToken


class OwnLinkUse(LinkUse):
    """The same, with the account's password where its owner is not logged in to it."""

    password: NewPassword | None = None


class EmailChange(Wire):
    """Another e-mail for one's account, and the account's password."""

    email: Email
    password: NewPassword


class PasswordReset(Wire):
    """A new password, and what proves that its account's e-mail is read."""

    token: LinkToken
    password: NewPassword


class PasswordChange(Wire):
    """The present password, and the new one."""

    current: NewPassword
    password: NewPassword


class Credentials(Wire):
    """A login. The email may be any text: all that matters is whether an account has it, as sign-up would write it."""

    email: LoginEmail
    password: NewPassword
    # A key that the device keeps, so that its owner is not told of it as of a new one.
    device: Annotated[str, Field(max_length=200)] | None = None


def six_digits(text: str) -> str:
    """The digits of a code, as people copy it: 123 456; raises ValueError."""
    digits = re.sub(r"[\s-]", "", on_a_keyboard(text))
    if not re.fullmatch(r"[0-9]{6}", digits):
        raise ValueError("Enter the 6 digits of the code")
    return digits


SixDigits = Annotated[Text, AfterValidator(six_digits)]


class Phone(Wire):
    """A mobile number that a code is to be sent to."""

    phone: Mobile


class LoginCodeWish(Phone):
    """A mobile number that a code to log in with is to be sent to, and who asks."""

    device: Annotated[str, Field(max_length=200)] | None = None


class PhoneCode(Phone):
    """A mobile number, and the code sent to it."""

    code: SixDigits = Field(description="The six digits that were sent to the number")


class CodeLogin(PhoneCode):
    """A login by a code."""

    device: Annotated[str, Field(max_length=200)] | None = None


class OwnPassword(Wire):
    """The password of somebody who is logged in."""

    password: NewPassword


class StepCode(Wire):
    """A code of an authenticator app."""

    code: Annotated[str, at_most(100, 1), CLEAN] = Field(
        description="The six digits that the app shows, or a recovery code"
    )


class StepOff(StepCode):
    """What turns the second step off, or makes new recovery codes."""

    password: NewPassword


class StepAnswer(StepCode):
    """The second step of a login."""

    challenge: LinkToken = Field(description="What the login was refused with")
    device: Annotated[str, Field(max_length=200)] | None = None


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

    address: Required
    landmark: Text = ""
    pincode: Pincode = Field(alias="zipCode")
    city: Required
    service_location: Text = Field(default="", description="A location's name; if blank, it stays as it is")
    delivery_supported: bool = False
    open_time: ClockTime = None
    close_time: ClockTime = None
    closing_days: Weekdays = []
    website: Link = ""
    google_maps_link: MapLink = ""
    gst_name: OptionalName = ""
    gst_number: Annotated[Text, AfterValidator(lambda text: text and gst_number(text))] = ""
    booking_contact_no: OptionalMobile = ""
    booking_whatsapp_no: OptionalMobile = ""
    upi_id: Annotated[Text, AfterValidator(_upi_id)] = ""
    no_of_staff: Count = 0
    no_of_years: Count = 0
    notes: LongText = ""

    @property
    def changes(self) -> dict[str, Any]:
        """The values stored as sent, by column; not model_dump(), which turns times into the wire's text."""
        elsewhere = {"pincode", "state", "county", "service_location"} | ({"upi_id"} - self.model_fields_set)
        return {name: value for name, value in self if name not in elsewhere}


Role = Literal["Customer", "Vendor", "Operator"]


class UserView(Wire):
    """The user's own account and profile."""

    id: int
    name: str
    email: str
    phone_number: str = Field(alias="phoneNumber")
    status: str
    image: str
    address: str
    landmark: str
    pincode: str = Field(alias="zipCode")
    city: str
    state: str
    county: str
    wallet_paise: RupeesOut = Field(alias="wallet")
    bank_name: str
    bank_account_no: str
    bank_ifsc: str
    commission_percentage: float
    commission_settle: str
    role: Annotated[Role, stored_as(Role, "Customer")]
    created_at: WrittenTime
    is_deleted: bool = Field(alias="isDeleted")
    email_verified: bool = Field(alias="emailVerified", description="Whether the email has been confirmed by a link")
    phone_verified: bool = Field(
        alias="phoneVerified", description="Whether the mobile number has been confirmed by a code"
    )
    second_step: bool = Field(alias="secondStep", description="Whether logging in takes a second step")
    recovery_codes_left: int = Field(
        alias="recoveryCodesLeft", description="How many of the ten recovery codes are unused; 0 without a second step"
    )
    full_address: str = Field(alias="fullAddress")
    gst_name: str
    gst_number: str
    booking_contact_no: str
    booking_whatsapp_no: str
    upi_id: str
    no_of_staff: int
    no_of_years: int
    service_location: str
    delivery_supported: bool
    open_time: ClockTime
    close_time: ClockTime
    closing_days: list[str]
    website: str
    google_maps_link: str
    notes: str


class Details(TypedPlace):
    """What a customer changes of their account."""

    name: Name
    phone_number: Mobile = Field(alias="phoneNumber")
    address: Required
    landmark: Text = ""
    pincode: Pincode
    city: Required


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
    password: NewPassword

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

    id: int
    field: ChangeField
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

    sessions: list[SessionView]


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

    user: UserView


class TokenAnswer(Answer):
    """A fresh token."""

    token: str
