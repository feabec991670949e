"""Each calendar of another platform is read in a separate process (services/ical_reading.py).

Strangers write them: a recurrence rule, of an entry or a time zone, that repeats every second, or never, keeps the
parser busy for as long as it may run; and the parser reuses the first time zone of a name in every later calendar.
"""

import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path

from rental_app.rules.clock import Window
from rental_app.services import decoding, ical_reading
from rental_app.services.outside import FetchError
from rental_app.settings import settings

ROOT = Path(__file__).parents[2]
CPU_SECONDS, SECONDS = 5, 60
TOO_MUCH = "The calendar takes too long to be read"


def windows_of(body: bytes, instant: datetime) -> list[Window]:
    """When a calendar says its vehicle is taken, from now to a year ahead. Raises FetchError. Blocks up to SECONDS."""
    command = [sys.executable, "-m", ical_reading.__name__, instant.isoformat(), settings().host, str(CPU_SECONDS)]
    try:
        ended = subprocess.run(  # noqa: S603
            command, input=body, capture_output=True, cwd=ROOT, env=decoding.environment(), timeout=SECONDS, check=True
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise FetchError(TOO_MUCH) from error
    said = json.loads(ended.stdout)
    if "error" in said:
        raise FetchError(said["error"])
    return [Window(*map(datetime.fromisoformat, ends)) for ends in said["windows"]]
