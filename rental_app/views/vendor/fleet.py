"""The vendor's table of vehicles."""

from datetime import date

from pydantic import BaseModel

from rental_app.models import OwnListing
from rental_app.rules.papers import expiry_note
from rental_app.services.fleet import PAGE_SIZE
from rental_app.views.texts import counted

UNPRICED = "Customers cannot see it: it has no active Full Day price"


class FleetLine(BaseModel):
    """A row as it is shown."""

    id: int
    title: str
    image: str
    details: str
    category: str
    rc_number: str
    location: str
    is_available: bool
    is_active: bool
    notes: list[str]


def count_line(page: int, pages: int, shown: int, total: int) -> str:
    """Which vehicles of how many are on show."""
    noun = "vehicle" if total == 1 else "vehicles"
    if pages == 1:
        return f"{total} {noun}"
    first = (page - 1) * PAGE_SIZE + 1
    return f"{first} to {first + shown - 1} of {total} {noun}"


def fleet_line(car: OwnListing, today: date) -> FleetLine:
    """A vehicle as its row shows it on a day."""
    papers = {"Insurance": car.insurance_expiry_date, "Pollution": car.pollution_expiry_date}
    return FleetLine(
        id=car.id,
        title=car.title,
        image=car.picture.card,
        details=f"{counted(car.seating_capacity, 'seat')} · {car.transmission_type}",
        category=car.body_type,
        rc_number=car.rc_number,
        location=car.service_location,
        is_available=car.is_available,
        is_active=car.is_active,
        notes=[
            *([] if car.is_priced else [UNPRICED]),
            *(note for paper, day in papers.items() if (note := expiry_note(paper, day, today))),
        ],
    )
