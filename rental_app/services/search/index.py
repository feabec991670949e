"""All that can be rented, column by column: what searches filter, price and sort without querying the database.

It is read once per edition of the shop and kept in the search cache; nothing in it depends on bookings or the time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.content.searched import BETWEEN, COLORS_CALLED, MODELS_CALLED, PLACES_CALLED, SILENT
from rental_app.domain.city_map import Point, distance_km
from rental_app.domain.hours import OpeningHours
from rental_app.domain.matching import Index, Label, index, meant, seats_called
from rental_app.domain.pricing import Numbers, Tariffs
from rental_app.infrastructure.settings import settings
from rental_app.models import AssetModel, AssetType, Columns, Location, Manufacturer, User, Vehicle, offers
from rental_app.models.user import opening_hours
from rental_app.services.pricing import tariffs
from rental_app.services.search.cache import Slot, cache_of
from rental_app.services.search.eligibility import is_listed

Mask = NDArray[np.bool_]
Rows = Sequence[Any]

# Read as columns of numbers, by their position.
_NUMBERED = (
    col(Vehicle.id),
    col(Vehicle.vendor_id),
    col(Vehicle.model_id),
    col(Vehicle.location_id),
    col(Vehicle.deposit_paise),
    col(Vehicle.stars_total),
    col(Vehicle.reviews),
)
_VEHICLES = (
    offers(
        *_NUMBERED,
        col(Vehicle.insurance_expiry_date),
        col(Vehicle.pollution_expiry_date),
        col(Vehicle.color),
    )
    .where(*is_listed())
    .order_by(col(Vehicle.id))
)
_VENDORS = (
    select(
        col(User.id),
        col(User.open_time),
        col(User.close_time),
        col(User.closing_days),
        col(User.delivery_supported),
        col(User.stars_total),
        col(User.reviews),
    )
    .where(col(User.id).in_(select(col(Vehicle.vendor_id))))
    .order_by(col(User.id))
)
_MODELS: Columns = (
    select(
        col(AssetModel.id),
        col(AssetModel.name),
        col(AssetModel.body_type),
        col(AssetModel.engine_type),
        col(AssetModel.transmission_type),
        col(AssetModel.seating_capacity),
        col(Manufacturer.name).label("maker"),
        col(AssetType.name).label("type"),
    )
    .join(Manufacturer, col(AssetModel.manufacturer_id) == Manufacturer.id)
    .join(AssetType, col(Manufacturer.asset_type_id) == AssetType.id)
    .order_by(col(AssetType.id), col(AssetModel.id))
)
_PLACES = select(col(Location.id), col(Location.name), col(Location.latitude), col(Location.longitude)).order_by(
    col(Location.name)
)
_STARS = ("stars_total", "reviews")


class Group(NamedTuple):
    """Choices of which every vehicle has one: their names, and the index of each vehicle's choice."""

    names: tuple[str, ...]
    codes: Numbers

    def among(self, chosen: Sequence[str]) -> Mask:
        """The vehicles that have one of some choices."""
        return np.array([name in chosen for name in self.names], dtype=bool)[self.codes]


@dataclass(frozen=True, eq=False)
class SearchIndex:
    """Every vehicle that is offered, at the same index in each of the columns, in order of ids; money is paise.

    `papers` are the last days on which papers are valid, as `date.toordinal` numbers. `unlimited` are vehicles whose
    plans all have unlimited kilometres, so that any rental of them has. Ratings are tenths of stars as shown, 0 without
    a review. `labels` are the positions in the `index` of what each vehicle is found by: its model, place and color.
    """

    ids: Numbers
    vendors: Numbers
    deposits: Numbers
    papers: Numbers
    seats: Numbers
    delivered: Mask
    unlimited: Mask
    tariffs: Tariffs
    ratings: Numbers
    vendor_ratings: Numbers
    hours: tuple[OpeningHours, ...]
    hours_of: Numbers
    groups: dict[str, Group]
    index: Index
    labels: Numbers
    places: tuple[Point, ...]
    place_ids: Numbers

    @cached_property
    def km(self) -> NDArray[np.float64]:
        """The distances of the places from each other, one row per place."""
        return np.array([[distance_km(one, other) for other in self.places] for one in self.places])

    def have_hours(self, which: Sequence[int]) -> Mask:
        """The vehicles whose vendors have one of some opening hours."""
        chosen = np.zeros(len(self.hours), dtype=bool)
        chosen[list(which)] = True
        return chosen[self.hours_of]

    def matching_text(self, text: str) -> Mask:
        """The vehicles that a text asks for."""
        matching = np.ones(len(self.ids), dtype=bool)
        for labels in meant(self.index, text):
            has_label = np.zeros(len(self.index.kinds), dtype=bool)
            has_label[list(labels)] = True
            matching &= has_label[self.labels].any(axis=0)
        return matching

    def mask_for_ids(self, ids: Sequence[int]) -> Mask:
        """The vehicles with some ids, not all of which need be here; a third of the time of `np.isin`."""
        wanted, mask = np.array(ids, dtype=np.int64), np.zeros(len(self.ids), dtype=bool)
        places = np.searchsorted(self.ids, wanted)
        is_within = places < len(self.ids)
        places = places[is_within]
        mask[places[self.ids[places] == wanted[is_within]]] = True
        return mask


_SLOT: Slot[SearchIndex] = Slot("search index")


def search_index(session: Session) -> SearchIndex:
    """The index of the edition that a session sees."""
    return cache_of(session).make_once(_SLOT, lambda: _read(session))


def _rows(session: Session, statement: Columns) -> Rows:
    # Bypassing the ORM, which would process every row once more.
    return session.connection().execute(statement).all()


def _read(session: Session) -> SearchIndex:
    vehicles = _rows(session, _VEHICLES)
    many = len(_NUMBERED)
    columns = np.array([row[:many] for row in vehicles], dtype=np.int64).reshape(-1, many).T.copy()
    ids, vendor_ids, model_ids, place_ids, deposits, *stars = columns
    vendors, models, places = (_rows(session, statement) for statement in (_VENDORS, _MODELS, _PLACES))
    of_vendor, of_model, of_place = _of(vendors, vendor_ids), _of(models, model_ids), _of(places, place_ids)
    hours = [opening_hours(row.open_time, row.close_time, row.closing_days) for row in vendors]
    distinct = tuple(dict.fromkeys(hours))
    costs, unlimited = tariffs.of_all(session, ids, vendor_ids)
    label_index, labels = _label_index(models, places, [row.color for row in vehicles], of_model, of_place)
    return SearchIndex(
        ids=ids,
        vendors=vendor_ids,
        deposits=deposits,
        papers=_numbers([min(row.insurance_expiry_date, row.pollution_expiry_date).toordinal() for row in vehicles]),
        seats=_numbers([row.seating_capacity for row in models])[of_model],
        delivered=np.array([row.delivery_supported for row in vendors], dtype=bool)[of_vendor],
        unlimited=unlimited,
        tariffs=costs,
        ratings=_average(*stars),
        vendor_ratings=_average(*(_numbers([getattr(row, name) for row in vendors])[of_vendor] for name in _STARS)),
        hours=distinct,
        hours_of=_numbers([distinct.index(each) for each in hours])[of_vendor],
        groups={
            "types": _group([row.type for row in models], of_model),
            "transmission": _group([row.transmission_type for row in models], of_model),
            "fuel": _group([row.engine_type for row in models], of_model),
            "model": _group([row.name for row in models], of_model),
            "location": Group(tuple(row.name for row in places), of_place),
        },
        index=label_index,
        labels=labels,
        places=tuple((row.latitude, row.longitude) for row in places),
        place_ids=_numbers([row.id for row in places]),
    )


def _numbers(values: Sequence[int]) -> Numbers:
    return np.array(values, dtype=np.int64)


def _of(rows: Rows, ids: Numbers) -> Numbers:
    """The index of each id's row among the rows."""
    at = {row.id: number for number, row in enumerate(rows)}
    return _numbers([at[each] for each in ids.tolist()])


def _average(stars: Numbers, reviews: Numbers) -> Numbers:
    """`domain.reviews.rating` for all, in tenths."""
    return np.where(reviews > 0, (20 * stars + reviews) // np.maximum(2 * reviews, 1), 0)


def _group(values: Sequence[str], of: Numbers) -> Group:
    """A group of choices from the values that rows have, and which row each vehicle has."""
    names = tuple(dict.fromkeys(values))
    return Group(names, _numbers([names.index(value) for value in values])[of])


def _label_index(
    models: Rows, places: Rows, colors: Sequence[str], of_model: Numbers, of_place: Numbers
) -> tuple[Index, Numbers]:
    """The index of the labels by which vehicles are found, and the positions in it of each vehicle's model, place and
    color."""
    # Colors come with the words that are colors even while no vehicle has them.
    at = {color: number for number, color in enumerate(dict.fromkeys([*COLORS_CALLED, *colors]))}
    facts = tuple(tuple(row[1:]) for row in models)
    label_index = _index(facts, tuple(row.name for row in places), tuple(at), settings().city)
    of_color = _numbers([at[color] for color in colors])
    return label_index, np.stack([of_model, of_place + len(models), of_color + len(models) + len(places)])


# Most changes of the shop change none of these words.
@lru_cache(maxsize=4)
def _index(models: tuple[tuple[Any, ...], ...], places: tuple[str, ...], colors: tuple[str, ...], city: str) -> Index:
    labels = (
        *(_model_label(*facts).called(MODELS_CALLED) for facts in models),
        *(Label("place", (name,)).called(PLACES_CALLED) for name in places),
        *(Label("color", (name,)).called(COLORS_CALLED) for name in colors),
    )
    return index(labels, (*SILENT, city), BETWEEN)


def _model_label(name: str, body: str, engine: str, transmission: str, seats: int, maker: str, kind: str) -> Label:
    # A semi-automatic is not an automatic.
    return Label("model", (f"{maker} {name}", kind, body), (engine, transmission, *seats_called(seats)))
