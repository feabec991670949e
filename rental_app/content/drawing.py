"""Composes a model's drawing: its own parts are from `art/models`, those that drawings share from `art/parts.svg`."""

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "art"
MODELS_FOLDER = FOLDER / "models"
MODELS: frozenset[str] = frozenset(path.stem for path in MODELS_FOLDER.glob("*.svg"))

# A drawing carries only the styles of its own classes.
STYLES: dict[str, str] = {
    "edge": "stroke:#74868b;stroke-opacity:.85;stroke-width:1.5",
    "dark": "fill:url(#K);stroke:#1b2124",
    "metal": "fill:url(#M);stroke:#566267",
    "engine": "fill:url(#E);stroke:#39454a",
    "alloy": "fill:url(#A);stroke:#566267",
    "seat": "fill:url(#Q);stroke:#101416",
    "leather": "fill:url(#W);stroke:#2a1a10",
    "glass": "fill:url(#G);stroke:#161d20;stroke-width:1.6",
    "lamp": "fill:url(#L);stroke:#26363b;stroke-width:1.4",
    "tail": "fill:url(#R);stroke:#5e1111",
    "amber": "fill:#f59e0b;stroke:#7a4a05",
    "black": "fill:#161d20",
    "shade": "fill:#02121440",
    "light": "fill:#ffffff3d",
    "shine": "stroke:#ffffff8c;stroke-width:3",
    "stitch": "stroke:#8f8a8699;stroke-dasharray:3 2.5",
    "spring": "stroke:#d5dcdf;stroke-width:14;stroke-dasharray:3.2 1.5;stroke-linecap:butt",
}
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400" fill="none" stroke-linecap="round"'
    ' stroke-linejoin="round" style="--tint:#0f766e">\n<style>{style}</style>\n<defs>{defs}</defs>\n{body}\n</svg>'
)
_SHORTHAND = re.compile(r"<(paint|body|tube|seam)\b([^>]*)/>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_PART = re.compile(r'^<\w+ id="([\w-]+)".*$', re.MULTILINE)
_CLASS = re.compile(r'class="([\w-]+)"')
_REFERENCE = re.compile(r'(?:href="|url\()#([\w-]+)')
_ANY_ID = re.compile(r'(id="|href="#|url\(#)')


@cache
def compose(model: str) -> str:
    """The SVG text of a model's drawing, self-contained, with the model's name in its ids.

    Raises LookupError for a model without a drawing.
    """
    if model not in MODELS:
        raise LookupError(f"no drawing of {model!r}")
    return whole(model, (MODELS_FOLDER / f"{model}.svg").read_text(encoding="utf-8"))


def whole(name: str, fragment: str) -> str:
    """The SVG text of a fragment with the parts and styles it uses, and a name in its ids."""
    body = _written_out(fragment.strip())
    shared = _with_what_they_need(set(_needed(body)) - set(_ids(body)))
    defs = "\n".join(text for part, text in _parts().items() if part in shared)
    style = "".join(f".{css}{{{rule}}}" for css, rule in STYLES.items() if f'class="{css}"' in defs + body)
    return _ANY_ID.sub(rf"\g<1>{name}-", _SVG.format(style=style, defs=defs, body=body))


def _with_what_they_need(names: set[str]) -> set[str]:
    more = {need for name in names for need in _needed(_parts()[name])} - names
    return _with_what_they_need(names | more) if more else names


def _needed(text: str) -> list[str]:
    """The ids a fragment refers to, in itself and by the styles of its classes."""
    styles = "".join(STYLES[name] for name in _CLASS.findall(text))
    return _REFERENCE.findall(text + styles)


def _ids(text: str) -> list[str]:
    return re.findall(r'\bid="([\w-]+)"', text)


@cache
def _parts() -> dict[str, str]:
    """The parts that drawings share, each on a line of parts.svg, by id."""
    lines = (FOLDER / "parts.svg").read_text(encoding="utf-8")
    return {match[1]: _written_out(match[0]) for match in _PART.finditer(lines)}


def _written_out(text: str) -> str:
    """A fragment with its shorthands expanded to the paths they stand for."""
    return _SHORTHAND.sub(lambda found: _WRITE[found[1]](dict(_ATTRIBUTE.findall(found[2]))), text)


def _painted(path: dict[str, str], shade: str) -> str:
    return f'<path d="{path["d"]}" fill="var(--tint)"/><path d="{path["d"]}" fill="url(#{shade})" class="edge"/>'


def _tube(path: dict[str, str]) -> str:
    """A round bar `w` wide of colour `c`, light falling on it from above."""
    width = float(path.get("w", "8"))
    shift = f"translate({-width / 7:.1f} {-width / 6:.1f})"
    return (
        f'<path d="{path["d"]}" stroke="{path.get("c", "#8d999e")}" stroke-width="{width:g}"/>'
        f'<path d="{path["d"]}" stroke="#ffffff7a" stroke-width="{width * 0.3:.1f}" transform="{shift}"/>'
    )


def _seam(path: dict[str, str]) -> str:
    return (
        f'<path d="{path["d"]}" stroke="#04181a80" stroke-width="1.5"/>'
        f'<path d="{path["d"]}" stroke="#ffffff47" transform="translate(1.2 .8)"/>'
    )


_WRITE = {
    "paint": lambda path: _painted(path, "S"),
    "body": lambda path: f'<clipPath id="outline"><path d="{path["d"]}"/></clipPath>{_painted(path, "B")}',
    "tube": _tube,
    "seam": _seam,
}
