"""The catalogue vendors and the search form choose from, and the pincode look-up."""

import re
from collections.abc import Sequence

import indian_pincode
from sqlalchemy import ColumnElement, exists, or_, select
from sqlmodel import Session, col

from rental_app.content.cities import city_of
from rental_app.domain.characters import on_a_keyboard
from rental_app.domain.errors import InvalidInputError, NotFoundError
from rental_app.domain.pricing import plan_sort_key
from rental_app.infrastructure.settings import settings
from rental_app.models import AssetModel, AssetType, Bank, Location, Manufacturer, PricePlan, Vehicle
from rental_app.schemas.catalogue import CatalogueItem, LocationView, ModelView, NameOnly, PincodeView, PlanView
from rental_app.services import throttle
from rental_app.services.throttle import Caller

_LOCATION = [getattr(Location, name) for name in LocationView.model_fields]


def locations(session: Session, caller: Caller) -> list[LocationView]:
    """The localities by name, without retired ones that have no vehicles."""
    throttle.count("look", caller)
    return _locations(session)


def coordinates(session: Session) -> dict[str, tuple[float, float]]:
    """Where each locality is (latitude and longitude in degrees), by name: for what a search, which counts, shows."""
    return {each.name: (each.latitude, each.longitude) for each in _locations(session)}


def _locations(session: Session) -> list[LocationView]:
    has_vehicles = exists().where(col(Vehicle.location_id) == Location.id)
    shown = select(*_LOCATION).where(or_(col(Location.is_retired).is_(False), has_vehicles))
    rows = session.execute(shown.order_by(col(Location.name))).all()
    return [LocationView(**row._mapping) for row in rows]


def banks(session: Session, caller: Caller) -> list[CatalogueItem]:
    """All banks by name."""
    throttle.count("look", caller)
    rows = session.execute(select(col(Bank.id), col(Bank.name)).order_by(col(Bank.name)))
    return [CatalogueItem(id=row.id, name=row.name) for row in rows]


def asset_types(session: Session, caller: Caller, also: int = 0) -> list[CatalogueItem]:
    """The types of vehicles to choose from, in catalogue order; `also` the one with this id, even if it is retired."""
    throttle.count("look", caller)
    offered = select(col(AssetType.id), col(AssetType.name)).where(_to_choose(AssetType, also))
    rows = session.execute(offered.order_by(col(AssetType.id)))
    return [CatalogueItem(id=row.id, name=row.name) for row in rows]


def manufacturers(session: Session, caller: Caller, asset_type_id: int, also: int = 0) -> list[CatalogueItem]:
    """The makers of one type to choose from; raises NotFoundError for an unknown type."""
    throttle.count("look", caller)
    if session.get(AssetType, asset_type_id) is None:
        raise NotFoundError("There is no such vehicle type")
    rows = session.execute(
        select(col(Manufacturer.id), col(Manufacturer.name))
        .where(col(Manufacturer.asset_type_id) == asset_type_id, _to_choose(Manufacturer, also))
        .order_by(col(Manufacturer.name))
    )
    return [CatalogueItem(id=row.id, name=row.name) for row in rows]


def models(session: Session, caller: Caller, manufacturer_id: int, also: int = 0) -> list[ModelView]:
    """A maker's models to choose from with their price plans; raises NotFoundError for an unknown maker."""
    throttle.count("look", caller)
    if session.get(Manufacturer, manufacturer_id) is None:
        raise NotFoundError("There is no such manufacturer")
    of_maker = col(AssetModel.manufacturer_id) == manufacturer_id
    rows = session.execute(
        select(col(AssetModel.id), col(AssetModel.name))
        .where(of_maker, _to_choose(AssetModel, also))
        .order_by(col(AssetModel.name))
    ).all()
    plans = session.scalars(select(PricePlan).join(AssetModel).where(of_maker)).all()
    return [ModelView(id=row.id, name=row.name, prices=_plans_of(row.id, plans)) for row in rows]


def _to_choose(table: type[AssetType | Manufacturer | AssetModel], also: int) -> ColumnElement[bool]:
    return or_(col(table.is_retired).is_(False), col(table.id) == also)


def _plans_of(model_id: int, plans: Sequence[PricePlan]) -> list[PlanView]:
    own = sorted((p for p in plans if p.model_id == model_id), key=lambda p: plan_sort_key(p.price_name))
    return [
        PlanView(price_name=p.price_name, recommended_price=p.recommended_paise, max_price=p.max_paise) for p in own
    ]


def location_id(session: Session, name: str, field: str = "location") -> int:
    """The id of a locality; raises InvalidInputError naming `field` when there is none of that name."""
    row_id = session.scalars(select(col(Location.id)).where(col(Location.name) == name)).first()
    if row_id is None:
        raise unknown_location(name, field)
    return row_id


def open_location_id(session: Session, name: str, field: str, own: int | None) -> int:
    """The id of a locality that may be chosen from now on: not a retired one, unless it is the `own` already.

    Raises InvalidInputError naming `field`.
    """
    row_id = location_id(session, name, field)
    if row_id != own and session.get_one(Location, row_id).is_retired:
        raise unknown_location(name, field)
    return row_id


def unknown_location(name: str, field: str) -> InvalidInputError:
    """The error for a name that no locality has, given in a field."""
    message = f"{name[:60] or 'A blank'} is not one of our locations"
    return InvalidInputError(message, code="unknown_location", fields={field: message})


def look_up_pincode(caller: Caller, pincode: str) -> PincodeView:
    """`place_of_pincode`, counted towards the caller's rate limit."""
    throttle.count("lookup", caller)
    return place_of_pincode(pincode)


def no_such_place(pincode: str) -> str:
    """The message about a pincode that the data do not have."""
    return f"There is no place with the pincode {pincode}"


def place_of_pincode(pincode: str) -> PincodeView:
    """City, state and district of a pincode; outside the shop's city, the district stands for most cities.

    Raises InvalidInputError when it is not six digits, NotFoundError when there is no such pincode.
    """
    pincode = re.sub(r"[\s-]", "", on_a_keyboard(pincode))
    if not pincode.isascii() or not indian_pincode.is_well_formed(pincode):
        raise InvalidInputError("Enter a 6-digit pincode", code="bad_pincode", fields={"pincode": "Six digits"})
    details = indian_pincode.get_details(pincode)
    if details is None or not details["districts"]:
        message = no_such_place(pincode)
        raise NotFoundError(message, code="unknown_pincode", fields={"pincode": message})
    district = details["districts"][0].title()
    return PincodeView(
        pincode=pincode,
        city=settings().city if pincode.startswith(settings().city_pincodes) else city_of(pincode, district),
        state=NameOnly(name=(details["state"] or "").title()),
        county=NameOnly(name=district),
    )


def is_known(pincode: str) -> bool:
    """Whether the data have a pincode."""
    try:
        place_of_pincode(pincode)
    except (InvalidInputError, NotFoundError):
        return False
    return True


def settled_place(pincode: str, typed: tuple[str, str]) -> tuple[str, str]:
    """State and district of a pincode; those `typed` for one that the data do not know: the post opens new offices.

    Raises NotFoundError if such a pincode comes without them.
    """
    try:
        place = place_of_pincode(pincode)
    except NotFoundError:
        if all(typed):
            return typed
        raise
    return place.state.name, place.county.name
