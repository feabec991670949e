"""Reading a vendor's own vehicles: in full, as sources of prices, and their files."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, partial

from sqlalchemy import ColumnElement, and_, func, not_, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import NotFoundError
from rental_app.domain.pricing import plan_sort_key
from rental_app.models import TITLE, Columns, OwnListing, Vehicle, VehicleFile, VehiclePrice, listing, listings, titled
from rental_app.schemas.vehicles import Asset, AssetModelName, FileView, VendorModel, VendorPrice, VendorVehicle
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_manager, require_staff, unknown_vehicle
from rental_app.services.fleet import papers as fleet_files
from rental_app.services.paging import Slice, paged
from rental_app.services.pricing.tariffs import priced
from rental_app.services.search.eligibility import in_fleet, platform_verdict


@dataclass(frozen=True, slots=True)
class VehicleName:
    """A vehicle by maker, model and RC number."""

    id: int
    name: str


def of_vendor(
    session: Session, actor: Actor, page: Page | None = None, *, retired: bool = False
) -> Slice[VendorVehicle]:
    """The actor's vehicles, or those they retired, with prices and files, by id. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_manager(actor)
    own = own_listings(actor, retired=retired)
    part = paged(session, actor, own, col(Vehicle.id), page, partial(listing, kind=OwnListing))
    return part.of(_views(session, actor, part.items))


def own_vehicle(session: Session, actor: Actor, vehicle_id: int) -> VendorVehicle:
    """One of the actor's vehicles with prices and files; raises NotFoundError for anyone else's."""
    throttle.count("list", actor)
    require_manager(actor)
    return _views(session, actor, [own_listing(session, actor, vehicle_id)])[0]


def assets(session: Session, actor: Actor) -> list[Asset]:
    """The actor's vehicles as sources to copy prices from, newest first. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_manager(actor)
    throttle.check_rows(actor)
    rows = session.execute(own_listings(actor).order_by(col(Vehicle.id).desc())).all()
    throttle.count_rows(actor, len(rows))
    prices = _prices_of(session, actor)
    return [
        Asset(
            id=car.id,
            asset_manufacturer=car.maker,
            asset_model=AssetModelName(name=car.model_name),
            rc_number=car.rc_number,
            prices=prices.get(car.id, []),
        )
        for car in (listing(row, OwnListing) for row in rows)
    ]


def names(session: Session, actor: Actor) -> list[VehicleName]:
    """The names of the vendor's vehicles, newest first. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_staff(actor)
    throttle.check_rows(actor)
    called = (
        titled(select(col(Vehicle.id), TITLE + ", " + col(Vehicle.rc_number)))
        .where(col(Vehicle.vendor_id) == actor.vendor, in_fleet())
        .order_by(col(Vehicle.id).desc())
    )
    rows = session.execute(called).all()
    throttle.count_rows(actor, len(rows))
    return [VehicleName(*row) for row in rows]


def own_file(session: Session, actor: Actor, file_id: int) -> VehicleFile:
    """A file of one of the actor's vehicles; raises NotFoundError for anyone else's."""
    throttle.count("list", actor)
    require_manager(actor)
    own = (
        select(VehicleFile).join(Vehicle).where(col(VehicleFile.id) == file_id, col(Vehicle.vendor_id) == actor.vendor)
    )
    if file := session.scalars(own).first():
        return file
    raise NotFoundError("There is no such file")


def own_listing(session: Session, actor: Actor, vehicle_id: int) -> OwnListing:
    """One of the actor's vehicles, which may be retired; raises NotFoundError for anyone else's."""
    if row := session.execute(_own_listings(actor).where(col(Vehicle.id) == vehicle_id)).first():
        return listing(row, OwnListing)
    raise unknown_vehicle()


def own_listings(actor: Actor, *, retired: bool = False) -> Columns:
    """SELECT of the actor's vehicles, or of those they retired, for `listing` as OwnListing."""
    return _own_listings(actor).where(not_(in_fleet()) if retired else in_fleet())


def _own_listings(actor: Actor) -> Columns:
    return _columns(clock.indian_today(clock.now())).where(col(Vehicle.vendor_id) == actor.vendor)


@lru_cache(maxsize=2)
def _columns(today: date) -> Columns:
    available = and_(*platform_verdict(today))
    visible = func.coalesce(and_(*priced()), False)
    return listings(OwnListing, available.label("is_available"), visible.label("is_priced"))


def _prices_of(session: Session, actor: Actor, *among: ColumnElement[bool]) -> dict[int, list[VendorPrice]]:
    own = select(VehiclePrice).join(Vehicle).where(col(Vehicle.vendor_id) == actor.vendor, *among)
    rows = session.scalars(own).all()
    by_vehicle: dict[int, list[VendorPrice]] = {}
    for row in sorted(rows, key=lambda price: plan_sort_key(price.price_name)):
        by_vehicle.setdefault(row.vehicle_id, []).append(
            VendorPrice.model_validate(row.model_dump(exclude={"id", "vehicle_id"}))
        )
    return by_vehicle


def _views(session: Session, actor: Actor, cars: Sequence[OwnListing]) -> list[VendorVehicle]:
    """The actor's vehicles in full; they are consecutive by id."""
    if not cars:
        return []
    among = col(Vehicle.id).between(cars[0].id, cars[-1].id)
    prices, files = _prices_of(session, actor, among), fleet_files.of_actor(session, actor, among)
    replaced = fleet_files.replaced(session, actor, among)
    return [_view(car, prices.get(car.id, []), files.get(car.id, []), replaced.get(car.id, [])) for car in cars]


def _view(car: OwnListing, prices: list[VendorPrice], files: list[FileView], replaced: list[FileView]) -> VendorVehicle:
    same = set(VendorVehicle.model_fields) & set(OwnListing.__match_args__) - {"image"}
    return VendorVehicle(
        **{name: getattr(car, name) for name in same},
        image=car.picture.full,
        year_of_manufacture=car.year,
        asset_manufacturer=car.maker,
        asset_model=VendorModel(
            id=car.model_id,
            name=car.model_name,
            image=car.drawing,
            seating_capacity=car.seating_capacity,
            transmission_type=car.transmission_type,
            body_type=car.body_type,
        ),
        prices=prices,
        files=files,
        replaced_files=replaced,
    )
