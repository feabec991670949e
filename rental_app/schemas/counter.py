"""Shapes of bookings that a vendor makes at the counter."""

from typing import Annotated

from pydantic import Field

from rental_app.schemas.bookings import VendorBookingView
from rental_app.schemas.people import Email, NameIn, PhoneNumber
from rental_app.schemas.quotes import Extras
from rental_app.schemas.wire import (
    BLANK_IS_NONE,
    MAX_TOTAL_RUPEES,
    Answer,
    ChosenVehicle,
    Deposit,
    ExactBody,
    IndianTime,
    ItsId,
    PickupMoment,
    Picture,
    RcNumber,
    ReturnMoment,
    Text,
    Title,
    Total,
    Wire,
    documented_as_required,
    exactly,
)


class GuestRequest(ExactBody):
    """Who rents: name and Indian mobile number, and an e-mail if they want one."""

    name: NameIn
    phone: PhoneNumber
    email: Annotated[Email | None, BLANK_IS_NONE] = Field(
        default=None, description="Where they are written to; nothing is sent without it"
    )


class CounterRequest(ExactBody):
    """A vehicle of the vendor's, from when to when, and for whom.

    The pickup may be up to 7 days ago. Another `total` than the computed one needs a `reason`, and so does a rental
    that began more than 12 hours ago or is over already. Extras for delivery or collection need an `address`. What
    `continues` another booking costs nothing and is for its customer: nothing but the vehicle, the dates and a note is
    said of it.
    """

    model_config = documented_as_required("pickupDate", "returnDate")

    vehicle: ChosenVehicle
    pickup: PickupMoment = Field(default="", alias="pickupDate")
    return_at: ReturnMoment = Field(default="", alias="returnDate")
    customer: GuestRequest | None = Field(
        default=None, description="Who rents; left out if it continues another booking, which has a customer"
    )
    continues: Text = Field(
        default="",
        description="The reference of a trip whose vehicle came back because it broke down, blank if there is none",
    )
    total: Annotated[int, exactly(MAX_TOTAL_RUPEES)] | None = Field(
        default=None,
        description="The total agreed upon, in rupees, up to three times the computed one; that one if it is not given",
    )
    reason: Text = Field(
        default="",
        description="Why it is not the computed total, or noted so long after the pickup; both sides see it",
    )
    extras: Extras = []
    address: Text = Field(default="", description="Street address")
    note: Text = Field(default="", description="What both sides should remember")


class CounterAnswer(Answer):
    """The new booking, which is confirmed."""

    booking: VendorBookingView = Field(description="The booking")


class ChoicesRequest(ExactBody):
    """From when to when a vehicle is wanted at the counter."""

    model_config = documented_as_required("pickupDate", "returnDate")

    pickup: PickupMoment = Field(default="", alias="pickupDate")
    return_at: ReturnMoment = Field(default="", alias="returnDate")


class CounterChoice(Wire):
    """A vehicle of the vendor's for a window."""

    id: ItsId
    title: Title
    rc_number: RcNumber = Field(alias="rcNumber")
    image: Picture
    total: Total
    deposit: Deposit
    free_until: IndianTime | None = Field(
        alias="freeUntil", description="When the next booking or block begins, null if there is none"
    )
    taken_until: IndianTime | None = Field(alias="takenUntil", description="Until when it is taken, null if it is free")
    extras: list[str] = Field(description="The extras it can have")


class ChoicesAnswer(Answer):
    """The vehicles, the free ones first."""

    vehicles: list[CounterChoice] = Field(description="The vehicles")
