"""A person's favourites: marking, unmarking, and what has become of them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError
from rental_app.domain.ids import COMPARED, MOST_FAVOURITES
from rental_app.models import Favourite, Vehicle
from rental_app.schemas.favourites import FavouriteView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, lock_account
from rental_app.services.search import listings
from rental_app.services.search.listings import vehicles_by_id
from rental_app.services.throttle import Caller

FULL = f"You have {MOST_FAVOURITES} favourites, which is the limit: remove one first"
COMPARING = f"You are already comparing {COMPARED} vehicles: remove one first"


def ids(session: Session, actor: Actor) -> list[int]:
    """The vehicles that the actor has marked, the latest first."""
    throttle.count("list", actor)
    return list(_since(session, actor))


def _since(session: Session, actor: Actor) -> dict[int, datetime]:
    """The actor's favourites, each with when it was marked."""
    favourites = select(col(Favourite.vehicle_id), col(Favourite.added_at)).where(col(Favourite.user_id) == actor.id)
    latest_first = (col(Favourite.added_at).desc(), col(Favourite.vehicle_id).desc())
    return {vehicle_id: since for vehicle_id, since in session.execute(favourites.order_by(*latest_first))}


def list_favourites(session: Session, actor: Actor) -> list[FavouriteView]:
    """The actor's favourites with their vehicles as everyone may see them, and whether somebody has them just now."""
    throttle.count("list", actor)
    since = _since(session, actor)
    chosen = vehicles_by_id(session, actor, list(since))
    seen = {view.id: view for view in listings.public_vehicles(session, chosen.listed)}
    titles = {car.id: car.title for car in [*chosen.listed, *chosen.gone]}
    return [
        FavouriteView(
            vehicle_id=each,
            name=titles[each],
            added_at=added_at,
            free_now=each in seen and each not in chosen.taken,
            vehicle=seen.get(each),
        )
        for each, added_at in since.items()
    ]


def put(session: Session, actor: Actor, vehicle_id: int) -> None:
    """Mark a vehicle; one that is already marked stays marked.

    Raises NotFoundError for one that nobody can book, and ConflictError past MOST.
    """
    throttle.count("change", actor)
    listings.get_listing(session, actor, vehicle_id)
    if not _add(session, actor, [vehicle_id]):
        raise ConflictError(FULL, code="too_many_favourites")


def save(session: Session, caller: Caller, vehicle_id: int, others: Sequence[int]) -> None:
    """Check that a browser may keep a vehicle as a favourite beside others; raises what `put` raises."""
    listings.get_listing(session, caller, vehicle_id)
    if len(others) >= MOST_FAVOURITES:
        raise ConflictError(FULL, code="too_many_favourites")


def compare(session: Session, caller: Caller, vehicle_id: int, others: Sequence[int]) -> None:
    """Check that a vehicle may be compared with others.

    Raises NotFoundError for one that nobody can book, and ConflictError past COMPARED.
    """
    listings.get_listing(session, caller, vehicle_id)
    if len(others) >= COMPARED:
        raise ConflictError(COMPARING, code="too_many_compared")


def drop(session: Session, actor: Actor, vehicle_id: int) -> None:
    """Unmark a vehicle; one that is not marked stays unmarked."""
    throttle.count("change", actor)
    session.execute(
        delete(Favourite).where(col(Favourite.user_id) == actor.id, col(Favourite.vehicle_id) == vehicle_id)
    )


def merge_after_login(session: Session, actor: Actor, vehicles: Sequence[int]) -> bool:
    """Mark what was marked before login, the latest first; returns whether there was room for all that exists."""
    throttle.count("change", actor)
    there = set(session.scalars(select(col(Vehicle.id)).where(col(Vehicle.id).in_(vehicles))))
    return _add(session, actor, [each for each in vehicles if each in there])


def _add(session: Session, actor: Actor, wanted: Sequence[int]) -> bool:
    """Mark as many as there is room for; returns whether that was all."""
    lock_account(session, actor)
    had, instant = _since(session, actor), clock.now()
    new = [each for each in wanted if each not in had]
    fits = new[: max(0, MOST_FAVOURITES - len(had))]
    session.add_all(
        Favourite(user_id=actor.id, vehicle_id=each, added_at=instant - timedelta(microseconds=place))
        for place, each in enumerate(fits)
    )
    session.flush()
    return len(fits) == len(new)
