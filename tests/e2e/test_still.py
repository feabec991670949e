"""Nothing on a page moves while it loads, seen on a slow line with a slow processor."""

import pytest
from sqlmodel import select

from rental_app import db
from rental_app.models import User
from rental_app.seed.people import CUSTOMER_EMAIL, VENDOR_EMAIL
from tests.e2e.conftest import DESKTOP, PHONE, Browse
from tests.e2e.steps import visit
from tests.e2e.test_served import taken_over
from tests.routes import PERSONAL, PUBLIC, VENDORS

pytestmark = [pytest.mark.e2e, pytest.mark.alone]
PRIVATE_PAGES = dict.fromkeys(PERSONAL, CUSTOMER_EMAIL) | dict.fromkeys(VENDORS, VENDOR_EMAIL)
# Layout shifts nobody asked for, from the first paint on.
NOTE_SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => list.getEntries().forEach(entry => entry.hadRecentInput || window.shifts.push(
  [entry.value, ...entry.sources.map(({node}) => node && node.textContent.slice(0, 40))]
))).observe({type: 'layout-shift', buffered: true});
"""


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize(("path", "email"), [*((path, "") for path in PUBLIC), *PRIVATE_PAGES.items()])
def test_nothing_moves_while_a_page_loads(browse: Browse, path: str, email: str, size: dict[str, int]) -> None:
    user = db.read(lambda session: session.exec(select(User).where(User.email == email)).first())
    page = browse(user, viewport=size)
    page.add_init_script(NOTE_SHIFTS)
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    slow_4g = {"latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
    network.send("Network.emulateNetworkConditions", {"offline": False, **slow_4g})
    network.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    visit(page, path)
    taken_over(page)
    page.wait_for_load_state("networkidle")
    shifts = page.evaluate("window.shifts")
    assert sum(shift[0] for shift in shifts) < 0.02, shifts
