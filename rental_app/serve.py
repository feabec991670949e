"""`make run`: migrate, fill an empty database, build the pages when they changed, serve everything on one port."""

import argparse
import hashlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from alembic.config import Config
from pydantic import ValidationError

from alembic import command

WEB = Path(".web")
STAMP = WEB / "build" / "pahiya-sources"
SOURCES = ("rxconfig.py", "requirements.txt", "rental_app", "assets", "reflex.lock", "SECURITY.md")
NOT_IN_PAGES = ("seed", "models", "api", "served")


def say(text: str) -> None:
    """A plain line for whoever started the server."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def prepare_database() -> bool:
    """Bring the database to the newest schema and fill an empty one; returns whether it was filled."""
    from rental_app.private import keep_data
    from rental_app.seed import seed_if_empty
    from rental_app.settings import settings

    keep_data()
    command.upgrade(Config("alembic.ini"), "head")
    return settings().demo_data == "on" and seed_if_empty()


def sources_digest() -> str:
    """A digest of everything the built pages depend on."""
    from rental_app.settings import settings

    digest = hashlib.sha256(json.dumps(settings().public(), sort_keys=True).encode())
    for source in map(Path, SOURCES):
        for path in sorted([source, *source.rglob("*")]):
            skipped = "__pycache__" in path.parts or "external" in path.parts or set(NOT_IN_PAGES) & set(path.parts)
            if path.is_file() and not skipped:
                digest.update(f"{path}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def build_pages() -> None:
    """Build the production pages unless they are up to date; raises SystemExit when that fails."""
    from rental_app.settings import settings

    digest = sources_digest()
    if STAMP.exists() and STAMP.read_text() == digest:
        say("Pages are up to date")
        return
    say("Building the pages (about half a minute, longer the first time) ...")
    log_file = settings().data_dir / "build.log"
    log_file.parent.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {"REFLEX_ENV_MODE": "prod", "REFLEX_USE_NPM": "1"}
    with log_file.open("w") as log:
        export = [sys.executable, "-m", "reflex", "export", "--frontend-only", "--no-zip"]
        done = subprocess.run(export, stdout=log, stderr=subprocess.STDOUT, env=environment, check=False)  # noqa: S603
    if done.returncode:
        say(log_file.read_text()[-4000:])
        raise SystemExit(f"The pages could not be built; the whole log is in {log_file}")
    # Written after the export, which starts from an empty folder.
    STAMP.write_text(digest)


def wanted_port() -> int:
    """The port set in the environment, else 3000; raises SystemExit when it is none."""
    text = os.environ.get("PORT", "3000")
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise SystemExit(f"PORT is {text!r}: it must be a number from 1 to 65535")
    return int(text)


def check_port(port: int) -> None:
    """Raise SystemExit when another program has the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))  # noqa: S104
        except OSError:
            raise SystemExit(f"Port {port} is taken: stop what uses it, or set PORT to another one") from None


def announce(port: int) -> None:
    """Say where the shop is, who can log in, and how to stop."""
    from rental_app.seed.people import CUSTOMER_EMAIL, DEMO_PASSWORD, VENDOR_EMAIL
    from rental_app.settings import settings

    say(f"\n{settings().product_name} is at http://localhost:{port}")
    if settings().demo_data == "on":
        say(f"Demo accounts: {CUSTOMER_EMAIL} and {VENDOR_EMAIL}, password {DEMO_PASSWORD}")
    say(f"REST documentation: http://localhost:{port}/api/docs")
    say(f"Data are kept in {settings().data_dir.absolute()}. Stop with Ctrl-C.\n")


def serve(port: int) -> None:
    """Serve pages, websocket and REST from the existing build until interrupted."""
    from granian.constants import Interfaces
    from granian.log import LogLevels
    from granian.server import Server

    from rental_app.settings import settings

    os.environ |= {
        "__REFLEX_SKIP_COMPILE": "true",
        "__REFLEX_MOUNT_FRONTEND_COMPILED_APP": "true",
        "REFLEX_ENV_MODE": "prod",
    }
    # Without Redis the sessions live in one process.
    workers = int(os.environ.get("GRANIAN_WORKERS", "2")) if settings().redis_url else 1
    Server(
        "rental_app.rental_app:app",
        factory=True,
        address="0.0.0.0",  # noqa: S104
        port=port,
        interface=Interfaces.ASGI,
        workers=workers,
        log_level=LogLevels.warning,
        workers_kill_timeout=3,
    ).serve()


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description="Migrate, seed, build and serve")
    parser.add_argument("--no-build", action="store_true", help="serve the existing build, fail if there is none")
    parser.add_argument("--prepare", action="store_true", help="only migrate and seed")
    options = parser.parse_args()
    port = wanted_port()
    try:
        filled = prepare_database()
    except ValidationError as error:
        raise SystemExit(f"A setting is not right: {error.errors()[0]['msg']}") from None
    say("Demo data added" if filled else "Database is ready")
    if options.prepare:
        return
    check_port(port)
    if not options.no_build:
        build_pages()
    elif not STAMP.exists():
        raise SystemExit("There is no build yet: run `make build`")
    announce(port)
    serve(port)


if __name__ == "__main__":
    main()
