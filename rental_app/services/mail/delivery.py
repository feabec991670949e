"""Delivering e-mails by SMTP and texts by a gateway, if they are configured, else into the data folder."""

import logging
from collections.abc import Collection
from datetime import datetime
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import aiosmtplib
import httpx2

from rental_app.domain.errors import UnavailableError
from rental_app.domain.retention import FILED_MESSAGES_LAST
from rental_app.infrastructure import db
from rental_app.infrastructure.settings import settings
from rental_app.services.mail.messages import TextMessage

log = logging.getLogger(__name__)
SECONDS = 20
SMTP_PORTS = {"smtp": 587, "smtps": 465}


async def deliver(message: EmailMessage | TextMessage, number: int) -> None:
    """Send a message, or keep it as `mail/<number>.eml` or `sms/<number>.txt`.

    Raises SMTPException, OSError, HTTPError, or UnavailableError where the gateway does not take it.
    """
    if isinstance(message, TextMessage):
        await _deliver_text(message, number)
    elif url := settings().smtp_url.get_secret_value():
        await _send(message, url)
    else:
        await db.run(_keep, "mail", f"{number}.eml", bytes(message), "RENTAL_SMTP_URL")


async def _deliver_text(message: TextMessage, number: int) -> None:
    if url := settings().sms_url.get_secret_value():
        await _post(message, url)
    else:
        await db.run(_keep, "sms", f"{number}.txt", f"To: {message.to}\n\n{message.text}\n".encode(), "RENTAL_SMS_URL")


async def _post(message: TextMessage, url: str) -> None:
    """Hand a text to the gateway, which answers 2xx once it has taken it."""
    async with httpx2.AsyncClient(trust_env=False, timeout=SECONDS) as client:
        answer = await client.post(url, json=message._asdict())
    if not answer.is_success:
        # Not the library's own error, whose text has the URL with its password; this one is stored.
        raise UnavailableError(f"the gateway for texts answered {answer.status_code}")


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


def _keep(folder_name: str, name: str, content: bytes, setting: str) -> None:
    folder = settings().data_dir / folder_name
    folder.mkdir(parents=True, exist_ok=True)
    # Whole as soon as it has its name: whoever waits for it reads it at once.
    part = folder / f"{name}.part"
    part.write_bytes(content)
    part.replace(folder / name)
    _say_where(folder, setting)


def drop(numbers: Collection[int]) -> None:
    """Delete the messages with these numbers that are kept as files."""
    for number in numbers:
        for path in (Path("mail", f"{number}.eml"), Path("sms", f"{number}.txt")):
            (settings().data_dir / path).unlink(missing_ok=True)


def drop_older(instant: datetime) -> None:
    """Delete the messages that have been kept as files for longer than they should be, by the machine's time."""
    oldest = (instant - FILED_MESSAGES_LAST).timestamp()
    for folder in ("mail", "sms"):
        for path in (settings().data_dir / folder).glob("*"):
            if path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)


@cache
def _say_where(folder: Path, setting: str) -> None:
    """Log once, not for every message; as a warning, because lower levels are not logged."""
    log.warning("%s is not set: messages are kept in %s", setting, folder.absolute())
