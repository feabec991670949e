"""axe-core, which finds accessibility violations on a page."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.support import axe, npm

VERSION = "4.14.1"
# Toasts on their way out, which have been read: while they fade, their contrast is between what it was and none.
LEAVING = "{exclude: [['[data-sonner-toast][data-removed=true]']]}"


def source() -> str:
    """Return axe's script."""
    return (npm.fetched("axe-core", VERSION) / "axe.min.js").read_text()


def violations(page: Page) -> list[str]:
    """Return axe's violations on the page as it is now: rule and elements, one line each."""
    # Passed rules are still evaluated, only not described.
    options = "{resultTypes: ['violations'], selectors: false}"
    found: list[dict[str, Any]] = page.evaluate(f"axe.run({LEAVING}, {options}).then(result => result.violations)")
    return [
        f"{rule['id']}: {node['html'][:160]} {node['any'][0]['message'] if node['any'] else ''}"
        for rule in found
        for node in rule["nodes"]
    ]


def violations_by_theme(page: Page, width: int) -> list[str]:
    """Return the violations in light and in dark, labelled with a width."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        expect(page.locator(f"html.{scheme}")).to_be_attached()
        found += [f"{width} {scheme}: {line}" for line in violations(page)]
    return found


def problems(page: Page, script: str) -> list[str]:
    """Return axe's findings on the page as it is, without waiting, in each colour scheme."""
    page.evaluate(script)
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        expect(page.locator(f"html.{scheme}")).to_be_attached()
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found += [f"{scheme}: {line}" for line in axe.violations(page)]
    return found
