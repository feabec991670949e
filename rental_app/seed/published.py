"""The demo accounts whose password everyone can read in this repository."""

import secrets

from sqlalchemy import update
from sqlmodel import Session, col, select

from rental_app.infrastructure import db
from rental_app.infrastructure.security import hash_password, password_matches
from rental_app.models import User
from rental_app.seed.people import DEMO_EMAILS, DEMO_PASSWORD
from rental_app.services.accounts.actor import may_log_in


def published_accounts() -> list[str]:
    """The e-mails of the accounts that anyone can log in to."""
    return sorted(db.read(_opened_by_published_password))


def block_published_accounts() -> list[str]:
    """Block them, which ends their sessions and hides their vehicles; returns their e-mails."""
    emails = published_accounts()
    db.write(_block, emails)
    return emails


def _opened_by_published_password(session: Session) -> list[str]:
    of_demo = (col(User.email).in_(DEMO_EMAILS), *may_log_in())
    accounts = session.exec(select(User.email, User.password_hash).where(*of_demo)).all()
    # Comparing takes a quarter of a second, and the accounts of one demo share their hash.
    published = {
        candidate for candidate in {hashed for _, hashed in accounts} if password_matches(DEMO_PASSWORD, candidate)
    }
    return [email for email, hashed in accounts if hashed in published]


def _block(session: Session, emails: list[str]) -> None:
    # A blocked vendor with trips under way still logs in, with a password that must not be this one.
    unknown = hash_password(secrets.token_urlsafe(32))
    session.execute(update(User).where(col(User.email).in_(emails)).values(status="blocked", password_hash=unknown))
