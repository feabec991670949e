"""No code location can fill the log, and its last line for a while says so."""

import io
import json
import logging
import subprocess
import sys

import pytest

from rental_app.infrastructure.logs import LINES, Bounded, Kinds, KindsAsJson

# A library's own logger, which nobody has set up.
ELSEWHERE = """
import logging
from rental_app.infrastructure import logs
logs.set_up()
log = logging.getLogger("opentelemetry.exporter")
try:
    raise ValueError("hunter2")
except ValueError:
    log.exception("hunter2")
log.info("hunter2")
"""


def written(logger: str, formatter: logging.Formatter) -> list[str]:
    """Return the lines of twice as many warnings as one place may write, then one from another place."""
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(formatter)
    handler.addFilter(Bounded())
    log = logging.Logger(logger)
    log.addHandler(handler)
    for number in range(2 * LINES):
        log.warning("told %s", number + 1)
    log.warning("elsewhere")
    lines: list[str] = handler.stream.getvalue().splitlines()
    return lines


@pytest.mark.parametrize(
    ("logger", "words"),
    [("rental_app.x", f"told {LINES}"), ("gunicorn.error", f"told {LINES}"), ("reflex.x", "written")],
)
def test_the_last_line_of_a_place_says_that_the_rest_is_left_out(logger: str, words: str) -> None:
    *lines, last, elsewhere = written(logger, Kinds())
    assert len(lines) == LINES - 1
    assert last.endswith(f" {words} (no more from here for a minute)")
    assert not [line for line in (*lines, elsewhere) if "no more" in line]


def test_json_says_so_too() -> None:
    told = [json.loads(line)["event"] for line in written("rental_app.x", KindsAsJson())]
    assert told[LINES - 2 :] == [f"told {LINES - 1}", f"told {LINES} (no more from here for a minute)", "elsewhere"]


def test_what_other_libraries_log_is_a_line_without_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_LOGS", "json")
    told = subprocess.run([sys.executable, "-c", ELSEWHERE], check=True, capture_output=True, text=True).stderr
    line = json.loads(told)
    assert line["level"] == "error"
    assert line["place"].startswith("opentelemetry.exporter ")
    assert "ValueError" in line["event"]
    assert "hunter2" not in told
