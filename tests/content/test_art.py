import re
from collections.abc import Iterable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from rental_app.content.art import DRAWINGS, SHAPES, SHAPES_FOLDER, TINTS, draw, picture_path, tint_of
from rental_app.content.drawing import MODELS, compose
from rental_app.seed.catalogue import MODELS as CATALOGUE
from tests.support.rows import each

SVG = "{http://www.w3.org/2000/svg}"
FORBIDDEN_TAGS = {"script", "foreignObject", "image", "text", "a"}
MAX_BYTES = 15_000
EVERY = [*SHAPES, *sorted(MODELS)]


def tree(name: str, tint: str = "teal") -> Element:
    return ElementTree.fromstring(draw(name, tint))  # noqa: S314 - the project's own files


def places_of(nodes: Iterable[Element]) -> list[float]:
    """Return the horizontal positions of these nodes."""
    shifts = (re.findall(r"translate\((\d+)", node.get("transform", "")) for node in nodes)
    return [float(shift[0] if shift else node.get("x", "")) for node, shift in zip(nodes, shifts, strict=True)]


def test_every_file_is_a_shape_and_every_shape_a_file() -> None:
    assert {path.stem for path in SHAPES_FOLDER.glob("*.svg")} == set(SHAPES)


def test_every_model_of_the_catalogue_has_a_picture_and_many_have_their_own() -> None:
    titles = {f"{facts.maker} {facts.name}": facts for facts in CATALOGUE}
    assert {picture_path(facts.shape, "red", title) for title, facts in titles.items()} == {
        f"/media/art/{DRAWINGS.get(title, facts.shape)}/red.svg" for title, facts in titles.items()
    }
    assert set(DRAWINGS) <= set(titles)
    assert set(DRAWINGS.values()) == MODELS


@each("name", EVERY)
def test_drawing_takes_every_tint(name: str) -> None:
    for tint, paint in TINTS.items():
        root = tree(name, tint)
        assert root.tag == f"{SVG}svg"
        assert root.get("viewBox") == "0 0 640 400"
        assert root.get("style") == f"--tint:{paint}"
    assert any(node.get("fill") == "var(--tint)" for node in root.iter())
    # It is self-contained and small.
    text = draw(name, "teal")
    nodes = list(tree(name).iter())
    ids = {node.get("id") for node in nodes}
    links = [value for node in nodes for key, value in node.attrib.items() if key.endswith("href")]
    paints = re.findall(r"url\(([^)]*)\)", text)
    assert not {node.tag.removeprefix(SVG) for node in nodes} & FORBIDDEN_TAGS
    assert not [key for node in nodes for key in node.attrib if key.startswith("on")]
    assert {reference.removeprefix("#") for reference in links + paints} <= ids
    assert len(text.encode()) <= MAX_BYTES


@each("name", sorted(MODELS))
def test_model_stands_on_a_wheel_behind_and_one_in_front(name: str) -> None:
    wheels = [node for node in tree(name).iter(f"{SVG}use") if node.get("href", "").startswith(f"#{name}-wheel-")]
    behind, ahead = sorted(places_of(wheels))
    assert 130 < behind < 160
    assert 480 < ahead < 512


@each("name", EVERY)
def test_ids_carry_a_prefix_so_that_two_drawings_fit_in_one_page(name: str) -> None:
    own = set(re.findall(r'id="([^"]+)"', draw(name, "teal")))
    others = {found for other in EVERY if other != name for found in re.findall(r'id="([^"]+)"', draw(other, "teal"))}
    assert not own & others


@pytest.mark.parametrize(
    ("colour", "tint"),
    [
        ("Pearl White", "white"),
        ("Racing-Red/Black", "black"),
        ("Gunmetal Gray", "grey"),
        ("  NAVY  blue ", "blue"),
        ("Blackberry", "teal"),
        ("", "teal"),
    ],
)
def test_colour_words_name_a_tint(colour: str, tint: str) -> None:
    assert tint_of(colour) == tint


@pytest.mark.parametrize(
    ("shape", "tint"), [("tractor", "teal"), ("suv", "plaid"), ("../art/suv", "teal"), ("suv", "#0f766e")]
)
def test_unknown_shape_or_tint_is_refused(shape: str, tint: str) -> None:
    with pytest.raises(LookupError):
        draw(shape, tint)
    with pytest.raises(LookupError):
        compose("tractor")


def test_an_unknown_shape_is_shown_as_one_there_is_and_no_vendors_text_is_in_a_path() -> None:
    assert picture_path("suv", "../../Pearl White?x=<b>", "Tata ../<b>") == "/media/art/suv/white.svg"
    for shape in ("tractor", "", "../art/suv"):
        path = picture_path(shape, "white")
        assert path == "/media/art/scooter/white.svg"
        assert draw(*path.removeprefix("/media/art/").removesuffix(".svg").split("/"))
