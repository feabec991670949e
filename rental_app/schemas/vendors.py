"""A vendor as everybody may see them."""

from pydantic import Field

from rental_app.schemas.people import OpenTime
from rental_app.schemas.reviews import ReviewView
from rental_app.schemas.vehicles import PublicVehicle
from rental_app.schemas.wire import IndianTime, Paged, Wire


class VendorView(Wire):
    """A vendor's public page."""

    id: int
    name: str
    slug: str
    image: str
    since: IndianTime
    open_time: OpenTime
    close_time: OpenTime
    closing_days: list[str]
    delivery_supported: bool
    terms: str
    trips: int
    answers_in_minutes: int | None = Field(
        alias="answersInMinutes", description="Median time to answer a request, in minutes"
    )
    cancelled_confirmed: int = Field(
        alias="cancelledConfirmed",
        description="How many bookings the vendor gave up in the last 12 months after confirming them",
    )
    rating: float | None
    distribution: dict[int, int]
    reviews: list[ReviewView] = Field(description="The newest")
    vehicles: list[PublicVehicle] = Field(description="The best rated first; a page of them if a limit was requested")


class VendorAnswer(Paged):
    """One vendor; `total` and `next_cursor` are those of the vehicles."""

    vendor: VendorView
