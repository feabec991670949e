"""Each calendar of another platform is read in a separate process (services/calendar/ical/reading.py).

Strangers write them: a recurrence rule, of an entry or a time zone, that repeats every second, or never, keeps the
parser busy for as long as it may run; and the parser reuses the first time zone of a name in every later calendar.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rental_app.domain.clock import Window
from rental_app.infrastructure.settings import settings
from rental_app.services.calendar.ical import reading
from rental_app.services.files import process_limits
from rental_app.services.files.safe_http import FetchError

ROOT = Path(__file__).parents[4]
# Rules are limited to less (services/calendar/ical/reading.py); this is for whatever else a file makes the parser do.
CPU_SECONDS, SECONDS = 4, 60
TOO_MUCH = "The calendar takes too long to be read"


@dataclass(frozen=True, slots=True)
class CalendarReading:
    """What a calendar says, from now to a year ahead: when its entries take the vehicle, by the entries' keys.

    `unread` are the keys and texts of entries that cannot be read as a whole; `zones` are unknown time zones.
    """

    taken: dict[str, list[Window]]
    unread: list[tuple[str, str]]
    zones: list[str]


def read(body: bytes, instant: datetime) -> CalendarReading:
    """Read a calendar as of an instant. Raises FetchError. Blocks up to SECONDS."""
    command = [sys.executable, "-m", reading.__name__, instant.isoformat(), settings().host, str(CPU_SECONDS)]
    try:
        ended = subprocess.run(  # noqa: S603
            command,
            input=body,
            capture_output=True,
            cwd=ROOT,
            env=process_limits.environment(),
            timeout=SECONDS,
            check=True,
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise FetchError(TOO_MUCH) from error
    answer = json.loads(ended.stdout)
    if "error" in answer:
        raise FetchError(answer["error"])
    taken = {
        key: [Window(*map(datetime.fromisoformat, ends)) for ends in answer["taken"][key]] for key in answer["taken"]
    }
    return CalendarReading(taken, [(key, text) for key, text in answer["unread"]], answer["zones"])
