"""Steps of tests about those who work for a vendor."""

from dataclasses import replace

from rental_app.domain.staff import MemberRole
from rental_app.infrastructure.db import read, write
from rental_app.models import User
from rental_app.schemas.accounts import InvitationRequest, InvitationView
from rental_app.schemas.sign_in import LinkUse
from rental_app.services.accounts import members
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.members import Team
from rental_app.services.accounts.proofs import Purpose
from tests.support.accounts import latest_token
from tests.support.shop import actor

COUNTER, MANAGER = MemberRole.COUNTER, MemberRole.MANAGER


def invite(vendor: User, email: str, role: MemberRole = COUNTER) -> InvitationView:
    """Invite somebody as the vendor."""
    return write(members.invite, actor(vendor), InvitationRequest(email=email, role=role))


def invited(vendor: User, email: str, role: MemberRole = COUNTER) -> LinkUse:
    """Invite somebody; return what the link in the message proves."""
    invite(vendor, email, role)
    return LinkUse(token=latest_token(Purpose.INVITATION))


def join(vendor: User, person: User, role: MemberRole = COUNTER) -> Actor:
    """Have a person accept a vendor's invitation; returns the member they are now."""
    write(members.accept, actor(person), invited(vendor, person.email, role))
    return member_actor(person, vendor, role)


def member_actor(person: User, vendor: User, role: MemberRole = COUNTER) -> Actor:
    """The actor that services see for a member who is logged in."""
    return replace(actor(person), employer=vendor.id or 0, manages=role == MANAGER)


def team_of(vendor: User) -> Team:
    """A vendor's people."""
    return read(members.of_vendor, actor(vendor))
