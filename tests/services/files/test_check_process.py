"""Files are checked in a separate process, and those that take too much there cost the server nothing."""

import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rental_app.domain import clock
from rental_app.domain.errors import UnavailableError
from rental_app.services.calendar.ical import process_client
from rental_app.services.files import check_client, check_process
from rental_app.services.files.check_client import TOO_MUCH, CheckResult, Job
from tests.support.pdfs import bomb, made
from tests.support.pictures import photo, scans

# In a process of its own, so that no other children add to its memory figures.
MEASURE = """
import resource, sys
from rental_app.services.files.check_client import Job, answers
found = answers([Job(sys.stdin.buffer.read())])
print(found[0].code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""
# The process with a runaway decoder.
ALONE = """
from rental_app.services.files import check_process, pdf_check, pictures
def endless(*_):
    while True:
        pass
check_process.CPU_SECONDS = 1
{}
check_process.main()
"""
ASTRAY = {
    "memory for a picture": ("pictures.redrawn = lambda *_: (bytes(800 * 2**20)[:1], b'')", photo(), 1),
    "memory for a PDF": ("pdf_check.check = lambda _: bytes(300 * 2**20)[:1]", made(), 1),
    "time": ("pictures.redrawn = endless", photo(), -signal.SIGKILL),
    "output": ("pictures.redrawn = lambda *_: (bytes(65 * 2**20), b'')", photo(), -signal.SIGXFSZ),
}
# Stands in for Python and writes down the environment it gets.
TELLING = """#!/bin/sh
env > {told}
exec {python} "$@"
"""
DAILY = b"""BEGIN:VCALENDAR
BEGIN:VEVENT
DTSTART:20250101T100000Z
DTEND:20250101T120000Z
RRULE:FREQ=DAILY
END:VEVENT
END:VCALENDAR
"""


def test_files_are_answered_for_in_turn() -> None:
    found = check_client.answers([Job(photo("PNG")), Job(photo(), (30, 20)), Job(made()), Job(photo("WEBP"))])
    assert [answer.content_type for answer in found] == ["image/png", "image/jpeg", "application/pdf", "image/webp"]
    assert [len(answer.instead) for answer in found] == [0, 2, 0, 0]


def test_a_refusal_does_not_keep_the_others_from_being_looked_at() -> None:
    found = check_client.answers([Job(photo()), Job(b"hello"), Job(photo()), Job(b"%PDF-1.7 cut")])
    assert [answer.code for answer in found] == ["", "unsupported_type", "", "unsupported_type"]


@pytest.mark.parametrize("layers", [2, *(pytest.param(layers, marks=pytest.mark.long) for layers in (1, 3))])
def test_a_small_pdf_takes_little_memory(layers: int) -> None:
    file = bomb(1000, layers)
    done = subprocess.run([sys.executable, "-c", MEASURE], input=file, capture_output=True, check=True)
    code, megabytes = done.stdout.split()
    assert (code, int(megabytes) < 256) == (b"unsupported_type", True)


@pytest.mark.long
@pytest.mark.parametrize("name", ASTRAY)
def test_a_decoder_gone_astray_is_ended(name: str) -> None:
    """Each limit alone ends a runaway decoder; elsewhere the libraries' own limits come first."""
    change, file, status = ASTRAY[name]
    asked = check_process.message({"widths": () if file.startswith(b"%PDF") else (30, 20)}, file)
    with tempfile.TemporaryFile() as out:
        command = [sys.executable, "-c", ALONE.format(change)]
        done = subprocess.run(command, input=asked, stdout=out, stderr=subprocess.DEVNULL, timeout=60)
    assert done.returncode == status


@pytest.mark.long
def test_what_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_client, "SECONDS", 4)
    found = check_client.answers([Job(photo()), Job(scans(3000), (30, 20)), Job(photo())])
    assert found == [CheckResult(content_type="image/jpeg"), CheckResult("unsupported_type", TOO_MUCH)]


@pytest.mark.parametrize("program", ["/bin/false", "/nowhere/python"])
def test_without_its_process_nothing_is_accepted(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", program)
    with pytest.raises(UnavailableError):
        check_client.answers([Job(photo())])


def _photo_is_read() -> bool:
    return check_client.answers([Job(photo())]) == [CheckResult(content_type="image/jpeg")]


def _calendar_is_read() -> bool:
    (windows,) = process_client.read(DAILY, clock.now()).taken.values()
    return len(windows) > 300


@pytest.mark.parametrize("is_read", [_photo_is_read, _calendar_is_read])
def test_the_process_that_decodes_files_knows_no_keys(
    is_read: Callable[[], bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, program = tmp_path / "told", tmp_path / "python"
    program.write_text(TELLING.format(told=told, python=sys.executable))
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    for name in ("AWS_SECRET_ACCESS_KEY", "PGPASSWORD", "RENTAL_OF_TOMORROW"):
        monkeypatch.setenv(name, "hunter2")
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    assert is_read()
    assert "hunter2" not in told.read_text()
    assert "PYTHONUNBUFFERED=1" in told.read_text()
