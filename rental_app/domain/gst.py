"""Goods and services tax on rentals: who supplies where, how a price that includes the tax is split, and how the papers
about it are numbered and spelt out."""

from dataclasses import dataclass
from datetime import datetime

from rental_app.domain import clock
from rental_app.domain.account import LedgerKind
from rental_app.domain.money import PAISE_PER_RUPEE

# Leasing or rental services without an operator (the tariff's heading).
SAC = "9973"
# What a vendor may charge, in hundredths of a percent; the first is in force until the vendor chooses another one.
DEFAULT_RATE_BPS = 1_800
RATES_BPS = (DEFAULT_RATE_BPS, 500, 1_200, 2_800, 4_000)
BPS = 10_000
# From this total on (paise) the address of a customer who is not registered has to be named.
ADDRESS_FROM = 50_000 * PAISE_PER_RUPEE
MOST_CHARACTERS = 16
FIRST_MONTH = 4
# Compensation, and what is passed on as it was paid: no price for a service.
_UNTAXED = {*(LedgerKind.SPEEDING, LedgerKind.DAMAGE), "challan", "toll"}

STATES = {
    "01": "Jammu and Kashmir",
    "02": "Himachal Pradesh",
    "03": "Punjab",
    "04": "Chandigarh",
    "05": "Uttarakhand",
    "06": "Haryana",
    "07": "Delhi",
    "08": "Rajasthan",
    "09": "Uttar Pradesh",
    "10": "Bihar",
    "11": "Sikkim",
    "12": "Arunachal Pradesh",
    "13": "Nagaland",
    "14": "Manipur",
    "15": "Mizoram",
    "16": "Tripura",
    "17": "Meghalaya",
    "18": "Assam",
    "19": "West Bengal",
    "20": "Jharkhand",
    "21": "Odisha",
    "22": "Chhattisgarh",
    "23": "Madhya Pradesh",
    "24": "Gujarat",
    "25": "Daman and Diu",
    "26": "Dadra and Nagar Haveli and Daman and Diu",
    "27": "Maharashtra",
    "28": "Andhra Pradesh (before division)",
    "29": "Karnataka",
    "30": "Goa",
    "31": "Lakshadweep",
    "32": "Kerala",
    "33": "Tamil Nadu",
    "34": "Puducherry",
    "35": "Andaman and Nicobar Islands",
    "36": "Telangana",
    "37": "Andhra Pradesh",
    "38": "Ladakh",
    "96": "Other country",
    "97": "Other territory",
    "99": "Centre",
}
# Their own half of the tax is called UTGST: they have no legislature.
_UNION_TERRITORIES = {"04", "25", "26", "31", "35", "38", "97"}


@dataclass(frozen=True, slots=True)
class State:
    """A state as GST papers name it."""

    code: str
    name: str

    @property
    def text(self) -> str:
        """'Telangana (36)'."""
        return f"{self.name} ({self.code})"

    @property
    def own_tax(self) -> str:
        """What its half of the tax is called."""
        return "UTGST" if self.code in _UNION_TERRITORIES else "SGST"


def state_of(gst_number: str) -> State:
    """The state in which a GST number was given."""
    code = gst_number[:2]
    return State(code, STATES.get(code, "Unknown"))


def place_of_supply(supplier: State, customers_state: str) -> State:
    """Where a rental is supplied: in the state of the customer's address, if one is on record, else in the vendor's."""
    wanted = _plain(customers_state)
    return next((State(code, name) for code, name in STATES.items() if _plain(name) == wanted), supplier)


def _plain(name: str) -> str:
    return " ".join(name.casefold().replace("&", " and ").split()).removeprefix("the ")


@dataclass(frozen=True, slots=True)
class Tax:
    """A total that includes tax, split (paise): the value that is taxed, and the tax on it by whom it is for."""

    taxable: int = 0
    cgst: int = 0
    sgst: int = 0
    igst: int = 0

    def __add__(self, other: "Tax") -> "Tax":
        """The sum of both."""
        return Tax(self.taxable + other.taxable, self.cgst + other.cgst, self.sgst + other.sgst, self.igst + other.igst)

    @property
    def total(self) -> int:
        """The value with its tax."""
        return self.taxable + self.cgst + self.sgst + self.igst


def split(paise: int, rate_bps: int, *, same_state: bool) -> Tax:
    """Split an amount that includes tax at a rate; the parts add up to it.

    Both halves within a state are equal, so the value takes the paisa that cannot be halved. What takes an amount back
    is split like the amount.
    """
    sign, amount = (-1, -paise) if paise < 0 else (1, paise)
    if same_state:
        half = _rounded(amount * rate_bps, 2 * (BPS + rate_bps))
        return Tax(taxable=sign * (amount - 2 * half), cgst=sign * half, sgst=sign * half)
    tax = _rounded(amount * rate_bps, BPS + rate_bps)
    return Tax(taxable=sign * (amount - tax), igst=sign * tax)


def _rounded(numerator: int, denominator: int) -> int:
    """The quotient of two numbers that are not negative, half rounded up."""
    return (2 * numerator + denominator) // (2 * denominator)


def is_taxed(kind: str) -> bool:
    """Whether a charge of a kind, as it is shown, is a price for the rental."""
    return kind not in _UNTAXED


def financial_year(instant: datetime) -> int:
    """The calendar year in which the financial year of an instant began, on 1 April in India."""
    day = clock.indian_today(instant)
    return day.year if day.month >= FIRST_MONTH else day.year - 1


def document_number(prefix: str, year: int, number: int) -> str:
    """The number of a paper as printed, such as '26-27/0001' or 'CN/26-27/0001', for the financial year that began in
    `year`; raises ValueError beyond the 16 characters that the rules allow."""
    printed = f"{prefix}{year % 100:02}-{(year + 1) % 100:02}/{number:04}"
    if len(printed) > MOST_CHARACTERS:
        raise ValueError(f"{printed} is longer than {MOST_CHARACTERS} characters")
    return printed


_ONES = (
    "Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen"
    " Eighteen Nineteen"
).split()
_TENS = "Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety".split()
_UNITS = ((10_000_000, "Crore"), (100_000, "Lakh"), (1_000, "Thousand"), (100, "Hundred"))


def in_words(paise: int) -> str:
    """An amount as Indian papers spell it out: 'Rupees One Lakh Twenty Thousand and Fifty Paise Only'."""
    rupees, rest = divmod(abs(paise), PAISE_PER_RUPEE)
    sign = "Minus " if paise < 0 else ""
    end = f" and {_spelt(rest)} Paise" if rest else ""
    return f"{sign}Rupees {_spelt(rupees)}{end} Only"


def _spelt(number: int) -> str:
    if number < len(_ONES):
        return _ONES[number]
    for size, unit in _UNITS:
        if number >= size:
            count, rest = divmod(number, size)
            return f"{_spelt(count)} {unit}" + (f" {_spelt(rest)}" if rest else "")
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")
