"""A fleet as shops keep it in a spreadsheet: which column is which, and what a cell says."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from rental_app.domain.characters import composed, in_sight, on_a_keyboard
from rental_app.domain.money import plain_kilometres, read_rupees
from rental_app.domain.pricing import PLAN_NAMES
from rental_app.domain.registration import rc_number

# A row's number in the sheet, from 1, and its cells as text.
SheetRow = tuple[int, Sequence[str]]

# Words of headers that say the same; one that says nothing becomes "".
_SAME = {
    "no": "number num nos nr",
    "reg": "registration regn regd registered",
    "vehicle": "veh bike car vehicles",
    "owner": "owners",
    "maker": "manufacturer make brand company mfr",
    "type": "category segment",
    "color": "colour",
    "year": "yr yom",
    "made": "manufacture manufactured manufacturing mfg mfd",
    "insurance": "ins policy",
    "pollution": "puc pucc emission",
    "expiry": "expires expire exp expiration valid validity upto up till until due ends renewal",
    "service": "serviced servicing",
    "odometer": "odo odometre meter",
    "km": "kms kilometer kilometers kilometre kilometres",
    "hour": "hr hrs hourly hours",
    "day": "daily days fullday",
    "week": "weekly",
    "month": "monthly",
    "price": "rate rates rent rental tariff fare prices",
    "charge": "charges fee fees penalty fine payment",
    "limit": "limits free included allowed",
    "deposit": "advance",
    "extra": "excess additional distance",
    "drop": "dropoff delivery",
    "pickup": "pick collection",
    "chassis": "vin frame",
    "terms": "conditions notes remarks rules",
    "": "the of in as per a an rs inr rupees date dt amount on to and reading security refundable current off kmph kmh",
}
_WORD = {word: same for same, words in _SAME.items() for word in words.split()}
# How headers spell a field, as the words above in any order.
_SPELLINGS = {
    "rc_number": "reg no|vehicle no|rc|rc no|vehicle reg no|reg|plate|no plate|vehicle plate no|vehicle reg|reg mark|"
    "rc reg no|vehicle rc no|vehicle id",
    "vehicleType": "type|vehicle type|type vehicle",
    "manufacturer": "maker|vehicle maker|maker name",
    "model": "model|vehicle|vehicle model|vehicle name|maker model|model name|name|vehicle maker model",
    "year": "year|made year|model year|made|year made vehicle",
    "color": "color|vehicle color|body color",
    "engine_number": "engine no|engine|motor no",
    "chassis_number": "chassis no|chassis",
    "owner_name_as_per_rc": "owner|owner name|owner name rc|reg owner|rc owner|name rc|rc name|owner rc|reg owner name",
    "odometer_reading": "odometer|odometer km|km|km run|total km|km done|km driven",
    "last_serviced_date": "last service|service|service last km",
    "insurance_expiry_date": "insurance|insurance expiry",
    "pollution_expiry_date": "pollution|pollution expiry|pollution certificate expiry|pollution certificate",
    "speed_limit_kmph": "speed limit|speed|max speed|top speed|speed limit km hour",
    "late_penalty_per_hour": "late charge|late charge hour|late hour|extra hour charge|extra hour|late return charge|"
    "late",
    "distance_penalty_per_km": "extra km charge|extra km|extra charge km|extra km price|charge km|extra charge",
    "security_deposit": "deposit",
    "drop_off_payment": "drop charge|drop",
    "pick_up_payment": "pickup charge|pickup",
    "terms": "terms|vehicle terms",
    "Half Day.price": "half day|price half day|halfday|price halfday|half day charge|halfday charge",
    "Full Day.price": "price|price day|day|full day|full day price|charge day",
    "Week.price": "price week|week|week charge",
    "Month.price": "price month|month|month charge",
    "Half Day.kms_limit": "half day km|half day km limit|km limit half day|halfday km",
    "Full Day.kms_limit": "km limit|km limit day|full day km|full day km limit|km day",
    "Week.kms_limit": "week km|week km limit",
    "Month.kms_limit": "month km|month km limit",
}
# Words that mean something else together.
_JOINED = (
    (r"\bpick[ -]+up\b", "pickup"),
    (r"\bdrop[ -]+off\b", "dropoff"),
    (r"\b12 ?-?(?:h|hrs?|hours?)\b", "halfday"),
    (r"\b24 ?-?(?:h|hrs?|hours?)\b", "day"),
    (r"\bt ?[&+] ?c\b", "terms"),
)
_FIELDS = {frozenset(words.split()): field for field, all_ in _SPELLINGS.items() for words in all_.split("|")}
# The header is looked for in so many rows; titles and addresses stand above it.
HEADER_WITHIN = 40
# Of a sheet so many rows are read: ten times what may become drafts.
MOST_ROWS = 2_000
# What a title, or any cell but the terms, can have: longer ones would keep the patterns below busy for hours.
LONGEST = 200
_TOO_LONG = f"Enter at most {LONGEST} characters"
_NAMING = {"rc_number", "model"}
DAYS = frozenset({"last_serviced_date", "insurance_expiry_date", "pollution_expiry_date"})
KILOMETRES = frozenset({"odometer_reading", *(f"{plan}.kms_limit" for plan in PLAN_NAMES)})
AMOUNTS = frozenset(
    {
        *("late_penalty_per_hour", "distance_penalty_per_km", "security_deposit", "drop_off_payment"),
        *("pick_up_payment", *(f"{plan}.price" for plan in PLAN_NAMES)),
    }
)
# What a sheet to fill in has, in this order.
TEMPLATE = {
    "RC Number": "TS09EA1234",
    "Vehicle Type": "Scooter",
    "Manufacturer": "Honda",
    "Model": "Activa 6G",
    "Year": "2024",
    "Color": "White",
    "Engine Number": "JF50E1234567",
    "Chassis Number": "ME4JF501AJT123456",
    "Owner Name (as per RC)": "Lakshmi Rao",
    "Odometer Reading": "12,000",
    "Last Serviced Date": "05/11/2026",
    "Insurance Expiry Date": "04/11/2027",
    "Pollution Expiry Date": "04/05/2027",
    "Speed Limit (kmph)": "70",
    "Late Penalty per hour": "50",
    "Distance Penalty per km": "4.50",
    "Security Deposit": "2,000",
    "Rate per half day": "300",
    "Rate per day": "450",
    "Rate per week": "2,800",
    "Rate per month": "9,000",
    "Km limit per day": "120",
    "Drop-off charge": "150",
    "Pickup charge": "150",
    "Terms": "Helmet on. No racing.",
}

_BLANK = re.compile(r"[-–—.]*|n\.?/?a\.?|nil|none|null", re.IGNORECASE)
# The column that counts the rows.
_COUNTING = re.compile(r"(?:s|sl|sr|serial)?[. ]*(?:no|nr|#)?[. ]*", re.IGNORECASE)
# Spreadsheets put an apostrophe before text that would be a formula, and so do our own tables.
_QUOTED = re.compile(r"'(?=\s*[=+@-])")
_PER = re.compile(
    r"(?:/|per|p\.?|a)?\s*(?:day|hour|hr|h|km|kms|week|month|d|only)s?\.?|\(.*\)|only", re.IGNORECASE | re.ASCII
)
_MONTHS = {
    name: number
    for number, names in enumerate(
        "jan january|feb february|mar march|apr april|may|jun june|jul july|aug august|sep sept september|"
        "oct october|nov november|dec december".split("|"),
        1,
    )
    for name in names.split()
}
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?", re.ASCII)
_NUMBERS = re.compile(r"(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})(?:\s+\d{1,2}:\d{2}.*)?", re.ASCII)
_NAMED = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?[-/. ,]*([a-z]{3,9})[-/. ,']*(\d{4}|\d{2})", re.ASCII | re.IGNORECASE)
_MONTH_FIRST = re.compile(r"([a-z]{3,9})[-/. ]*(\d{1,2})(?:st|nd|rd|th)?[-/. ,]+(\d{4})", re.ASCII | re.IGNORECASE)
# Days since the end of 1899, as spreadsheets count: from 1982 to 2064.
_SERIAL, _SERIAL_BEGIN = re.compile(r"[3-5]\d{4}", re.ASCII), date(1899, 12, 30)
_YEAR = re.compile(r"(?:.*\D)?(\d{4})(?:\D.*)?", re.ASCII | re.DOTALL)


class CatalogueModel(NamedTuple):
    """A model that can be listed, with its maker and type."""

    type_id: int
    type_name: str
    maker_id: int
    maker: str
    model_id: int
    model: str


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a sheet: its row, and by column which field it is and what it is called there."""

    row: int
    fields: Mapping[int, str]
    titles: Mapping[int, str]
    unknown: Sequence[str]


def header_of(rows: Sequence[SheetRow]) -> Header | None:
    """The row that names the most columns; None if no row names two, one of them the RC number or the model."""
    headers = [_header(row) for row in rows[:HEADER_WITHIN]]
    fit = [header for header in headers if len(header.fields) > 1 and _NAMING & {*header.fields.values()}]
    return max(fit, key=lambda header: len(header.fields), default=None)


def _header(row: SheetRow) -> Header:
    number, cells = row
    fields: dict[int, str] = {}
    titles = _titles(cells)
    for place, title in titles.items():
        field = field_of(title)
        # Of two columns for one field the first counts.
        if field and field not in fields.values():
            fields[place] = field
    unknown = [title for place, title in titles.items() if place not in fields and not _COUNTING.fullmatch(title)]
    return Header(number, fields, titles, unknown)


def _titles(cells: Sequence[str]) -> dict[int, str]:
    return {place: " ".join(cell[:LONGEST].split()) for place, cell in enumerate(cells) if cell[:LONGEST].strip()}


def field_of(title: str) -> str:
    """The field that a header spells: "Reg. No", "Rate/day (Rs)"; "" if it is none that we know."""
    plain = re.sub(r"\(.*?\)", " ", on_a_keyboard(title).lower()).replace("'", "").replace("r.c", "rc")
    for pattern, word in _JOINED:
        plain = re.sub(pattern, word, plain)
    words = [_WORD.get(word, word) for word in re.findall("[a-z]+", plain)]
    return _FIELDS.get(frozenset(words) - {""}, "")


def is_header_again(header: Header, cells: Sequence[str]) -> bool:
    """Whether a row repeats the header, as on each printed page."""
    return _titles(cells) == header.titles


def plain_text(cell: str) -> str:
    """A cell's text: composed, nothing hidden, no blanks around it, "" for a dash or "NA"."""
    text = _QUOTED.sub("", in_sight(composed(cell)).strip(), count=1)
    return "" if _BLANK.fullmatch(text) else text


def read_cell(field: str, text: str) -> str:
    """What the form has of a field for the text of a cell that is not blank. Raises ValueError with what is wrong."""
    if len(text) > LONGEST and field != "terms":
        raise ValueError(_TOO_LONG)
    if field in DAYS:
        return read_day(text).isoformat()
    if field in AMOUNTS:
        return read_amount(text)
    if field in KILOMETRES:
        return read_kilometres(text)
    if field == "rc_number":
        return rc_number(text)
    if field == "year":
        return read_year(text)
    return re.sub(r"(?i)\s*(?:kmph|km/?h|kms?)\.?$", "", text) if field == "speed_limit_kmph" else text


def read_day(text: str) -> date:
    """A day as people write it, the day before the month: 05/11/2026, 5-Nov-26, 2026-11-05. Raises ValueError."""
    plain = on_a_keyboard(text).strip()
    try:
        if match := _ISO.fullmatch(plain):
            return date(int(match[1]), int(match[2]), int(match[3]))
        if match := _NUMBERS.fullmatch(plain):
            return date(_full_year(match[3]), int(match[2]), int(match[1]))
        if match := _NAMED.fullmatch(plain):
            return date(_full_year(match[3]), _MONTHS[match[2].lower()], int(match[1]))
        if match := _MONTH_FIRST.fullmatch(plain):
            return date(int(match[3]), _MONTHS[match[1].lower()], int(match[2]))
        if _SERIAL.fullmatch(plain):
            return _SERIAL_BEGIN + timedelta(days=int(plain))
    except (ValueError, KeyError):
        pass
    raise ValueError("Use a date like 05/11/2026: day, month, year")


def _full_year(text: str) -> int:
    return int(text) if len(text) == 4 else 2000 + int(text)


def read_amount(text: str) -> str:
    """Rupees, plainly: "120000" for "Rs 1,20,000/-", "500" for "500 per day". Raises ValueError."""
    plain = on_a_keyboard(text).strip()
    amount = re.match(r"[^\d]*[\d.,]*\d\.?(?:\s*/-)?", plain, re.ASCII)
    rest = plain[amount.end() :].strip() if amount else ""
    if not amount or (rest and not _PER.fullmatch(rest)):
        raise ValueError("Enter an amount in rupees, such as 500 or 1,20,000")
    return f"{read_rupees(amount[0]):f}".removesuffix(".")


def read_kilometres(text: str) -> str:
    """Kilometres, plainly: "12000" for "12,000 km"; "0" for no limit. Raises ValueError."""
    if text.lower() in ("unlimited", "no limit"):
        return "0"
    digits = plain_kilometres(re.sub(r"(?<=\d)\.0+$", "", re.sub(r"(?i)\s*(?:/|per)\s*day$", "", text)))
    if not digits.isdecimal():
        raise ValueError("Enter whole kilometres, such as 12,000")
    return digits


def read_year(text: str) -> str:
    """The year in "2021" or "Mar 2021". Raises ValueError."""
    if not (match := _YEAR.fullmatch(text)):
        raise ValueError("Enter a year like 2024")
    return match[1]


def model_of(catalogue: Sequence[CatalogueModel], kind: str, maker: str, model: str) -> CatalogueModel:
    """The one model of the catalogue that a row names, with type and maker as far as it has them. Raises ValueError."""
    if any(len(text) > LONGEST for text in (kind, maker, model)):
        raise ValueError(_TOO_LONG)
    named = [each for each in catalogue if _names(each, f"{maker} {model}")]
    fitting = [each for each in named if not kind or _key(each.type_name) in (_key(kind), _key(kind).removesuffix("s"))]
    if len(fitting or named) != 1:
        many = "This may be several of our models" if named else "We do not have this model"
        raise ValueError(f"{many}: choose it in the draft")
    return (fitting or named)[0]


def _names(each: CatalogueModel, text: str) -> bool:
    """Whether a text is a model's name, alone or with words of its maker's before it."""
    words, makers, own = _words(text), _words(each.maker), _key(each.model)
    while words and "".join(words) != own and words[0] in makers:
        words = words[1:]
    return bool(own) and "".join(words) == own


def _key(text: str) -> str:
    return "".join(_words(text))


@lru_cache(maxsize=1024)
def _words(text: str) -> Sequence[str]:
    """The words of a text; kept, because each row is compared with the whole catalogue."""
    return re.findall(r"[a-z0-9]+", on_a_keyboard(text).lower())
