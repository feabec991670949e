"""Lighthouse finds nothing to improve but speed, which is measured, not asserted: see `bench/`."""

import pytest

from tests.e2e import lighthouse
from tests.e2e.app import App

pytestmark = [pytest.mark.e2e, pytest.mark.alone]
JUDGED = ("accessibility", "best-practices", "seo")


@pytest.mark.parametrize("path", lighthouse.PAGES)
def test_full_marks(app: App, chromium_path: str, path: str) -> None:
    report = lighthouse.grade(app.url + path, chromium_path, JUDGED)
    assert (report.scores, report.failures) == (dict.fromkeys(JUDGED, 100), [])
