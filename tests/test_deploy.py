"""The deployment files, tested as far as possible without a container engine: each is read by its own tool."""

import json
import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address, ip_network
from pathlib import Path
from threading import Thread
from typing import IO, Any

import httpx2
import pytest
import yaml
from compose_spec import PyCompose

from rental_app import backup, serve
from rental_app.infrastructure.settings import Settings, settings
from tests.support.app import free_port
from tests.support.environment import PRODUCTION

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
ENVIRONMENT = os.environ | {"DOMAIN": "shop.example", "ACCESS_LOG": os.devnull}


def passes(*command: str) -> None:
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def tool(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def compose() -> dict[str, Any]:
    """Return the file with its anchors resolved, as a container engine reads it."""
    read: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return read


def test_each_tool_understands_its_file() -> None:
    passes(tool("hadolint"), str(DEPLOY / "Dockerfile"))
    passes(tool("caddy"), "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile"))
    PyCompose.from_yaml(yaml.safe_dump(compose())).validate()


class Named(BaseHTTPRequestHandler):
    """Answers with the port it was reached at."""

    def do_GET(self) -> None:
        """Answer."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(self.connection.getsockname()[1]).encode())

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@pytest.mark.long
def test_a_page_gets_its_scripts_from_the_process_that_sent_it(tmp_path: Path) -> None:
    """During an upgrade the other process has scripts of another version, under other names."""
    with ExitStack() as running:
        upstreams = [running.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), Named)) for _ in range(2)]
        for upstream in upstreams:
            Thread(target=upstream.serve_forever, daemon=True).start()
            running.callback(upstream.shutdown)
        url = f"http://localhost:{free_port()}"
        home = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "DOMAIN": url}
        ports = " ".join(f"127.0.0.1:{upstream.server_port}" for upstream in upstreams)
        command = [tool("caddy"), "run", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
        running.enter_context(started(command, ENVIRONMENT | home | {"UPSTREAMS": ports}))
        # Each request has its own connection.
        patient = httpx2.HTTPTransport(retries=8)
        with httpx2.Client(transport=patient) as first:
            assert first.get(url).status_code == 200
        assert len({httpx2.get(url).text for _ in range(20)}) == 1


SECRET = "hunter2"


@pytest.mark.long
def test_the_proxy_logs_requests_without_what_opens_something(tmp_path: Path) -> None:
    paths = [
        "/vehicles?location=Madhapur",
        f"/ical/{SECRET}.ics",
        f"/ICAL/{SECRET}.ics?x=1",
        f"/%69cal/{SECRET}.ics",
        f"/trip/{SECRET}/map",
        f"/_event/?EIO=4&token={SECRET}&transport=websocket",
        f"/login?tok%65n={SECRET}",
    ]
    log = tmp_path / "access.log"
    url = f"http://localhost:{free_port()}"
    home = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "DOMAIN": url, "ACCESS_LOG": str(log)}
    command = [tool("caddy"), "run", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    with ExitStack() as running:
        upstream = running.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), Named))
        Thread(target=upstream.serve_forever, daemon=True).start()
        variables = ENVIRONMENT | home | {"UPSTREAMS": f"127.0.0.1:{upstream.server_port}"}
        errors = running.enter_context((tmp_path / "errors").open("wb"))
        running.enter_context(started(command, variables, errors))
        sent = {"Referer": f"{url}/trip/{SECRET}", "Authorization": f"Bearer {SECRET}", "Cookie": f"a={SECRET}"}
        with httpx2.Client(transport=httpx2.HTTPTransport(retries=8), base_url=url, headers=sent, timeout=20) as client:
            assert {client.get(path).status_code for path in paths} == {200}
            upstream.shutdown()
            upstream.server_close()
            # Failures are logged elsewhere, but with their requests too.
            assert {client.get(path).status_code for path in paths[:3]} <= {502, 503}
    told = [json.loads(line)["request"]["uri"] for line in log.read_text().splitlines()]
    assert told[: len(paths)] == [
        *("/vehicles?location=Madhapur", "/ical/[secret]", "/ICAL/[secret]?x=1", "/%69cal/[secret]"),
        *("/trip/[secret]", "/_event/?EIO=4&token=[secret]&transport=websocket", "/login?tok%65n=[secret]"),
    ]
    failures = (tmp_path / "errors").read_text()
    assert '"uri":"/ical/[secret]"' in failures
    assert SECRET not in failures + log.read_text()


def test_the_proxys_log_is_rotated_and_kept_for_180_days() -> None:
    command = (tool("caddy"), "adapt", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile"))
    adapted = json.loads(subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=True).stdout)
    writer = adapted["logging"]["logs"]["log0"]["writer"]
    assert (writer["output"], writer["roll_keep_days"], writer["roll_size_mb"]) == ("file", 180, 50)
    # Else the default of ten files would end it earlier.
    assert writer["roll_keep"] == 1000
    assert adapted["admin"] == {"disabled": True}


@contextmanager
def started(
    command: list[str], variables: dict[str, str], errors: IO[bytes] | int = subprocess.DEVNULL
) -> Iterator[None]:
    """Run a program meanwhile."""
    program = subprocess.Popen(command, env=variables, stdout=subprocess.DEVNULL, stderr=errors)
    try:
        yield
    finally:
        program.terminate()
        program.wait()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="this machine has no systemd")
def test_systemd_understands_the_unit_and_finds_it_closed(tmp_path: Path) -> None:
    for path in DEPLOY.glob("pahiya*.*"):
        text = path.read_text()
        (tmp_path / path.name).write_text(text.replace("/opt/pahiya/.venv/bin/python", sys.executable))
    units = sorted(tmp_path.glob("*.service"))
    assert [unit.name for unit in units] == ["pahiya-backup.service", "pahiya.service"]
    passes("systemd-analyze", "verify", *map(str, tmp_path.iterdir()))
    passes("systemd-analyze", "security", "--offline=yes", "--threshold=20", *map(str, units))


def test_backups_are_made_by_themselves_with_a_command_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    """By systemd and by compose, in the same way: checked, and only the newest are kept."""
    unit = re.search("^ExecStart=.+ -m (rental_app.backup .+)$", (DEPLOY / "pahiya-backup.service").read_text(), re.M)
    service = compose()["services"]["backup"]
    looped = re.search(r"python -m (rental_app\.backup .+?) && sleep 86400 \|\| sleep 3600;", service["command"][-1])
    assert unit
    assert looped
    for found in (unit[1], looped[1]):
        program, *options = shlex.split(found)
        assert program == backup.__name__
        assert backup.command_line(options).keep == 14
    assert "OnCalendar=" in (DEPLOY / "pahiya-backup.timer").read_text()
    folder = backup.command_line(shlex.split(looped[1])[1:]).folder
    assert f"backups:{folder}" in service["volumes"]
    assert "files:/files" in service["volumes"]
    assert service["environment"] == compose()["services"]["app1"]["environment"]


def test_a_server_that_only_its_proxy_can_reach_is_told_when_it_does_not_trust_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    unit = re.findall("^Environment=(.+)$", (DEPLOY / "pahiya.service").read_text(), re.MULTILINE)
    for name, value in (pair.split("=", 1) for line in unit for pair in shlex.split(line)):
        monkeypatch.setenv(name, value)
    for name, value in (PRODUCTION | {"RENTAL_SECRET_KEY": secrets.token_hex(32)}).items():
        monkeypatch.setenv(name, value)
    for proxies in (os.environ["RENTAL_TRUSTED_PROXIES"], "[]"):
        monkeypatch.setenv("RENTAL_TRUSTED_PROXIES", proxies)
        settings.cache_clear()
        serve.warn_of_hidden_visitors()
    settings.cache_clear()
    assert capsys.readouterr().out.count('RENTAL_TRUSTED_PROXIES to the address of the proxy, for example ["127.') == 1


def test_only_settings_there_are_are_set() -> None:
    known = {f"RENTAL_{name.upper()}" for name in Settings.model_fields}
    named = {name for path in DEPLOY.iterdir() for name in re.findall(r"\bRENTAL_[A-Z_]+", path.read_text())}
    assert named <= known


def test_what_is_part_of_the_pages_can_be_said_when_the_image_is_built() -> None:
    """The process that serves the pages knows these settings as well, since it writes messages with them."""
    public = {f"RENTAL_{name.upper()}" for name in Settings().public()}
    build, run = (DEPLOY / "Dockerfile").read_text().split("\nFROM ")[-2:]
    for stage in (build, run):
        said = re.search(r"^ARG((?:[^\\\n]|\\\n)+)$", stage, re.MULTILINE)
        assert said
        assert set(re.findall("RENTAL_[A-Z_]+", said[1])) == public
    assert {name for name in public if f" {name}=${name}" in run} == public
    assert set(compose()["x-app"]["build"]["args"]) == public


def test_both_processes_are_the_same_but_for_their_folders() -> None:
    first, second = (compose()["services"][name] for name in ("app1", "app2"))
    volumes = [set(service.pop("volumes")) for service in (first, second)]
    assert volumes[0] & volumes[1] == {"files:/files"}
    assert first["environment"]["RENTAL_FILES_URL"] == "${RENTAL_FILES_URL:-file:///files}"
    assert re.search(r"install --directory --owner=10001 .*\B/files\b", (DEPLOY / "Dockerfile").read_text())
    assert first == second
    proxy = compose()["services"]["caddy"]["networks"]["default"]["ipv4_address"]
    assert proxy in first["environment"]["RENTAL_TRUSTED_PROXIES"]
    # The proxy's address is given to nobody else.
    config = compose()["networks"]["default"]["ipam"]["config"][0]
    assert ip_address(proxy) in ip_network(config["subnet"])
    assert ip_address(proxy) not in ip_network(config["ip_range"])
