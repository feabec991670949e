"""Calls that need no token: the catalogue, the pincode look-up, vehicles to rent."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from rental_app.api.dependencies import Anyone, parameters_of, query_of, refusals, unless_unchanged, written
from rental_app.infrastructure.db import read
from rental_app.schemas.calendars import CalendarAnswer, CalendarRequest
from rental_app.schemas.catalogue import LocationsAnswer, ModelsAnswer, NamedAnswer, PincodeAnswer, PincodeRequest
from rental_app.schemas.search import PageRequest, ShopRequest, VehiclesAnswer
from rental_app.schemas.wire import Id, VehicleIdIn
from rental_app.services import catalogue
from rental_app.services.bookings import free_dates
from rental_app.services.search import listings, search

router = APIRouter()


@router.get("/api/pubilc/get_locations", tags=["catalogue"], responses=refusals(429))
def get_locations(caller: Anyone) -> LocationsAnswer:
    """Localities that have vehicles."""
    return LocationsAnswer(data=read(catalogue.locations, caller))


@router.get("/api/pubilc/get_bank_names", tags=["catalogue"], responses=refusals(429))
def get_bank_names(caller: Anyone) -> NamedAnswer:
    """Banks."""
    return NamedAnswer(data=read(catalogue.banks, caller))


@router.get("/api/pubilc/get_asset_types", tags=["catalogue"], responses=refusals(429))
def get_asset_types(caller: Anyone) -> NamedAnswer:
    """Types of vehicles."""
    return NamedAnswer(data=read(catalogue.asset_types, caller))


@router.get("/api/pubilc/get_asset_manufacturers", tags=["catalogue"], responses=refusals(404, 429))
def get_asset_manufacturers(
    caller: Anyone,
    asset_type_id: Annotated[Id, Query(description="Id of the type of vehicle")],
) -> NamedAnswer:
    """Manufacturers of one type."""
    return NamedAnswer(data=read(catalogue.manufacturers, caller, asset_type_id))


@router.get("/api/pubilc/get_asset_models", tags=["catalogue"], responses=refusals(404, 429))
def get_asset_models(
    caller: Anyone,
    manufacturer_id: Annotated[Id, Query(description="Id of the manufacturer")],
) -> ModelsAnswer:
    """Models of one manufacturer with their price plans."""
    return ModelsAnswer(data=read(catalogue.models, caller, manufacturer_id))


@router.post("/get_location_by_pincode", tags=["catalogue"], responses=refusals(400, 404, 429))
def get_location_by_pincode(caller: Anyone, body: PincodeRequest) -> PincodeAnswer:
    """City, state and district of a pincode."""
    return PincodeAnswer(data=catalogue.look_up_pincode(caller, body.pincode))


@router.get(
    "/api/user/vehicles",
    tags=["vehicles"],
    response_model=VehiclesAnswer,
    responses=refusals(429) | {304: {"description": "Unchanged since the response with this `ETag`"}},
    openapi_extra={"parameters": parameters_of(ShopRequest)},
)
def get_vehicles(caller: Anyone, request: Request) -> Response:
    """Every vehicle that can be rented, or those that match the filters; with dates, those that are free.

    A vehicle has to match all filters; only `type` may be repeated. Unknown parameters are ignored. Prices are in
    rupees: for the dates if there are any, otherwise for a day. Vehicles have their `total` for the dates, and their
    `distanceKm` from the location in `near` or else in `location`. A `cursor` continues only the search that returned
    it. With the `ETag` of the whole list as `If-None-Match`: 304 while it is unchanged.
    """
    # Parsed by hand: the list without filters is requested all the time.
    query = query_of(ShopRequest, request.query_params.multi_items())
    if query.model_fields_set <= PageRequest.model_fields.keys():
        return unless_unchanged(request, read(listings.written, caller, query))
    return written(read(search.vehicles, caller, query))


@router.get("/api/vehicles/{vehicle_id}/calendar", tags=["vehicles"], responses=refusals(404, 429))
def calendar(
    caller: Anyone, vehicle_id: Annotated[VehicleIdIn, Path()], days: Annotated[CalendarRequest, Query()]
) -> CalendarAnswer:
    """When a vehicle is taken, from one Indian day to another, and when its vendor is open."""
    return read(free_dates.calendar, caller, vehicle_id, days)
