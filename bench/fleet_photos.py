"""Takes the demo fleet's photos: the vehicle of every listing, from four sides, in a setting, drawn by Chromium.

`python -m bench.fleet_photos` writes rental_app/seed/fleet_photos/<plate>-<side>.avif; run it after changing a drawing
or a listing, and check the result.
"""

import csv
import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from rental_app.content.art import DRAWINGS, TINTS, draw, tint_of
from rental_app.content.drawing import whole
from rental_app.seed.fleet import LISTINGS, SeedListing
from rental_app.seed.photos import FOLDER, file_of
from tests.support import chromium

HERE = Path(__file__).with_suffix("")
SETTINGS = tuple(sorted(path.stem for path in (HERE / "settings").glob("*.svg")))
SIZE = (960, 600)
QUALITY = 37
# Slightly smaller than the frame, standing on the ground of the setting.
PLACED = "translate(32 38) scale(.9)"
MIRRORED = "translate(608 38) scale(-.9 .9)"


def main() -> None:
    """Draw and store every photo."""
    with sync_playwright() as play:
        browser = chromium.launched(play)
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        FOLDER.mkdir(exist_ok=True)
        for listing in LISTINGS:
            for side, scene in scenes(listing):
                page.set_content(f'<body style="margin:0">{scene}</body>')
                _keep(page.screenshot(), file_of(listing.plate, side))
        browser.close()


def scenes(listing: SeedListing) -> Iterator[tuple[str, str]]:
    """Yield each side of a listing's vehicle as SVG; the plate determines the setting."""
    name = DRAWINGS.get(f"{listing.facts.maker} {listing.facts.name}", listing.facts.shape)
    tint = tint_of(listing.color)
    seen = _views()[name]
    sides = {
        "Front": (_painted(_view(seen["front"], seen["lamp"]), tint), PLACED),
        "Left": (draw(name, tint), MIRRORED),
        "Right": (draw(name, tint), PLACED),
        "Back": (_painted(_view(seen["back"], seen["lamp"]), tint), PLACED),
    }
    setting = whole("setting", (HERE / "settings" / f"{_setting(listing)}.svg").read_text("utf-8"))
    for side, (vehicle, place) in sides.items():
        yield side, f'<svg viewBox="0 0 640 400" width="{SIZE[0]}">{setting}<g transform="{place}">{vehicle}</g></svg>'


def _setting(listing: SeedListing) -> str:
    return listing.dice("setting").choice(SETTINGS)


def _view(view: str, lamp: str) -> str:
    return whole("view", (HERE / "views" / f"{view}.svg").read_text("utf-8").replace("LAMP", lamp))


def _painted(svg: str, tint: str) -> str:
    return svg.replace("--tint:#0f766e", f"--tint:{TINTS[tint]}", 1)


@cache
def _views() -> dict[str, dict[str, str]]:
    with (HERE / "models.csv").open(encoding="utf-8", newline="") as file:
        return {row["drawing"]: row for row in csv.DictReader(file)}


def _keep(png: bytes, path: Path) -> None:
    Image.open(io.BytesIO(png)).convert("RGB").save(path, "AVIF", quality=QUALITY, speed=7)


if __name__ == "__main__":
    main()
