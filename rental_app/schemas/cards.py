"""What pages show, ready to read: prices with ₹, times as people say them."""

from pydantic import BaseModel


class Card(BaseModel):
    """A vehicle in a grid. `daily` and `total` are texts in rupees; `total` is blank without a window."""

    id: int
    title: str
    image: str
    href: str
    location: str
    asset_type: str
    engine: str
    transmission: str
    seats: str
    year: int
    daily: str
    total: str


class Fact(BaseModel):
    """A labelled value."""

    label: str
    value: str


class VehiclePage(BaseModel):
    """Everything the detail page says about a vehicle."""

    id: int
    title: str
    image: str
    location: str
    color: str
    summary: list[Fact]
    renting: list[Fact]
    features: list[Fact]
    terms: list[str]
    vendor_terms: list[str]
    delivery: list[Fact]
    vendor_name: str
    address: str
    hours: str
    closed: str
    map_link: str
    map_embed: str
    open_time: str
    close_time: str
    closing_days: list[str]
    daily: str


class Price(BaseModel):
    """A live price: lines as label and amount, all texts, and in paise what a booking at this price must cost."""

    lines: list[Fact]
    total: str
    deposit: str
    kms: str
    total_paise: int
    deposit_paise: int


class BookingCard(BaseModel):
    """A booking in its customer's list."""

    id: int
    title: str
    image: str
    href: str
    subtitle: str
    location: str
    pickup: str
    return_at: str
    status: str
    note: str
    price: str
    deposit: str
    created_at: str


class BookingRow(BaseModel):
    """A booking in its vendor's table. `phone` is blank before confirmation, `time_left` blank once decided."""

    id: int
    title: str
    image: str
    customer: str
    phone: str
    first_day: str
    last_day: str
    total: str
    status: str
    time_left: str
    urgent: bool
    note: str
