"""A vendor as everybody may see them."""

from pydantic import Field

from rental_app.schemas.people import ClosingTime, OpeningTime
from rental_app.schemas.reviews import ReviewView, StarDistribution
from rental_app.schemas.vehicles import PublicVehicle
from rental_app.schemas.wire import (
    AverageStars,
    ClosingDays,
    Delivers,
    IndianTime,
    ItsId,
    NameOut,
    Paged,
    Picture,
    Slug,
    VendorTerms,
    Wire,
)


class VendorView(Wire):
    """A vendor's public page."""

    id: ItsId
    name: NameOut
    slug: Slug
    image: Picture
    since: IndianTime = Field(description="When the vendor joined")
    open_time: OpeningTime
    close_time: ClosingTime
    closing_days: ClosingDays
    delivery_supported: Delivers
    terms: VendorTerms
    trips: int = Field(description="How many trips the vendor has completed")
    answers_in_minutes: int | None = Field(
        alias="answersInMinutes", description="Median time to answer a request, in minutes"
    )
    cancelled_confirmed: int = Field(
        alias="cancelledConfirmed",
        description="How many bookings the vendor gave up in the last 12 months after confirming them",
    )
    rating: AverageStars
    distribution: StarDistribution
    reviews: list[ReviewView] = Field(description="The newest")
    vehicles: list[PublicVehicle] = Field(description="The best rated first; a page of them if a limit was requested")


class VendorAnswer(Paged):
    """One vendor; `total` and `next_cursor` are those of the vehicles."""

    total: int | None = Field(
        default=None, description="How many vehicles there are, null unless a limit was requested"
    )
    vendor: VendorView = Field(description="The vendor")
