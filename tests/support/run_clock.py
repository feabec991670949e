"""The one clock of a run: tests, the served app and browsers begin at the same instant, and go on from there.

Otherwise a test that books two days ahead and looks at this month would fail on the last two days of each.
"""

import os
from datetime import UTC, datetime, timedelta

from rental_app.domain import clock

# A Wednesday in the middle of a month.
BEGINNING = datetime(2026, 11, 18, 11, tzinfo=clock.INDIA)
# The setting by which processes that tests start know it too.
AHEAD = "RENTAL_CLOCK_AHEAD"


def begin(at: datetime) -> None:
    """Let this process, and all that it starts, live at an instant from now on; without an offset it is Indian."""
    instant = at if at.tzinfo else at.replace(tzinfo=clock.INDIA)
    os.environ[AHEAD] = str((instant - datetime.now(UTC)).total_seconds())
    follow()


def follow() -> None:
    """Set this process's clock as the run's was set."""
    clock.set_ahead(ahead())


def ahead() -> timedelta:
    """How far the run is ahead of the machine."""
    return timedelta(seconds=float(os.environ[AHEAD]))


def page_script() -> str:
    """Return JavaScript by which a page lives at the run's instant; to be added before its own scripts."""
    return f"""(ahead => {{
  const real = Date.now;
  const construct = (date, given, made) => Reflect.construct(date, given.length ? given : [date.now()], made);
  window.Date = new Proxy(Date, {{ construct, apply: (date) => new date(date.now()).toString() }});
  Date.now = () => real() + ahead;
}})({round(ahead() / timedelta(milliseconds=1))})"""
