"""Screenshots of every page for `docs/screens/`: three widths side by side, light and dark.

python -m bench.screens --url http://localhost:3000 --only home --full folder-for-pictures-in-full-size
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path

import httpx2
from PIL import Image
from playwright.sync_api import Browser, Page

from bench.pages import own_app, started_browser
from bench.scenes import SCENES, Scene
from rental_app.seed.people import CUSTOMER_EMAIL, DEMO_PASSWORD, VENDOR_EMAIL
from tests.support.app import ROOT
from tests.support.browser_steps import ready, settled

FOLDER = ROOT / "docs" / "screens"
ACCOUNTS = {"customer": CUSTOMER_EMAIL, "vendor": VENDOR_EMAIL}
THEMES = {"light": "#ffffff", "dark": "#000000"}
# Viewport, and its width in the strip.
WIDTHS = {(360, 740): 160, (768, 1024): 280, (1440, 900): 480}
GAP, TALLEST, QUALITY = 12, 720, 60
HEAD = """# Every page

Phone, tablet and desk (360, 768 and 1440 px), light and dark; `make screens` takes them again from the demo data.

| | Light | Dark |
|---|---|---|
"""


def main() -> None:
    """Take the requested pictures and write the index."""
    parser = argparse.ArgumentParser(description="Take pictures of every page")
    parser.add_argument("--url", help="a running app with the demo data; without it one is started")
    parser.add_argument("--only", nargs="+", default=[scene.name for scene in SCENES], help="names of scenes")
    parser.add_argument("--full", type=Path, help="a folder for the pictures in full size")
    asked = parser.parse_args()
    with ExitStack() as stack:
        url = asked.url or stack.enter_context(own_app())
        browser = stack.enter_context(started_browser())
        tokens = tokens_at(url)
        for scene in (scene for scene in SCENES if scene.name in asked.only):
            for theme in THEMES:
                print(f"\r{scene.name:30} {theme:6}", end="", file=sys.stderr, flush=True)
                _take(browser, url, scene, theme, tokens.get(scene.who, ""), asked.full)
    _write_index()


def tokens_at(url: str) -> dict[str, str]:
    """Return access tokens of the demo accounts."""
    return {who: _token(url, email) for who, email in ACCOUNTS.items()}


def _token(url: str, email: str) -> str:
    answer = httpx2.post(f"{url}/api/user/login", json={"email": email, "password": DEMO_PASSWORD})
    return str(answer.raise_for_status().json()["token"])


def _take(browser: Browser, url: str, scene: Scene, theme: str, token: str, full: Path | None) -> None:
    """Capture a scene at every width and save the strip to the folder."""
    parts = []
    for (width, height), shown in WIDTHS.items():
        if width > scene.widest:
            continue
        with opened(browser, url, theme, token, (width, height)) as page:
            picture = _picture(page, scene, TALLEST * width // shown)
        if full:
            full.mkdir(parents=True, exist_ok=True)
            picture.save(full / f"{scene.name}-{width}-{theme}.png")
        parts.append(picture.resize((shown, picture.height * shown // width), Image.Resampling.LANCZOS))
    FOLDER.mkdir(parents=True, exist_ok=True)
    strip(parts, THEMES[theme]).save(FOLDER / f"{scene.name}-{theme}.webp", quality=QUALITY, method=6)


@contextmanager
def opened(browser: Browser, url: str, theme: str, token: str, size: tuple[int, int]) -> Iterator[Page]:
    """Open a page in a theme, logged in if there is a token."""
    items = [{"name": "token", "value": token}] if token else []
    context = browser.new_context(
        base_url=url,
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
        locale="en-IN",
        timezone_id="Asia/Kolkata",
        storage_state={"cookies": [], "origins": [{"origin": url, "localStorage": items}]},
    )
    yield context.new_page()
    context.close()


def _picture(page: Page, scene: Scene, tallest: int) -> Image.Image:
    """Capture the scene in full size: the page from its top, or the viewport if an overlay covers the page."""
    page.goto(scene.path)
    ready(page)
    settled(page)
    scene.act(page)
    if scene.whole:
        _scroll_through(page)
    settled(page)
    picture = Image.open(BytesIO(page.screenshot(full_page=scene.whole))).convert("RGB")
    return picture.crop((0, 0, picture.width, min(picture.height, tallest)))


def _scroll_through(page: Page) -> None:
    """Trigger images that load lazily."""
    for _ in range(6):
        page.mouse.wheel(0, 800)
        page.wait_for_timeout(60)
    page.evaluate("scrollTo(0, 0)")


def strip(parts: list[Image.Image], background: str) -> Image.Image:
    """Join pictures side by side."""
    width = sum(part.width for part in parts) + GAP * (len(parts) - 1)
    whole = Image.new("RGB", (width, max(part.height for part in parts)), background)
    left = 0
    for part in parts:
        whole.paste(part, (left, 0))
        left += part.width + GAP
    return whole


def _write_index() -> None:
    """List the pictures in the folder, in the order of the scenes."""
    rows = (
        f"| {scene.name.replace('-', ' ')} | ![]({scene.name}-light.webp) | ![]({scene.name}-dark.webp) |\n"
        for scene in SCENES
        if (FOLDER / f"{scene.name}-light.webp").exists()
    )
    (FOLDER / "README.md").write_text(HEAD + "".join(rows))


if __name__ == "__main__":
    main()
