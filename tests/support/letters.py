"""What messages about accounts lead to."""

import re
from email.message import EmailMessage

from tests.support.mailbox import Post, send_all, text_of


def letters(post: Post) -> dict[str, tuple[str, EmailMessage]]:
    """Send what is due; return what came, with its recipients, by subject."""
    send_all()
    return {str(message["Subject"]): (to, message) for to, message in post.take()}


def token_in(message: EmailMessage) -> str:
    """Return the token of the link in a message."""
    found = re.search(r"token=([\w-]+)", text_of(message), re.ASCII)
    assert found, text_of(message)
    return found[1]
