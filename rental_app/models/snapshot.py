"""A booking's copy of its vehicle: whatever becomes of the listing later, this is what was booked."""

from pydantic import BaseModel, ConfigDict
from sqlalchemy import ColumnElement
from sqlmodel import Session

from rental_app.content.art import picture_path
from rental_app.domain.pictures import Picture
from rental_app.models.listing import listing, listings
from rental_app.models.vehicle import ListingInFull


class Snapshot(BaseModel):
    """A vehicle, its terms, place and charges (paise) at an instant; price and deposit are the booking's own.

    `image` is the path of its Front photo, '' if it had none; `pickup_address` is one line. `vendor_terms` are its
    vendor's terms for all vehicles; `brought_paise` and `fetched_paise` are 0 if delivery costs nothing.
    """

    model_config = ConfigDict(from_attributes=True)

    asset_type: str
    maker: str
    model_name: str
    body_type: str
    shape: str
    year: int
    color: str
    image: str
    service_location: str
    pickup_address: str
    google_maps_link: str
    terms: str
    vendor_terms: str
    late_penalty_paise: int
    distance_penalty_paise: int
    speed_limit_kmph: int
    delivery_supported: bool
    brought_paise: int
    fetched_paise: int

    @property
    def title(self) -> str:
        """What the vehicle is called: maker and model."""
        return f"{self.maker} {self.model_name}"

    @property
    def picture(self) -> Picture:
        """Its Front photo, else its model's illustration in its colour."""
        return Picture(self.image or picture_path(self.shape, self.color, self.title))


def snapshots(session: Session, *which: ColumnElement[bool]) -> dict[int, Snapshot]:
    """What bookings made now copy into `Booking.booked`, by vehicle id, for the vehicles that meet the conditions."""
    found = [listing(row, ListingInFull) for row in session.execute(listings(ListingInFull).where(*which))]
    return {car.id: snapshot(car) for car in found}


def snapshot(car: ListingInFull) -> Snapshot:
    """The copy of its vehicle that a booking made now stores."""
    return Snapshot.model_validate(car)
