"""Lighthouse finds nothing to improve but speed, which is measured, not asserted (`bench/pages.py`)."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support import lighthouse
from tests.support.app import App

pytestmark = [pytest.mark.e2e, pytest.mark.long]
JUDGED = ("accessibility", "best-practices", "seo")


def test_full_marks(app: App, chromium_path: str) -> None:
    # Lighthouse mostly waits: two at once take hardly longer than one.
    with ThreadPoolExecutor(2) as pool:
        grades = pool.map(lambda path: lighthouse.grade(app.url + path, chromium_path, JUDGED), lighthouse.PAGES)
        reports = dict(zip(lighthouse.PAGES, grades, strict=True))
    assert {path: report.failures for path, report in reports.items() if report.failures} == {}
    assert [report.scores for report in reports.values()] == [dict.fromkeys(JUDGED, 100)] * len(lighthouse.PAGES)
