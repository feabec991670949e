"""Lighthouse, which grades a page as a mid-range phone sees it."""

import json
import subprocess
from dataclasses import dataclass
from typing import Any

from tests.support import npm
from tests.support.app import environment
from tests.support.chromium import ARGUMENTS

VERSION = "13.5.0"
PAGES = ("/", "/vehicles", "/vehicle-details/1", "/gachibowli/bike-rentals")
SECONDS = 180


@dataclass(frozen=True)
class Report:
    """Scores out of 100 by category, and what cost points."""

    scores: dict[str, int]
    failures: list[str]


def grade(url: str, chromium: str, categories: tuple[str, ...]) -> Report:
    """Run the categories on an address with Lighthouse's own settings for a phone."""
    command = [
        *("node", str(npm.fetched("lighthouse", VERSION) / "cli" / "index.js"), url),
        *("--quiet", "--output=json", "--no-enable-error-reporting", f"--only-categories={','.join(categories)}"),
        f"--chrome-flags={' '.join(['--headless=new', *ARGUMENTS])}",
    ]
    variables = environment() | {"CHROME_PATH": chromium}
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=variables, check=False)
    if done.returncode:
        raise RuntimeError(f"Lighthouse could not grade {url}:\n{done.stderr[-2000:]}")
    return _report(json.loads(done.stdout))


def _report(result: dict[str, Any]) -> Report:
    categories: dict[str, Any] = result["categories"]
    # A category with an audit that crashed has no score.
    scores = {name: round((category["score"] or 0) * 100) for name, category in categories.items()}
    failures = [
        f"{name}: {_line(result['audits'][reference['id']])}"
        for name, category in categories.items()
        for reference in category["auditRefs"]
        if reference["weight"] and _fails(result["audits"][reference["id"]])
    ]
    return Report(scores, failures)


def _fails(audit: dict[str, Any]) -> bool:
    if audit["scoreDisplayMode"] == "error":
        return True
    return audit["score"] is not None and audit["score"] < 1


def _line(audit: dict[str, Any]) -> str:
    """An audit's title with its figure or the first elements it blames."""
    items = audit.get("details", {}).get("items", [])
    blamed = [str(item.get("node", {}).get("snippet") or item.get("description") or "") for item in items[:3]]
    return " | ".join(filter(None, [audit["title"], audit.get("displayValue", ""), audit.get("errorMessage"), *blamed]))
