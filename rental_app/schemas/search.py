"""Searches of the shop, and its responses. Each filter of the shop is a field of `AvailabilityRequest`."""

from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, ValidationInfo, field_validator

from rental_app.schemas.vehicles import FoundVehicle, PublicVehicle
from rental_app.schemas.wire import (
    CLEAN,
    MAX_TOTAL_RUPEES,
    Body,
    Limit,
    Listed,
    ListFilters,
    Number,
    PickupMoment,
    PickupTime,
    ReturnMoment,
    ReturnTime,
    RupeesOut,
    ShortText,
    WholeNumber,
    Wire,
    at_most,
)

# The number of vehicles on one page of results.
RESULTS = 24
MOST_PAGES, MOST_SEATS, LONGEST_QUERY = 40, 12, 80
# The minimum seats and stars that are offered as choices.
SEATS, STARS = (2, 4, 5, 7), (3.0, 4.0, 4.5)
# More than the city is wide.
MOST_KM = 100

# What location controls offer besides the locations: all of them, and the neighbourhood of one.
ANYWHERE, NEAR = "anywhere", "near "
_SortName = Literal["price", "-price", "distance", "rating", "newest"]
SORTS: tuple[str, ...] = get_args(_SortName)


def _several(value: Any) -> Any:
    """One choice or several, without blanks and duplicates."""
    chosen = [value] if isinstance(value, str) else value
    are_texts = isinstance(chosen, list | tuple) and all(isinstance(each, str) for each in chosen)
    return list(dict.fromkeys(each for each in chosen if each.strip())) if are_texts else chosen


def _sort(value: Any) -> Any:
    if value not in ("", *SORTS):
        raise ValueError(f"Choose from {', '.join(SORTS)}")
    return value


Names = Annotated[
    tuple[ShortText, ...], Field(max_length=20), BeforeValidator(_several, json_schema_input_type=list[str] | str)
]
Sort = Annotated[Literal["", _SortName], BeforeValidator(_sort)]
# Whole rupees: a filter is also part of a URL, and a slider has no use for paise.
Rupees = Annotated[WholeNumber, Field(ge=0, le=MAX_TOTAL_RUPEES)] | None


class AvailabilityRequest(ListFilters):
    """Where and when a vehicle is needed, and what it must be like; fields not given do not matter.

    Prices are rupees: for the dates if there are any, else for a day.
    """

    location: ShortText = Field(default="", description="Any location if not given", examples=["Gachibowli"])
    pickup: PickupMoment = Field(default="", alias="pickupDate", examples=["2026-12-01T10:00:00+05:30"])
    return_at: ReturnMoment = Field(default="", alias="returnDate", examples=["2026-12-03T10:00:00+05:30"])
    text: Annotated[str, at_most(LONGEST_QUERY), CLEAN] = Field(
        default="",
        alias="q",
        description="What is wanted, in words: models, kinds, places, colors; typing errors forgiven",
        examples=["honda gachibowli"],
    )
    types: Names = Field(default=(), alias="type", description="Any of these types", examples=[["Scooter", "Electric"]])
    transmission: ShortText = Field(
        default="",
        examples=["Automatic"],
        description="The transmission, such as Automatic; any if blank",
    )
    fuel: ShortText = Field(default="", examples=["Petrol"], description="The fuel, such as Petrol; any if blank")
    seats: Annotated[WholeNumber, Field(ge=1, le=MOST_SEATS)] | None = Field(
        default=None, description="At least", examples=[2]
    )
    model: ShortText = Field(default="", examples=["Activa 6G"], description="The model's name; any if blank")
    min_price: Rupees = Field(
        default=None,
        examples=[300],
        description="The lowest price, in rupees: for the dates if there are any, else for a day",
    )
    max_price: Rupees = Field(
        default=None,
        examples=[2000],
        description="The highest price, in rupees: for the dates if there are any, else for a day",
    )
    max_deposit: Rupees = Field(default=None, examples=[5000], description="The highest deposit, in rupees")
    rating: Annotated[Number, Field(ge=1, le=5)] | None = Field(
        default=None, description="Of the vehicle or of its vendor, at least", examples=[4]
    )
    delivery: bool = Field(default=False, description="Brought to the customer", examples=[False])
    unlimited: bool = Field(default=False, description="Without a limit of kilometres", examples=[False])
    near: ShortText = Field(default="", description="A location to measure distances from", examples=["Madhapur"])
    within_km: Annotated[Number, Field(gt=0, le=MOST_KM)] | None = Field(
        default=None, description="At most this far from the location `near`, in kilometres", examples=[8]
    )
    sort: Sort = Field(default="", description="`distance` requires `near` or `location`", examples=["price"])
    facets: bool = Field(default=False, description="Include what each choice would return", examples=[True])

    @field_validator("max_price")
    @classmethod
    def _not_reversed(cls, most: int | None, known: ValidationInfo) -> int | None:
        least = known.data.get("min_price")
        if most is not None and least is not None and most < least:
            raise ValueError("The highest price must not be below the lowest")
        return most

    @field_validator("within_km")
    @classmethod
    def _near_something(cls, km: float | None, known: ValidationInfo) -> float | None:
        if km is not None and not known.data.get("near"):
            raise ValueError("Choose a location to measure from")
        return km

    @field_validator("sort")
    @classmethod
    def _from_somewhere(cls, sort: Sort, known: ValidationInfo) -> Sort:
        if sort == "distance" and not (known.data.get("near") or known.data.get("location")):
            raise ValueError("Choose a location to measure from")
        return sort

    @property
    def complete(self) -> bool:
        """Whether both dates are given, as availability requires."""
        return bool(self.pickup and self.return_at)

    @property
    def origin(self) -> str:
        """The name of the place that distances are measured from; '' for none."""
        return self.near or self.location

    @property
    def order(self) -> str:
        """The order of the results; '' means by id."""
        return self.sort or ("distance" if self.near else "")


class PageRequest(Body):
    """How many of the results to return, and where to continue; without a limit all of them."""

    limit: Limit = Field(default=None, description="All of it if not given", examples=[24])
    cursor: Annotated[str, Field(max_length=200)] = Field(
        default="", description="The `next_cursor` of the same search", examples=[""]
    )


class ShopRequest(AvailabilityRequest, PageRequest):
    """A search over REST, with the part of the results to return."""


class PageSearch(AvailabilityRequest):
    """A search by a visitor of the web pages, `page` after page."""

    model_config = ConfigDict(frozen=True)

    # A URL may name anything: it is the search that refuses what is not a locality.
    location: Annotated[str, Field(max_length=100)] = ""
    facets: bool = True
    page: Annotated[WholeNumber, Field(ge=1, le=MOST_PAGES)] = 1
    # "map" for the map of the city in place of the list.
    view: Annotated[str, AfterValidator(lambda view: view if view == "map" else "")] = ""
    # The parameters of the URL that could not be read, by name, with why and as they were: the search refuses them.
    faults: dict[str, str] = Field(default={}, exclude=True)
    unread: dict[str, str] = Field(default={}, exclude=True)

    @property
    def order(self) -> str:
        """As in the base class, but with dates the cheapest come first by default."""
        return super().order or ("price" if self.complete else "")

    @property
    def choice(self) -> str:
        """The choice that location controls show for this search."""
        return f"{NEAR}{self.near}" if self.near else self.location or (ANYWHERE if self.complete else "")

    def at(self, choice: str) -> "PageSearch":
        """The same search at the place chosen in a location control."""
        place, near = choice.removeprefix(NEAR), choice.startswith(NEAR)
        location = "" if near or choice == ANYWHERE else choice
        order = "" if self.sort == "distance" and choice in ("", ANYWHERE) else self.sort
        where = {"location": location, "near": place if near else "", "within_km": None, "sort": order}
        return self.model_copy(update=where | {"page": 1})

    def on(self, pickup: str, return_at: str) -> "PageSearch":
        """The same search for other dates, without its prices: those were for its own dates, or for a day."""
        other = self.model_copy(update={"pickup": pickup, "return_at": return_at})
        same = other._priced_for == self._priced_for
        return other if same else other.model_copy(update={"min_price": None, "max_price": None})

    @property
    def _priced_for(self) -> tuple[str, str]:
        return (self.pickup, self.return_at) if self.complete else ("", "")

    @property
    def page_request(self) -> PageRequest:
        """The results on all pages up to this one."""
        return PageRequest.model_construct(limit=RESULTS * self.page, cursor="")


ANY = PageSearch()
EVERYTHING, WHOLE = AvailabilityRequest(), PageRequest()


class NearestOpen(Wire):
    """The nearest window in which vendors' opening hours allow a rental, and how many vehicles are free then."""

    pickup: PickupTime = Field(alias="pickupDate")
    return_at: ReturnTime = Field(alias="returnDate")
    count: int = Field(description="How many vehicles")


class FacetCount(Wire):
    """What one choice of a group would return: how many vehicles, and the lowest price among them."""

    value: str = Field(description="The choice")
    count: int = Field(description="How many vehicles")
    least_paise: RupeesOut | None = Field(
        alias="fromPrice", description="The lowest price among these vehicles, in rupees, null if there is none"
    )


class Facets(Wire):
    """What each choice would return if nothing else were chosen in its own group; all other filters apply."""

    types: list[FacetCount] = Field(alias="type", description="The type of vehicle, such as Scooter")
    transmission: list[FacetCount] = Field(description="The transmission, such as Automatic")
    fuel: list[FacetCount] = Field(description="The fuel, such as Petrol")
    location: list[FacetCount] = Field(description="The locality")
    model: list[FacetCount] = Field(description="Only models that would return vehicles")
    seats: list[FacetCount] = Field(description="At least this many")
    rating: list[FacetCount] = Field(description="At least this many stars")
    delivery: list[FacetCount] = Field(description="Brought to the customer, or not")
    unlimited: list[FacetCount] = Field(description="With a limit of kilometres, or without one")


NextCursor = Annotated[str | None, Field(description="The `cursor` of the next page, null if there is none")]
RequestedFacets = Annotated[Facets | None, Field(description="What each choice would return, null if not requested")]


class VehiclesAnswer(Listed):
    """Vehicles anyone may rent. `next_cursor` continues this same search; `facets` are included if requested."""

    vehicles: list[FoundVehicle | PublicVehicle] = Field(description="The vehicles")
    next_cursor: NextCursor = None
    facets: RequestedFacets = None


class AvailabilityAnswer(Listed):
    """The free vehicles; `nearestOpen` is given only if opening hours are the sole reason that there are none."""

    available: list[FoundVehicle] = Field(alias="availableCars", description="The vehicles that are free")
    next_cursor: NextCursor = None
    facets: RequestedFacets = None
    nearest: NearestOpen | None = Field(
        default=None, alias="nearestOpen", description="The nearest period that the opening hours allow"
    )
