"""What people type finds what they mean, and nothing else: one table, judged on the demo fleet."""

import re
from typing import Any

import pytest

from rental_app.content.searched import COLORS_CALLED, MODELS_CALLED, PLACES_CALLED
from rental_app.domain.matching import joined, meant
from rental_app.infrastructure.db import read
from rental_app.models import Listing
from rental_app.schemas.search import ShopRequest
from rental_app.seed.catalogue import MODELS
from rental_app.seed.places import PLACES
from rental_app.services.search import listings as search_listings
from rental_app.services.search.index import search_index
from tests.support.plain_search import listings
from tests.support.rows import each
from tests.support.shop import VISITOR

# What each field of a vehicle must say one of; a vehicle that does is found, any other is not.
Meaning = dict[str, str | int | tuple[str | int, ...]]
EVERYTHING: Meaning = {}
BIKES: Meaning = {"kind": "Motorcycle"}
SCOOTERS: Meaning = {"kind": "Scooter"}
CARS: Meaning = {"seating_capacity": (4, 5, 7)}
ROYAL_ENFIELDS: Meaning = {"maker": "Royal Enfield"}
ACTIVAS: Meaning = {"model_name": "Activa"}
HITEC: Meaning = {"service_location": "HITEC City"}
LB_NAGAR: Meaning = {"service_location": "LB Nagar"}
SECUNDERABAD: Meaning = {"service_location": "Secunderabad"}
KUKATPALLY: Meaning = {"service_location": "Kukatpally"}
MADHAPUR: Meaning = {"service_location": "Madhapur"}
R15: Meaning = {"model_name": "R15"}
ELECTRIC: Meaning = {"engine_type": "Electric"}

MEANT: list[tuple[str, Meaning]] = [
    # Words that say nothing of the vehicle.
    ("bike on rent", BIKES),
    ("bike rental in hyderabad", BIKES),
    ("I want a bike for 2 days", BIKES),
    ("self drive car", CARS),
    ("car with AC", CARS),
    ("for rent", EVERYTHING),
    ("bike chahiye kiraye par", BIKES),
    # Kinds.
    ("bike", BIKES),
    ("2-wheeler", {"seating_capacity": 2}),
    ("7 seater", {"seating_capacity": 7}),
    ("muv", {"body_type": "MPV"}),
    ("sedan car", {"body_type": "Sedan"}),
    ("ev", ELECTRIC),
    ("e-bike", {"body_type": ("Electric Scooter", "Electric Motorcycle")}),
    ("hybrid scooter", {"engine_type": "Hybrid"}),
    ("petrol car", {"engine_type": "Petrol", **CARS}),
    ("gearless car", {"transmission_type": "=Automatic", **CARS}),
    ("geared bike", BIKES | {"transmission_type": "Manual"}),
    ("automatic", {"transmission_type": "=Automatic"}),
    ("semi-automatic", {"transmission_type": "Semi-Automatic"}),
    ("amt", {"transmission_type": "Semi-Automatic"}),
    # Models and makers, as they are written and called.
    ("swift dzire", {"model_name": "Dzire"}),
    ("swift", {"model_name": "Swift"}),
    ("r 15", R15),
    ("yamaha r15 v4", R15),
    ("wagon r", {"model_name": "WagonR"}),
    ("hness", {"model_name": "H'ness"}),
    ("pulsar 200", {"model_name": "NS200"}),
    ("duke 390", {"model_name": "390 Duke"}),
    ("ola s1", {"model_name": "S1 Pro"}),
    ("bullet", {"model_name": "Bullet"}),
    ("royalenfield", ROYAL_ENFIELDS),
    ("350cc", {"model_name": "350"}),
    ("activas", ACTIVAS),
    ("activa & dio", {"model_name": ("Activa", "Dio")}),
    ("activa or dio", {"model_name": ("Activa", "Dio")}),
    ("Activa, Dio, Jupiter", {"model_name": ("Activa", "Dio", "Jupiter")}),
    ("automatic & petrol", {"transmission_type": "=Automatic", "engine_type": "Petrol"}),
    ("activa & madhapur", ACTIVAS | MADHAPUR),
    # Places.
    ("activa in madhapur", ACTIVAS | MADHAPUR),
    ("hi-tech city", HITEC),
    ("Hitec", HITEC),
    ("L B Nagar", LB_NAGAR),
    ("sec'bad", SECUNDERABAD),
    ("kphb", KUKATPALLY),
    ("kukatpally, miyapur", {"service_location": ("Kukatpally", "Miyapur")}),
    ("bike near airport", BIKES | {"service_location": "Shamshabad"}),
    # Colors.
    ("black", {"color": "Black"}),
    ("black thar", {"color": "Black", "model_name": "Thar"}),
    ("red or blue scooter", SCOOTERS | {"color": ("Red", "Blue")}),
    # Typing errors.
    ("actvia", ACTIVAS),
    ("royal enfeild", ROYAL_ENFIELDS),
    ("hitex", HITEC),
    ("secundrabad", SECUNDERABAD),
    # Hindi and Telugu, and both in Latin letters.
    ("बाइक किराये पर", BIKES),
    ("हाईटेक सिटी में स्कूटी", SCOOTERS | HITEC),
    ("लाल या काला बुलेट", {"color": ("Red", "Black"), "model_name": "Bullet"}),
    ("आर १५", R15),
    ("మాదాపూర్‌లో యాక్టివా", ACTIVAS | MADHAPUR),
    ("ఎల్బీ నగర్", LB_NAGAR),
    ("సికింద్రాబాద్ లో బైక్", BIKES | SECUNDERABAD),
    ("రాయల్ ఎన్‌ఫీల్డ్ అద్దెకు", ROYAL_ENFIELDS),
    ("lal scooty", SCOOTERS | {"color": "Red"}),
]
# What the fleet has not got, however much it sounds like something else.
NOT_MEANT = (
    *("alto", "nano", "rx 100", "unicorn", "passion pro", "xuv700", "pulsar 220", "vans", "driver", "purple"),
    *("pink activa", "kondapur", "nizampet", "shamirpet", "ramanthapur", "banjara hills", "honda zeppelin", "%", "_"),
    *("&", "🏍", "' OR 1=1 --"),
)


def fits(car: Listing, meaning: Meaning) -> bool:
    said: dict[str, Any] = {"kind": f"{car.asset_type} {car.body_type}"}
    return all(_says(said.get(name, getattr(car, name, None)), values) for name, values in meaning.items())


def _says(value: Any, values: Any) -> bool:
    options = values if isinstance(values, tuple) else (values,)
    return any(value == each or (isinstance(each, str) and (each in value or each == f"={value}")) for each in options)


def ids(text: str) -> list[int]:
    return [car.id for car in read(search_listings.listed, VISITOR, ShopRequest(text=text)).vehicles]


@pytest.mark.usefixtures("database")
@each(("text", "meaning"), MEANT)
def test_a_text_finds_what_it_means(text: str, meaning: Meaning) -> None:
    expected = [car.id for car in listings() if fits(car, meaning)]
    assert expected
    assert ids(text) == expected


@pytest.mark.usefixtures("database")
@each("text", NOT_MEANT)
def test_what_is_not_there_is_not_found(text: str) -> None:
    assert ids(text) == []


@pytest.mark.usefixtures("database")
def test_every_name_of_the_table_means_what_bears_it_and_nothing_else() -> None:
    known = read(search_index).index
    for names in (MODELS_CALLED, PLACES_CALLED, COLORS_CALLED):
        for text in {text for called in names.values() for text in called}:
            bearers = [known.named(joined(name)) for name, called in names.items() if text in called]
            assert all(bearers), text
            assert meant(known, text) == [frozenset().union(*bearers)], text


def test_all_places_and_the_best_known_models_have_hindi_and_telugu_names() -> None:
    hindi, telugu = (
        [name for name, called in {**MODELS_CALLED, **PLACES_CALLED}.items() if any(map(script.search, called))]
        for script in (re.compile("[\u0900-\u097f]"), re.compile("[\u0c00-\u0c7f]"))
    )
    assert {place.name for place in PLACES} <= {*hindi} & {*telugu}
    models = {name for name in MODELS_CALLED if any(name in facts.name for facts in MODELS)}
    assert models <= {*hindi} & {*telugu}
    assert len(models) >= 40
