"""The project's own vehicle pictures, painted in the vehicle's colour: of its model, or else of its body shape."""

import csv
import re
from functools import cache
from pathlib import Path
from typing import get_args

from rental_app.content.drawing import MODELS, compose
from rental_app.domain.pictures import DRAWINGS_PATH, Shape

ART_FOLDER = Path(__file__).parent / "art"
SHAPES_FOLDER = ART_FOLDER / "shapes"

SHAPES: tuple[str, ...] = get_args(Shape)

TINTS: dict[str, str] = {
    "white": "#f4f6f5",
    "black": "#30373b",
    "grey": "#737d82",
    "silver": "#bcc5c8",
    "red": "#c5282c",
    "maroon": "#7c1f2d",
    "blue": "#2463bd",
    "navy": "#243c6b",
    "teal": "#0f766e",
    "green": "#3a8049",
    "olive": "#6d7140",
    "yellow": "#f0bd2c",
    "orange": "#e36f1e",
    "brown": "#75503a",
    "beige": "#d3c3a3",
    "bronze": "#9a7044",
    "gold": "#c9a04a",
    "purple": "#67479c",
    "pink": "#d9668f",
    "cream": "#efe6cd",
}

DEFAULT_TINT = "teal"
# Of a model that names no shape there is: a plain picture is better than a list that fails.
DEFAULT_SHAPE = "scooter"


def _drawings() -> dict[str, str]:
    with (ART_FOLDER / "models.csv").open(encoding="utf-8", newline="") as file:
        return {row["model"]: row["drawing"] for row in csv.DictReader(file)}


# By the name of a model with its maker.
DRAWINGS = _drawings()

_OTHER_SPELLINGS = {"gray": "grey"}
_WORD = re.compile(r"[a-z]+")
_ROOT_TINT = re.compile(r"--tint:#[0-9a-f]{6}")


def tint_of(colour: str) -> str:
    """Name the tint a vendor's free text means: the last colour word in it, else teal."""
    words = (_OTHER_SPELLINGS.get(word, word) for word in _WORD.findall(colour.lower()))
    known = [word for word in words if word in TINTS]
    return known[-1] if known else DEFAULT_TINT


def picture_path(shape: str, colour: str, model: str = "") -> str:
    """Path on this host of the picture of a model (with its maker), or else of its shape, in a vendor's colour.

    A shape that is not known, of a model without a drawing of its own, is DEFAULT_SHAPE.
    """
    name = DRAWINGS.get(model, shape)
    return f"{DRAWINGS_PATH}{name if _is_known(name) else DEFAULT_SHAPE}/{tint_of(colour)}.svg"


@cache
def draw(name: str, tint: str) -> str:
    """SVG text of a drawing, a model's or a shape's, painted in a tint, both by name.

    Raises LookupError for an unknown drawing or tint.
    """
    paint = f"--tint:{TINTS[tint]}"
    return _ROOT_TINT.sub(paint, _outline(name), count=1)


@cache
def _outline(name: str) -> str:
    return compose(name) if name in MODELS else (SHAPES_FOLDER / f"{_known(name)}.svg").read_text("utf-8")


def _known(name: str) -> str:
    if not _is_known(name):
        raise LookupError(f"no picture of {name!r}")
    return name


def _is_known(name: str) -> bool:
    return name in MODELS or name in SHAPES
