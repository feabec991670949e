"""What people write about themselves: names, e-mails, mobile numbers, addresses, opening hours, links."""

import re
from collections.abc import Mapping
from datetime import time
from typing import Annotated, Any

from email_validator import EmailNotValidError, ValidatedEmail, validate_email
from pydantic import AfterValidator, BeforeValidator, EmailStr, Field, PlainSerializer, TypeAdapter, ValidationError
from pydantic.networks import HttpUrl

from rental_app.domain.characters import as_typed, has_letter, in_one_script, on_a_keyboard, without_hidden
from rental_app.domain.clock import WEEKDAYS
from rental_app.domain.contacts import mobile
from rental_app.domain.hours import format_time, parse_time
from rental_app.schemas.wire import CLEAN, Body, Line, Text, at_most, visible_characters

# Maps put the whole place, as it is shown, into their addresses.
MAX_LINK = 2000

_URL = TypeAdapter(HttpUrl)
# Browsers drop line breaks inside a URL and read a backslash as a slash.
_HIDDEN = re.compile(r"[\s\\]")
# A host name with a dot and perhaps a path, without a scheme.
_WITHOUT_SCHEME = re.compile(r"[\w-]+(\.[\w-]+)*\.[^\W\d_]{2,}(:[0-9]+)?([/?#]\S*)?")
_ANYWHERE, _MAPS, _START_OR_MAPS = re.compile("/.*"), re.compile("/maps(/.*)?"), re.compile("/(maps(/.*)?)?")
# Hosts of maps, with the paths that are maps there: other paths at Google can redirect anywhere.
_MAP_HOSTS = {
    "maps.app.goo.gl": _ANYWHERE,
    "maps.apple.com": _ANYWHERE,
    "maps.apple": _ANYWHERE,
    "openstreetmap.org": _ANYWHERE,
    "www.openstreetmap.org": _ANYWHERE,
    "osm.org": _ANYWHERE,
    "goo.gl": _MAPS,
    "google.com": _MAPS,
    "www.google.com": _MAPS,
    "google.co.in": _MAPS,
    "www.google.co.in": _MAPS,
    "maps.google.com": _START_OR_MAPS,
    "maps.google.co.in": _START_OR_MAPS,
}


def web_link(text: str) -> str:
    """A link with http or https and without a password in it, '' for none; raises ValueError."""
    link = _whole(text)
    if not link:
        return ""
    _parsed(link)
    return link


def map_link(text: str) -> str:
    """A link to Google's, OpenStreetMap's or Apple's maps, '' for none; raises ValueError."""
    link = _whole(_shared(text)) if text else ""
    if not link:
        return ""
    url = _parsed(link)
    paths = _MAP_HOSTS.get(url.host or "")
    if not paths or not paths.fullmatch(url.path or "/") or url.port not in (80, 443):
        raise ValueError("Enter a link to Google Maps, OpenStreetMap or Apple Maps")
    return link


def _whole(text: str) -> str:
    """The link with the scheme that people leave out: www.shop.in is https://www.shop.in."""
    text = without_hidden(text).strip()
    return f"https://{text}" if _WITHOUT_SCHEME.fullmatch(text) else text


def _shared(text: str) -> str:
    """The link in what a map's app shares: the place's name, its address and one link, each on a line of its own."""
    *before, last = text.split() or [""]
    schemes = ("https://", "http://")
    return last if last.startswith(schemes) and not any(part.startswith(schemes) for part in before) else text


def _parsed(text: str) -> HttpUrl:
    try:
        url = _URL.validate_python(text)
    except ValidationError:
        raise ValueError("Enter a link that starts with http:// or https://") from None
    if _HIDDEN.search(text):
        raise ValueError("Enter a link without spaces, line breaks or backslashes")
    if url.username or url.password:
        raise ValueError("Enter a link without a user name or password")
    return url


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
