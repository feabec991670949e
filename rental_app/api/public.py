"""Calls that need no token: the catalogue, the pincode look-up, vehicles to rent."""

from typing import Annotated

from fastapi import APIRouter, Query

from rental_app.api.deps import Paging, limited, refusals
from rental_app.db import read
from rental_app.schemas.catalogue import (
    LocationsAnswer,
    ModelsAnswer,
    NamedAnswer,
    PincodeAnswer,
    PincodeRequest,
)
from rental_app.schemas.vehicles import VehiclesAnswer
from rental_app.schemas.wire import Id
from rental_app.services import catalogue, shop

router = APIRouter()


@router.get("/api/pubilc/get_locations", tags=["catalogue"], responses=refusals())
def get_locations() -> LocationsAnswer:
    """Localities where vehicles stand."""
    return LocationsAnswer(data=read(catalogue.locations))


@router.get("/api/pubilc/get_bank_names", tags=["catalogue"], responses=refusals())
def get_bank_names() -> NamedAnswer:
    """Banks."""
    return NamedAnswer(data=read(catalogue.banks))


@router.get("/api/pubilc/get_asset_types", tags=["catalogue"], responses=refusals())
def get_asset_types() -> NamedAnswer:
    """Types of vehicles."""
    return NamedAnswer(data=read(catalogue.asset_types))


@router.get("/api/pubilc/get_asset_manufacturers", tags=["catalogue"], responses=refusals(404))
def get_asset_manufacturers(asset_type_id: Annotated[Id, Query()]) -> NamedAnswer:
    """Manufacturers of one type."""
    return NamedAnswer(data=read(catalogue.manufacturers, asset_type_id))


@router.get("/api/pubilc/get_asset_models", tags=["catalogue"], responses=refusals(404))
def get_asset_models(manufacturer_id: Annotated[Id, Query()]) -> ModelsAnswer:
    """Models of one manufacturer with their price plans."""
    return ModelsAnswer(data=read(catalogue.models, manufacturer_id))


@router.post(
    "/get_location_by_pincode", tags=["catalogue"], responses=refusals(400, 404, 429), dependencies=[limited("lookup")]
)
def get_location_by_pincode(body: PincodeRequest) -> PincodeAnswer:
    """City, state and district of a pincode."""
    return PincodeAnswer(data=catalogue.place_of_pincode(body.pincode))


@router.get("/api/user/vehicles", tags=["vehicles"], responses=refusals())
def get_vehicles(page: Paging) -> VehiclesAnswer:
    """Every vehicle that can be rented at all."""
    part = read(shop.listed_views, page)
    return VehiclesAnswer(vehicles=part.items, **part.tail)
