"""Pictures of the design's tokens and components for `docs/design.md`, light and dark side by side.

python -m bench.swatches --url http://localhost:3000
"""

import argparse
import re
from collections.abc import Callable
from contextlib import ExitStack
from io import BytesIO
from itertools import cycle

from PIL import Image
from playwright.sync_api import Browser, Locator, Page

from bench.pages import own_app, started_browser
from bench.scenes import log_in, wrong_password
from bench.screens import THEMES, opened, strip, tokens_at
from rental_app.content.art import SHAPES, TINTS
from rental_app.content.drawing import MODELS
from rental_app.web.parts import theme
from tests.support.app import ROOT
from tests.support.browser_steps import cards, ready, settled

FOLDER = ROOT / "docs" / "images"
SIZE, QUALITY = (560, 900), 75
COLOURS = (
    *("--page", "--surface", "--ink", "--muted", "--line", "--brand"),
    *("--accent-9", "--accent-10", "--accent-contrast", "--accent-11", "--marigold", "--night"),
    *("--stage", "--gray-a3", "--gray-a4", "--gray-a7", "--red-11", "--color-surface"),
)
TITLES = ("HEADLINE", "PAGE_TITLE", "SECTION_TITLE", "BLOCK_TITLE", "LABEL", "MUTED")
# Rendered inside the app, so that its stylesheets and its theme apply.
SHOW = """
(html) => {
  const main = document.querySelector("main");
  main.innerHTML = `<div id="specimen" style="padding: 16px; width: 560px; background: var(--page)">${html}</div>`;
}
"""


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description="Take pictures of the design's parts")
    parser.add_argument("--url", help="a running app with the demo data; without it one is started")
    asked = parser.parse_args()
    with ExitStack() as stack:
        url = asked.url or stack.enter_context(own_app())
        browser = stack.enter_context(started_browser())
        tokens = tokens_at(url)
        for name, (path, who, part) in PARTS.items():
            _take(browser, url, name, path, tokens.get(who, ""), part)


def _take(browser: Browser, url: str, name: str, path: str, token: str, part: Callable[[Page], Locator]) -> None:
    pictures = []
    for theme_name in THEMES:
        with opened(browser, url, theme_name, token, SIZE) as page:
            page.goto(path)
            ready(page)
            settled(page)
            element = part(page)
            settled(page)
            pictures.append(Image.open(BytesIO(element.screenshot())).convert("RGB"))
    strip(pictures, "#808080").save(FOLDER / f"{name}.webp", quality=QUALITY, method=6)


def _specimen(html: str) -> Callable[[Page], Locator]:
    def show(page: Page) -> Locator:
        page.evaluate(SHOW, html)
        return page.locator("#specimen")

    return show


def _refused(page: Page) -> Locator:
    wrong_password(page)
    return page.get_by_role("region", name="Notifications").get_by_role("listitem").first


def _dialog(page: Page) -> Locator:
    log_in(page)
    return page.get_by_role("dialog", name="Login")


def _calendar(page: Page) -> Locator:
    page.get_by_role("button", name="Open calendar for Pickup").click()
    return page.get_by_role("dialog", name=re.compile("^Pickup"))


def _notice(page: Page) -> Locator:
    return page.get_by_role("heading", name="This vehicle is not listed").locator("..")


def _palette() -> str:
    boxes = (
        f'<div><div style="height: 56px; border-radius: 12px; border: 1px solid var(--line); background: var({name})">'
        f'</div><p style="font-size: 12px; color: var(--ink)">{name}</p></div>'
        for name in COLOURS
    )
    return f'<div style="display: grid; grid-template-columns: repeat(6, 1fr); gap: 8px">{"".join(boxes)}</div>'


def _titles() -> str:
    return "".join(
        f'<p class="{getattr(theme, name)}" style="margin-bottom: 12px">{name}: ₹1,200 / day</p>' for name in TITLES
    )


def _buttons() -> str:
    each = (
        f'<button class="{classes}">{name}</button><button class="{classes}" disabled>{name}, busy</button>'
        for name, classes in theme.BUTTON.items()
    )
    return f'<div style="display: grid; grid-template-columns: 1fr 1fr; gap: 12px">{"".join(each)}</div>'


def _fields() -> str:
    return (
        f'<label class="{theme.LABEL}">Label</label><input class="{theme.FIELD}" placeholder="Placeholder">'
        f'<p style="height: 12px"></p><label class="{theme.LABEL}">Refused</label>'
        f'<input class="{theme.FIELD}" value="abc" aria-invalid="true">'
        '<p class="mt-1 text-sm text-(--red-11)">Enter the 17 characters of the chassis number</p>'
    )


def _panels() -> str:
    inner = f'<p class="{theme.BLOCK_TITLE}">PANEL</p><p class="{theme.MUTED}">A surface with a line and a shadow.</p>'
    return (
        f'<div class="{theme.PANEL} p-4">{inner}</div><div class="{theme.SKELETON} mt-4" style="height: 72px"></div>'
        f'<div class="{theme.STAGE} mt-4 rounded-2xl p-4"><p class="{theme.BLOCK_TITLE}">STAGE</p></div>'
    )


def _art() -> str:
    drawings = zip([*sorted(MODELS), *SHAPES], cycle(TINTS), strict=False)
    pictures = (f'<img src="/media/art/{drawing}/{tint}.svg" alt="">' for drawing, tint in drawings)
    return f'<div style="display: grid; grid-template-columns: repeat(6, 1fr); gap: 8px">{"".join(pictures)}</div>'


# URL, user, and the element to capture there.
PARTS: dict[str, tuple[str, str, Callable[[Page], Locator]]] = {
    "palette": ("/blog", "", _specimen(_palette())),
    "type": ("/blog", "", _specimen(_titles())),
    "buttons": ("/blog", "", _specimen(_buttons())),
    "fields": ("/blog", "", _specimen(_fields())),
    "panels": ("/blog", "", _specimen(_panels())),
    "illustrations": ("/blog", "", _specimen(_art())),
    "card": ("/vehicles", "", lambda page: cards(page).first),
    "search": ("/", "", lambda page: page.get_by_role("main").locator("form").first),
    "notice": ("/vehicle-details/999999", "", _notice),
    "booking": ("/my-bookings", "customer", lambda page: page.get_by_role("article").first),
    "dialog": ("/", "", _dialog),
    "calendar": ("/", "", _calendar),
    "toast": ("/", "", _refused),
}


if __name__ == "__main__":
    main()
