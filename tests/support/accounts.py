"""What tests of accounts repeat."""

from dataclasses import replace

from sqlalchemy import select

from rental_app.infrastructure.db import read, write
from rental_app.models import Proof, User
from rental_app.schemas.accounts import EmailChange, Registration
from rental_app.schemas.sign_in import ForgottenPassword, PasswordChange, PasswordReset
from rental_app.services.accounts import emails, passwords, proofs
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.proofs import Purpose
from tests.support.booking_steps import alter
from tests.support.letters import letters, token_in
from tests.support.mailbox import Post
from tests.support.shop import PASSWORD, VISITOR, actor

OTHER = "other@example.com"

NEW = "a quite different secret"
RESET = "Set a new password"

LONGEST = "seventy two bytes in all, of which bcrypt takes every one and no more ok"
PERSON = Registration(
    name="New Person",
    email="New@Example.com",
    password=LONGEST,
    address="1 Test Road",
    pincode="500032",
    city="Hyderabad",
    phone_number="9000000001",
)


def user_of(user_id: int | None) -> User:
    return read(lambda session: session.get_one(User, user_id))


def stepped(user: User) -> Actor:
    """Return the actor of a session that has given the second step."""
    return replace(actor(user), gave_second_step=True)


def unconfirmed(user: User) -> User:
    """Let an account be one whose e-mail was never confirmed."""
    alter(User, user.id, email_verified_at=None)
    return user


def latest_token(purpose: Purpose = Purpose.RESET) -> str:
    """Return the secret of the latest link for a purpose."""
    newest = select(Proof).where(Proof.purpose == purpose).order_by(Proof.id.desc())
    proof = read(lambda session: session.scalars(newest).first())
    assert proof
    return proofs.secret_of(proof)


def latest_code(purpose: Purpose) -> dict[str, str]:
    """Return the latest code for a purpose, as calls take it."""
    return {"code": latest_token(purpose)}


def ask(email: str) -> None:
    write(passwords.ask_for_link, VISITOR, ForgottenPassword(email=email))


def link_for(post: Post, user: User) -> str:
    """Ask for a link, and return the token in the message that came."""
    ask(user.email)
    to, message = letters(post)[RESET]
    assert to == user.email
    return token_in(message)


def ask_change(user: User, email: str = OTHER, password: str = PASSWORD) -> None:
    emails.ask_change(EmailChange(email=email, password=password), actor(user))


def reset(token: str, password: str = NEW) -> None:
    passwords.reset(PasswordReset(token=token, password=password), VISITOR)


def change(user: User, current: str, password: str = NEW) -> str:
    return passwords.change(PasswordChange(current=current, password=password), actor(user))
