"""`make run`: migrate, fill an empty database, build the pages when they changed, serve everything on one port."""

import argparse
import errno
import gc
import os
import shutil
import socket
import sqlite3
import sys
from pathlib import Path

from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import DatabaseError, OperationalError

from alembic import command
from rental_app.infrastructure.build import building, existing_pages, say

# How long a start waits for the check of a large database.
CHECK_SECONDS = 10


def share_counts(port: int) -> None:
    """Let several workers count in one folder; to be called before `prometheus_client` is imported and reads this."""
    from rental_app.infrastructure.settings import settings

    if settings().workers > 1:
        folder = settings().data_dir.absolute() / "counts" / str(port)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, mode=0o700)
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def prepare_database() -> bool:
    """Migrate the database to the newest schema and fill an empty one; returns whether it was filled.

    Raises SystemExit when it does not answer or is damaged.
    """
    from rental_app.infrastructure import db
    from rental_app.infrastructure.data_dir import keep_data
    from rental_app.infrastructure.settings import settings
    from rental_app.seed import seed_if_empty

    keep_data()
    _require_answer()
    _require_undamaged()
    with db.preparing():
        migrations = Config("alembic.ini")
        if _is_newer(migrations):
            say("The database was migrated by a newer version that is compatible with this one; it is left unchanged")
        else:
            command.upgrade(migrations, "head")
        filled = settings().demo_data == "on" and seed_if_empty(people=settings().published_passwords)
    say("The empty database has been filled" if filled else "Database is ready")
    return filled


def _require_answer() -> None:
    from rental_app.infrastructure import db

    try:
        db.engine().connect().close()
    except OperationalError as error:
        raise SystemExit(f"The database of RENTAL_DATABASE_URL does not answer: {error.orig}") from None
    except (DatabaseError, sqlite3.DatabaseError) as error:
        raise SystemExit(_damaged(str(getattr(error, "orig", error)))) from None


def _require_undamaged() -> None:
    """Raise SystemExit if a look at all pages of a SQLite database, as far as there is time for it, finds damage.

    PostgreSQL checks its pages itself, whenever it reads one.
    """
    from rental_app.infrastructure import database_checks, db

    path = Path(db.engine().url.database or "")
    if db.engine().dialect.name != "sqlite" or not path.exists():
        return
    found = database_checks.quick_check(path, CHECK_SECONDS)
    if found is None:
        say(f"A quick check of the database takes more than {CHECK_SECONDS} s: verify backups instead")
    elif found:
        raise SystemExit(_damaged(found))


def _damaged(what: str) -> str:
    return f"The database is damaged: {what}. Put it aside and restore a backup (docs/operations.md)"


def _is_newer(migrations: Config) -> bool:
    """Whether a later version has already migrated the database, the first step of an upgrade (docs/operations.md)."""
    from rental_app.infrastructure import db

    with db.engine().connect() as connection:
        reached = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(migrations).walk_revisions()}
    return reached is not None and reached not in known


def refuse_published_passwords() -> None:
    """Raise SystemExit when anyone could log in to a demo account of a production server."""
    from rental_app.infrastructure.settings import settings
    from rental_app.seed.people import published_accounts

    if not settings().published_passwords and (emails := published_accounts()):
        raise SystemExit(
            f"Anyone can log in as {', '.join(emails)}: the password is published. Block these accounts with"
            " `python -m rental_app.serve --block-demo-accounts`, or allow them with"
            " RENTAL_DEMO_DATA_WITH_PUBLISHED_PASSWORDS=on"
        )


def configured_port() -> int:
    """The port set in the environment, or 3000; raises SystemExit when it is not a valid port."""
    text = os.environ.get("PORT", "3000")
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise SystemExit(f"PORT is {text!r}: it must be a number from 1 to 65535")
    return int(text)


def check_port(port: int) -> None:
    """Raise SystemExit when the address is not this machine's or another program uses the port."""
    from rental_app.infrastructure.settings import settings

    address = str(settings().bind_address)
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            raise SystemExit(_not_bound(address, port, error)) from None


def _not_bound(address: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRNOTAVAIL:
        return f"RENTAL_BIND_ADDRESS is {address}: this machine has no such address"
    return f"Port {port} is taken: stop what uses it, or set PORT to another one"


def announce(port: int) -> None:
    """Say where the shop runs, who can log in, and how to stop it."""
    from rental_app.infrastructure.settings import settings
    from rental_app.seed.people import CUSTOMER_EMAIL, DEMO_PASSWORD, OPERATOR_EMAIL, VENDOR_EMAIL

    bound = settings().bind_address
    host = "localhost" if bound.is_unspecified else f"[{bound}]" if bound.version == 6 else bound
    say(f"\n{settings().product_name} is at http://{host}:{port}")
    if settings().demo_data == "on" and settings().published_passwords:
        say(f"Demo accounts: {CUSTOMER_EMAIL}, {VENDOR_EMAIL} and {OPERATOR_EMAIL}, password {DEMO_PASSWORD}")
    say(f"REST documentation: http://{host}:{port}/api/docs")
    for url, what, folder in ((settings().smtp_url, "E-mails", "mail"), (settings().sms_url, "Text messages", "sms")):
        if not url.get_secret_value():
            say(f"{what} are written to {settings().data_dir.absolute() / folder}")
    say(f"Data are kept in {settings().data_dir.absolute()}. Stop with Ctrl-C.\n")


def warn_of_hidden_visitors() -> None:
    """Say so when only a proxy can reach a production server, but is not trusted to say who its visitors are."""
    from rental_app.infrastructure.settings import settings

    if settings().env == "production" and settings().bind_address.is_loopback and not settings().trusted_proxies:
        say(
            "Warning: all visitors share the limits of one address, and browsers are not told to stay with HTTPS: set"
            f' RENTAL_TRUSTED_PROXIES to the address of the proxy, for example ["{settings().bind_address}"]'
        )


def warn_without_operator() -> None:
    """Say so when new vehicles wait for an operator and there is none."""
    from rental_app.infrastructure import db
    from rental_app.infrastructure.settings import settings
    from rental_app.services.accounts import operators

    if settings().listing_approval == "manual" and db.read(operators.are_missing):
        say(
            "Warning: RENTAL_LISTING_APPROVAL is manual, but there is no operator: new vehicles would wait for ever."
            " Make one with `python -m rental_app.people operator EMAIL`"
        )


def serve(port: int) -> None:
    """Serve pages, websocket and REST from the existing build until interrupted; raises SystemExit on giving up."""
    from rental_app.infrastructure.settings import settings
    from rental_app.infrastructure.supervisor import IDLE_SECONDS, supervisor

    os.environ |= {
        "__REFLEX_SKIP_COMPILE": "true",
        "__REFLEX_MOUNT_FRONTEND_COMPILED_APP": "true",
        "REFLEX_ENV_MODE": "prod",
        # With 25 s between pings, a connection whose client stops answering is closed like any other idle one.
        "REFLEX_SOCKET_TIMEOUT": str(IDLE_SECONDS - 25),
    }
    supervisor(str(settings().bind_address), port, settings().workers).run()


def prepare_all(port: int, *, build: bool) -> bool:
    """Prepare the database and, in parallel, the pages, which take longest; returns whether the database was filled.

    Raises SystemExit when the port is taken, there are no pages or the database does not answer.
    """
    check_port(port)
    with building() if build else existing_pages():
        return prepare_database()


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description="Migrate, seed, build and serve")
    parser.add_argument("--no-build", action="store_true", help="serve the existing build, fail if there is none")
    parser.add_argument("--prepare", action="store_true", help="only migrate and seed")
    parser.add_argument("--block-demo-accounts", action="store_true", help="only migrate, seed and block those")
    options = parser.parse_args()
    port = configured_port()
    serves = not (options.prepare or options.block_demo_accounts)
    # Imported objects stay for good; a worker enables garbage collection again once it is ready (rental_app.py).
    gc.disable()
    from rental_app.infrastructure.settings import settings_or_exit

    with settings_or_exit():
        share_counts(port)
        filled = prepare_all(port, build=not options.no_build) if serves else prepare_database()
    if options.block_demo_accounts:
        from rental_app.seed.people import block_published_accounts

        say(f"Blocked: {', '.join(block_published_accounts()) or 'nobody'}")
        return
    refuse_published_passwords()
    if not serves:
        return
    if filled:
        # Storing the demo's photos has started file store threads, which workers forked from this process would lack.
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - this very command
    announce(port)
    warn_without_operator()
    warn_of_hidden_visitors()
    serve(port)


if __name__ == "__main__":
    main()
