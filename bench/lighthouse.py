"""Lighthouse's scores of four pages, on a phone: the median of several runs, and what costs points.

python -m bench.lighthouse --url http://localhost:3000 --runs 3
"""

import argparse
import sys
from contextlib import ExitStack
from statistics import median

from playwright.sync_api import sync_playwright

from bench.pages import own_app
from tests.support import chromium
from tests.support.lighthouse import CATEGORIES, PAGES, Report, grade

WANTED = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}


def main() -> None:
    """Grade the pages and print the table."""
    parser = argparse.ArgumentParser(description="Grade the pages with Lighthouse")
    parser.add_argument("--url", help="a running app with the demo data; without it one is started")
    parser.add_argument("--runs", type=int, default=3, help="runs a page")
    asked = parser.parse_args()
    with sync_playwright() as playwright:
        path = chromium.find(playwright)
    with ExitStack() as stack:
        url = asked.url or stack.enter_context(own_app())
        reports = {page: _grades(url + page, path, asked.runs) for page in PAGES}
    _print(reports)


def _grades(url: str, chromium_path: str, runs: int) -> list[Report]:
    print(f"Lighthouse: {url}", file=sys.stderr)
    return [grade(url, chromium_path) for _ in range(runs)]


def _print(reports: dict[str, list[Report]]) -> None:
    """Print the median scores with their verdicts, then what the last run of each page found."""
    print(f"{'Lighthouse, phone':28}" + "".join(f"{name:>16}" for name in CATEGORIES))
    for page, runs in reports.items():
        scores = {name: median(report.scores[name] for report in runs) for name in CATEGORIES}
        short = [
            f"{name} short by {WANTED[name] - score:.0f}" for name, score in scores.items() if score < WANTED[name]
        ]
        print(
            f"{page:28}" + "".join(f"{score:16.0f}" for score in scores.values()) + f"   {', '.join(short) or 'PASS'}"
        )
    for page, runs in reports.items():
        print("\n".join(f"  {page}: {line}" for line in runs[-1].failures))


if __name__ == "__main__":
    main()
