"""The vendor's profile as its page shows it."""

from pydantic import BaseModel

from rental_app.schemas.cards import Fact


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
    booking_contact_no: str
    booking_whatsapp_no: str
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
