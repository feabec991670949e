"""A mail server for tests of messages, and what it has received."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.controller import Controller
from sqlmodel import select

from rental_app.infrastructure.db import read
from rental_app.models import Outbox
from rental_app.services.mail import outbox


class Post:
    """A mail server that keeps what it receives."""

    def __init__(self) -> None:
        self.got: list[tuple[str, EmailMessage]] = []
        self.refusing = False

    async def handle_DATA(self, _server: object, _session: object, envelope: object) -> str:
        if self.refusing:
            return "451 try again later"
        message = message_from_bytes(envelope.content, policy=policy.default)  # type: ignore[attr-defined]
        self.got.append((envelope.rcpt_tos[0], message))  # type: ignore[attr-defined]
        return "250 OK"

    def take(self) -> list[tuple[str, EmailMessage]]:
        """Return what has come since the last call."""
        taken, self.got = self.got, []
        return taken


@contextmanager
def running() -> Iterator[tuple[Post, str]]:
    """A real SMTP server, and its URL."""
    handler = Post()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    controller = Controller(handler, hostname="127.0.0.1", port=port)
    controller.start()
    yield handler, f"smtp://127.0.0.1:{port}"
    controller.stop()


def send() -> int:
    """Send a batch of what is due; returns how many messages that were."""
    return asyncio.run(outbox.send_due())


def send_all() -> None:
    """Send everything that is due."""
    while send():
        pass


def waiting() -> list[Outbox]:
    """Return the messages that are still to be sent."""
    return read(lambda session: list(session.scalars(select(Outbox).where(Outbox.due_at.is_not(None)))))


def text_of(message: EmailMessage) -> str:
    """Return a message's subject and its text, one line each."""
    text = message.get_body(("plain",)).get_content()
    return f"{message['Subject']}\n{' '.join(text.split())}"
