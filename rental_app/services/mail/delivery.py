"""Delivering e-mails: by SMTP if a server is configured, else into the data folder."""

import logging
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import aiosmtplib

from rental_app.infrastructure import db
from rental_app.infrastructure.settings import settings

log = logging.getLogger(__name__)
SECONDS = 20
SMTP_PORTS = {"smtp": 587, "smtps": 465}


async def deliver(message: EmailMessage, number: int) -> None:
    """Send a message, or keep it as `mail/<number>.eml`; raises SMTPException or OSError."""
    if url := settings().smtp_url.get_secret_value():
        await _send(message, url)
    else:
        await db.run(_keep, message, number)


async def _send(message: EmailMessage, url: str) -> None:
    parts = urlsplit(url)
    await aiosmtplib.send(
        message,
        hostname=parts.hostname,
        port=parts.port or SMTP_PORTS[parts.scheme],
        username=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
        use_tls=parts.scheme == "smtps",
        timeout=SECONDS,
    )


def _keep(message: EmailMessage, number: int) -> None:
    folder = settings().data_dir / "mail"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{number}.eml").write_bytes(bytes(message))
    _say_where(folder)


@cache
def _say_where(folder: Path) -> None:
    """Log once, not for every message; as a warning, because lower levels are not logged."""
    log.warning("RENTAL_SMTP_URL is not set: messages are kept in %s", folder.absolute())
