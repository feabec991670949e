"""People come to work for a vendor by an invitation that they accept themselves, and leave nothing behind."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.models import FormerMember, IcalFeed, Member
from rental_app.schemas.accounts import InvitationRequest, RoleRequest
from rental_app.schemas.calendars import FeedRequest
from rental_app.schemas.sign_in import ForgottenPassword, LinkUse
from rental_app.services.accounts import members, passwords, way_back
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.calendar.ical import feeds
from tests.conftest import Clock
from tests.support.accounts import latest_token, reset, user_of
from tests.support.booking_steps import alter
from tests.support.mailbox import Post, send_all, text_of
from tests.support.races import at_once
from tests.support.shop import VISITOR, Shop, actor, add_user, count, open_shop, put
from tests.support.staff import COUNTER, MANAGER, invite, invited, join, team_of
from tests.support.trips import refusal


def secret_of(someone: Actor, vehicle: int | None = None) -> str:
    """Make a calendar address; return its secret."""
    return write(feeds.give, someone, FeedRequest(vehicle=vehicle)).removesuffix(".ics").rpartition("/")[2]


def test_an_invitation_is_mailed_and_accepted_by_whom_it_names(shop: Shop, post: Post) -> None:
    person = add_user()
    invite(shop.vendor, person.email, MANAGER)
    send_all()
    ((to, message),) = post.take()
    assert to == person.email
    assert message["Subject"] == f"{shop.vendor.name} invites you to work with them"
    text = text_of(message)
    assert ("/join?token=" in text, "within 7 days" in text, person.name in text) == (True, True, False)
    link = LinkUse(token=latest_token(Purpose.INVITATION))
    offer = read(members.offer, VISITOR, link)
    assert (offer.vendor, offer.role) == (shop.vendor.name, MANAGER)
    assert team_of(shop.vendor).members == []
    accepted = write(members.accept, actor(person), link)
    assert accepted == offer
    team = team_of(shop.vendor)
    assert [(one.id, one.name, one.role) for one in team.members] == [(person.id, person.name, MANAGER)]
    assert team.invitations == []
    send_all()
    assert [(to, told["Subject"]) for to, told in post.take()] == [
        (shop.vendor.email, f"{person.email} has accepted your invitation")
    ]


def test_the_answer_and_what_it_costs_are_the_same_for_everybody(shop: Shop) -> None:
    other = open_shop("Otherpur")
    taken = put(Member(user_id=add_user().id or 0, vendor_id=other.vendor.id or 0))
    emails = ["nobody@example.com", shop.customer.email, other.vendor.email, user_of(taken.user_id).email]
    emails += [add_user("Operator").email, add_user(status="blocked").email]
    shown = [invite(shop.vendor, email).model_dump(include={"role"}) for email in emails]
    assert shown == [{"role": COUNTER}] * len(emails)
    assert [one.email for one in team_of(shop.vendor).invitations] == emails


def test_a_link_works_once_for_seven_days_and_not_for_others(shop: Shop, stopped_clock: Clock) -> None:
    person, other = add_user(), add_user()
    link = invited(shop.vendor, person.email.upper())
    refusal("other_account", write, members.accept, actor(other), link)
    stopped_clock.move(days=7, seconds=-1)
    write(members.accept, actor(person), link)
    refusal("link_invalid", write, members.accept, actor(person), link)
    refusal("link_invalid", read, members.offer, VISITOR, link)
    late = invited(shop.vendor, other.email)
    stopped_clock.move(days=7)
    refusal("link_invalid", read, members.offer, VISITOR, late)
    refusal("link_invalid", write, members.accept, actor(other), late)
    refusal("link_invalid", read, members.offer, VISITOR, LinkUse(token="never"))
    assert team_of(shop.vendor).invitations == []


def test_who_cannot_accept(shop: Shop) -> None:
    other = open_shop("Otherpur")
    unread = add_user(email_verified_at=None)
    refusal("confirm_email_first", write, members.accept, actor(unread), invited(shop.vendor, unread.email))
    operator = add_user("Operator")
    for person in (other.vendor, operator):
        refusal("has_business", write, members.accept, actor(person), invited(shop.vendor, person.email))
    elsewhere = add_user()
    join(other.vendor, elsewhere)
    link = invited(shop.vendor, elsewhere.email)
    refusal("already_member", write, members.accept, actor(elsewhere), link)
    write(members.remove, actor(other.vendor), elsewhere.id or 0)
    # A refusal leaves the link.
    write(members.accept, actor(elsewhere), link)


def test_who_cannot_be_invited(shop: Shop) -> None:
    person = add_user()
    join(shop.vendor, person)
    refusal("already_member", invite, shop.vendor, person.email)
    refusal("own_email", invite, shop.vendor, shop.vendor.email.upper())
    refusal("vendors_only", invite, shop.customer, person.email)


def test_another_invitation_replaces_the_earlier_one(shop: Shop, post: Post) -> None:
    person = add_user()
    first = invited(shop.vendor, person.email)
    # The first message has not been sent yet, and says nothing that is true any more.
    second = invited(shop.vendor, person.email, MANAGER)
    send_all()
    assert [to for to, _ in post.take()] == [person.email]
    assert [one.role for one in team_of(shop.vendor).invitations] == [MANAGER]
    refusal("link_invalid", write, members.accept, actor(person), first)
    write(members.accept, actor(person), second)


def test_a_cancelled_invitation_is_over(shop: Shop) -> None:
    person, other = add_user(), open_shop("Otherpur")
    link = invited(shop.vendor, person.email)
    (made,) = team_of(shop.vendor).invitations
    refusal("unknown_invitation", write, members.cancel, actor(other.vendor), made.id)
    write(members.cancel, actor(shop.vendor), made.id)
    refusal("unknown_invitation", write, members.cancel, actor(shop.vendor), made.id)
    refusal("link_invalid", write, members.accept, actor(person), link)


def test_no_other_proof_of_the_vendor_is_cancelled_by_its_number(shop: Shop) -> None:
    write(passwords.ask_for_link, VISITOR, ForgottenPassword(email=shop.vendor.email))
    token = latest_token(Purpose.RESET)
    for number in range(1, 20):
        refusal("unknown_invitation", write, members.cancel, actor(shop.vendor), number)
    reset(token)


def test_invitations_of_a_blocked_or_deleted_vendor_do_not_work(shop: Shop) -> None:
    person = add_user()
    link = invited(shop.vendor, person.email)
    for gone in ({"status": "blocked"}, {"is_deleted": True}):
        alter(type(person), shop.vendor.id, **gone)
        refusal("link_invalid", read, members.offer, VISITOR, link)
        refusal("link_invalid", write, members.accept, actor(person), link)
        alter(type(person), shop.vendor.id, status="active", is_deleted=False)
    write(members.accept, actor(person), link)


def test_a_new_password_ends_what_the_old_one_may_have_invited(shop: Shop) -> None:
    person = add_user()
    link = invited(shop.vendor, person.email)
    write(passwords.ask_for_link, VISITOR, ForgottenPassword(email=shop.vendor.email))
    reset(latest_token(Purpose.RESET))
    refusal("link_invalid", write, members.accept, actor(person), link)


def test_members_and_invitations_have_one_limit(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "MOST", 2)
    join(shop.vendor, add_user())
    invite(shop.vendor, "one@example.com")
    refusal("too_many_members", invite, shop.vendor, "two@example.com")
    # Sent again it is not a second one.
    invite(shop.vendor, "one@example.com")
    write(members.cancel, actor(shop.vendor), team_of(shop.vendor).invitations[0].id)
    invite(shop.vendor, "two@example.com")


def test_nobodys_mailbox_is_flooded(shop: Shop, rate_limits: None) -> None:
    for _ in range(3):
        invite(shop.vendor, "one@example.com")
    refusal("too_many_requests", invite, shop.vendor, "one@example.com")
    invite(shop.vendor, "two@example.com")


def test_who_left_may_be_invited_again_and_decides_again(shop: Shop) -> None:
    person = add_user()
    member = join(shop.vendor, person)
    write(members.remove, member, person.id or 0)
    # As a version that added people without asking has noted it.
    put(FormerMember(user_id=person.id or 0, vendor_id=shop.vendor.id or 0))
    link = invited(shop.vendor, person.email)
    assert team_of(shop.vendor).members == []
    write(members.accept, actor(person), link)


@pytest.mark.databases
def test_of_two_who_accept_at_once_one_does(shop: Shop) -> None:
    person, other, before = add_user(), open_shop("Otherpur"), count("member")
    link = invited(shop.vendor, person.email)
    codes = at_once(*[lambda: write(members.accept, actor(person), link)] * 3)
    assert sorted(codes) == ["", "link_invalid", "link_invalid"]
    wanted = add_user()
    links = [invited(each, wanted.email) for each in (shop.vendor, other.vendor)]
    codes = at_once(*[lambda link=link: write(members.accept, actor(wanted), link) for link in links])
    assert sorted(codes) == ["", "already_member"]
    assert count("member") == before + 2


@pytest.mark.databases
def test_two_invitations_at_once_leave_one(shop: Shop) -> None:
    at_once(*[lambda: invite(shop.vendor, "one@example.com")] * 3)
    assert len(team_of(shop.vendor).invitations) == 1


def test_calendar_addresses_end_with_the_access_of_who_made_them(shop: Shop) -> None:
    person = add_user()
    vendors = secret_of(actor(shop.vendor))
    manager = join(shop.vendor, person, MANAGER)
    theirs = secret_of(manager, shop.vehicle.id)
    assert read(feeds.read_feed, VISITOR, theirs)
    write(members.change_role, actor(shop.vendor), person.id or 0, RoleRequest(role=COUNTER))
    refusal("unknown_calendar", read, feeds.read_feed, VISITOR, theirs)
    write(members.change_role, actor(shop.vendor), person.id or 0, RoleRequest(role=MANAGER))
    # An address that was ended once stays so.
    refusal("unknown_calendar", read, feeds.read_feed, VISITOR, theirs)
    theirs = secret_of(manager, shop.vehicle.id)
    write(members.remove, manager, person.id or 0)
    refusal("unknown_calendar", read, feeds.read_feed, VISITOR, theirs)
    theirs = secret_of(join(shop.vendor, person, MANAGER), shop.vehicle.id)
    write(members.remove, actor(shop.vendor), person.id or 0)
    join(shop.vendor, person, MANAGER)
    refusal("unknown_calendar", read, feeds.read_feed, VISITOR, theirs)
    assert read(feeds.read_feed, VISITOR, vendors)


def test_a_blocked_or_deleted_managers_address_shows_nothing(shop: Shop) -> None:
    person = add_user()
    secret = secret_of(join(shop.vendor, person, MANAGER))
    for gone in ({"status": "blocked"}, {"is_deleted": True}):
        alter(type(person), person.id, **gone)
        refusal("unknown_calendar", read, feeds.read_feed, VISITOR, secret)
        alter(type(person), person.id, status="active", is_deleted=False)
    assert read(feeds.read_feed, VISITOR, secret)


def test_whoever_gets_their_account_back_has_left_nothing_behind(shop: Shop) -> None:
    person = add_user()
    secret_of(join(shop.vendor, person, MANAGER))
    write(lambda session: way_back.hand_over(session, session.get_one(type(person), person.id)))
    made = select(IcalFeed).where(col(IcalFeed.made_by) == person.id)
    assert read(lambda session: session.scalars(made).all()) == []
    assert team_of(shop.vendor).members == []


def test_a_role_is_the_vendors_to_change(shop: Shop) -> None:
    person, other = add_user(), open_shop("Otherpur")
    member, wish = join(shop.vendor, person), RoleRequest(role=MANAGER)
    refusal("vendors_only", write, members.change_role, member, person.id or 0, wish)
    refusal("unknown_member", write, members.change_role, actor(other.vendor), person.id or 0, wish)
    assert write(members.change_role, actor(shop.vendor), person.id or 0, wish).role == MANAGER


def test_an_invitation_names_a_role(shop: Shop) -> None:
    with pytest.raises(ValueError, match="role"):
        InvitationRequest.model_validate({"email": "a@example.com", "role": "owner"})
    assert timedelta(days=7) == members.INVITED_FOR
    assert invite(shop.vendor, "a@example.com").expires_at > clock.now() + timedelta(days=6)
