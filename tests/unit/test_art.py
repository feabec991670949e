import itertools
import re
from xml.etree import ElementTree

import pytest

from rental_app.content.art import ART_FOLDER, SHAPES, TINTS, draw, picture_path, tint_of
from tests.rows import each

SVG = "{http://www.w3.org/2000/svg}"
FORBIDDEN_TAGS = {"script", "foreignObject", "image", "text", "a"}
MAX_BYTES = 15_000


def test_every_file_is_a_shape_and_every_shape_a_file() -> None:
    assert {path.stem for path in ART_FOLDER.glob("*.svg")} == set(SHAPES)


@each(("shape", "tint"), itertools.product(SHAPES, TINTS))
def test_shape_draws_in_tint(shape: str, tint: str) -> None:
    root = ElementTree.fromstring(draw(shape, tint))  # noqa: S314 - the project's own files
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == "0 0 640 400"
    assert root.get("style") == f"--tint:{TINTS[tint]}"
    assert any(node.get("fill") == "var(--tint)" for node in root.iter())


@each("shape", SHAPES)
def test_shape_is_self_contained_and_small(shape: str) -> None:
    text = draw(shape, "teal")
    nodes = list(ElementTree.fromstring(text).iter())  # noqa: S314 - the project's own files
    ids = {node.get("id") for node in nodes}
    links = [value for node in nodes for key, value in node.attrib.items() if key.endswith("href")]
    paints = re.findall(r"url\(([^)]*)\)", text)
    assert not {node.tag.removeprefix(SVG) for node in nodes} & FORBIDDEN_TAGS
    assert not [key for node in nodes for key in node.attrib if key.startswith("on")]
    assert {reference.removeprefix("#") for reference in links + paints} <= ids
    assert len(text.encode()) <= MAX_BYTES


@each("shape", SHAPES)
def test_ids_carry_a_prefix_so_that_two_shapes_fit_in_one_page(shape: str) -> None:
    own = set(re.findall(r'id="([^"]+)"', draw(shape, "teal")))
    others = {name for other in SHAPES if other != shape for name in re.findall(r'id="([^"]+)"', draw(other, "teal"))}
    assert not own & others


@pytest.mark.parametrize(
    ("colour", "tint"),
    [
        ("White", "white"),
        ("Pearl White", "white"),
        ("Matte Axis Grey", "grey"),
        ("Racing-Red/Black", "black"),
        ("Gunmetal Gray", "grey"),
        ("  NAVY  blue ", "blue"),
        ("Blackberry", "teal"),
        ("", "teal"),
    ],
)
def test_colour_words_name_a_tint(colour: str, tint: str) -> None:
    assert tint_of(colour) == tint


def test_picture_path_holds_nothing_of_the_vendors_text() -> None:
    assert picture_path("suv", "../../Pearl White?x=<b>") == "/media/art/suv/white.svg"


@pytest.mark.parametrize(
    ("shape", "tint"), [("tractor", "teal"), ("suv", "plaid"), ("../art/suv", "teal"), ("suv", "#0f766e")]
)
def test_unknown_shape_or_tint_is_refused(shape: str, tint: str) -> None:
    with pytest.raises(LookupError):
        draw(shape, tint)


def test_path_of_an_unknown_shape_is_refused() -> None:
    with pytest.raises(LookupError):
        picture_path("tractor", "white")
