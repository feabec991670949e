"""The conditions on which each kind of vehicle is rented out."""

from dataclasses import dataclass, replace

from rental_app.seed.places import CITY

HELMET = "One helmet is included, a second one is ₹200 per trip."
LICENCE = "Carry the original driving licence while riding; a learner's licence is not accepted."
ENERGY = "Fuel or charge is not included."
RANGE = f"Stay within 150 km of {CITY}: this vehicle may not go farther."


@dataclass(frozen=True, slots=True)
class Conditions:
    """Rupees to choose from (late return by the hour, extra km, deposit, delivery), km/h, km a day, and terms."""

    late_penalty: tuple[int, ...]
    distance_penalty: tuple[int, ...]
    deposit: tuple[int, ...]
    delivery: int
    speed_limit_kmph: int
    kms_a_day: int
    terms: tuple[str, ...]


SCOOTER = Conditions(
    late_penalty=(50, 60, 75),
    distance_penalty=(3, 4),
    deposit=(1000, 1500, 2000),
    delivery=150,
    speed_limit_kmph=70,
    kms_a_day=120,
    terms=(LICENCE, HELMET, "At most two people ride.", ENERGY),
)
# A charge takes them hardly farther and back.
ELECTRIC_SCOOTER = replace(SCOOTER, terms=(*SCOOTER.terms, RANGE))
COMMUTER = Conditions(
    late_penalty=(75, 100),
    distance_penalty=(4, 5),
    deposit=(2000, 2500),
    delivery=150,
    speed_limit_kmph=90,
    kms_a_day=150,
    terms=(LICENCE, HELMET, ENERGY, "Check tyre pressure and brakes before a long ride."),
)
BIG_BIKE = Conditions(
    late_penalty=(100, 120, 150),
    distance_penalty=(5, 6, 7),
    deposit=(3000, 4000, 5000),
    delivery=250,
    speed_limit_kmph=90,
    kms_a_day=200,
    terms=(
        LICENCE,
        HELMET,
        "The rider is at least 21 years old and has held a licence for a year.",
        "No racing, stunts or off-road riding.",
        ENERGY,
    ),
)
SMALL_CAR = Conditions(
    late_penalty=(150, 180),
    distance_penalty=(8, 9, 10),
    deposit=(5000, 6000),
    delivery=500,
    speed_limit_kmph=80,
    kms_a_day=250,
    terms=(
        "The driver is at least 21 years old and has held a car licence for a year.",
        "Tolls are not included. " + ENERGY,
        "No smoking and no pets inside.",
        "Return the car as clean as you received it, or ₹500 is charged for washing.",
    ),
)
BIG_CAR = Conditions(
    late_penalty=(180, 200),
    distance_penalty=(11, 12),
    deposit=(8000, 10000),
    delivery=600,
    speed_limit_kmph=100,
    kms_a_day=300,
    terms=SMALL_CAR.terms,
)
BY_SHAPE = {
    "scooter": SCOOTER,
    "electric-scooter": ELECTRIC_SCOOTER,
    "commuter": COMMUTER,
    "cruiser": BIG_BIKE,
    "sport": BIG_BIKE,
    "adventure": BIG_BIKE,
    "hatchback": SMALL_CAR,
    "sedan": SMALL_CAR,
    "electric-car": SMALL_CAR,
    "suv": BIG_CAR,
    "mpv": BIG_CAR,
}
