"""Log lines name kinds and code locations: nothing people send gets in, and nobody can flood the log or forge lines."""

import http.client
import json
import re
import uuid
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from simple_websocket import ConnectionClosed

from rental_app.web.screens.vehicle_details.state import DetailState
from rental_app.web.session.login import LoginState
from tests.support.app import App
from tests.support.socket_client import FIRST, ROOT, Tab, open_socket

pytestmark = pytest.mark.e2e
SECRET = "hunter2-hunter2"
LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (WARNING|ERROR) \S+ \S+\.py:\d+ ")
CRASH = f"{ROOT}.reflex___state____frontend_event_exception_state.handle_frontend_exception"


class Written:
    """What an app has logged since this was created."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._before = len(app.log)

    @property
    def text(self) -> str:
        """All of the text."""
        return self._app.log[self._before :]


@pytest.fixture
def written(app: App) -> Iterator[Written]:
    """Collect what the app logs during the test; no line may contain what was sent, and each must be well-formed."""
    log = Written(app)
    yield log
    # A connection is answered in order: everything before this has been handled.
    tab = Tab(app.url)
    assert "locations" in tab.heard(until="locations")
    tab.close()
    assert SECRET not in log.text
    for line in log.text.splitlines():
        assert LINE.match(line)
        assert len(line) <= 600


def test_unknown_events_payloads_and_frames_are_not_written_down(app: App, written: Written) -> None:
    tab = Tab(app.url, storage={"token": SECRET})
    tab.send_raw("nope", password=SECRET)
    tab.send_raw(f"{ROOT}.{SECRET}", token=SECRET)
    tab.send(LoginState, "submit", form={"password": SECRET}, more=SECRET)
    tab.send(LoginState, "look_up_pincode", pincode={"a": SECRET})
    tab.send(DetailState, "choose_pickup", pickup=[SECRET])
    tab.send_raw(CRASH, info=f"{SECRET}: x\n{SECRET}", component_stack=SECRET)
    tab.send_raw(FIRST, vars={"a.b": SECRET}, hashes=SECRET)
    tab.send_raw(FIRST, vars={}, hashes=[{SECRET: SECRET}] * 27)
    report = {"error_type": "state_update", "message": f"TypeError: {SECRET}\n{SECRET}"}
    tab.socket.send(f'42/_event,["client_error",{json.dumps(report)}]')
    forged = f"x\n2026-01-01 00:00:00,000 ERROR {SECRET}"
    for data in (json.dumps({"name": forged}), forged, [forged], 5, None, {"name": forged, "payload": forged}):
        tab.socket.send(f"42/_event,{json.dumps(['event', data])}")
    for frame in (f"42/_event,{forged}", f"9{forged}", f"42/_event,[{forged}", f'42/_event,["{SECRET}"]'):
        with suppress(ConnectionClosed):
            tab.socket.send(frame)
    tab.heard()
    tab.close()
    assert tab.ident not in written.text


def test_connections_that_no_page_makes_or_keeps_are_not_written_down(app: App, written: Written) -> None:
    idents = ["", SECRET, str(uuid.uuid4())]
    for ident in idents:
        socket = open_socket(app.url, ident)
        event = {"name": FIRST, "payload": {"vars": {"token": SECRET}}}
        socket.send(f"40/_event,{json.dumps({'event': event, 'state_schema': SECRET})}")
        socket.receive(timeout=2)
        socket.close()
    gone = Tab(app.url, path="/vehicles")
    gone.send(DetailState, "load")
    gone.close()
    connection = http.client.HTTPConnection(urlsplit(app.url).netloc, timeout=60)
    connection.request("POST", f"/_event/?EIO=4&transport=polling&token={SECRET}", body=SECRET)
    assert connection.getresponse().status >= 400
    connection.close()
    Tab(app.url).heard()
    assert not [ident for ident in (idents[-1], gone.ident) if ident in written.text]


def test_the_log_cannot_be_filled(app: App, written: Written) -> None:
    tab = Tab(app.url)
    for _ in range(300):
        tab.send_raw("nope" * 10, password="x" * 5000)
        tab.send_raw(CRASH, info="x" * 5000, component_stack="x" * 5000)
    tab.heard()
    tab.close()
    assert len(written.text) < 20_000
