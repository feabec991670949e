"""What a thief, or whoever signs up with a foreign address, cannot keep from the owner of the mailbox."""

from collections.abc import Callable
from typing import Any

import pyotp
import pytest
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, NotAuthenticatedError
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.security import password_matches
from rental_app.models import AuditEntry, IcalFeed, KnownDevice, Member, Passkey, Proof, SecondStep, User, Vehicle
from rental_app.schemas.accounts import ChangeWish, Details, EmailChange
from rental_app.schemas.operating import RecoveryRequest
from rental_app.schemas.sign_in import (
    Credentials,
    LinkUse,
    OwnLinkUse,
    PasskeyLogin,
    PasswordChange,
    Phone,
    PhoneCode,
    StepAnswer,
)
from rental_app.services import maintenance
from rental_app.services.accounts import (
    emails,
    login,
    passkeys,
    passwords,
    phones,
    profile,
    proofs,
    requests,
    second_step,
    sessions,
    sign_up,
    way_back,
)
from rental_app.services.accounts.actor import Actor, at_the_machine
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.fleet import vehicles
from rental_app.services.operating import people
from tests.conftest import Clock
from tests.support.accounts import (
    NEW,
    OTHER,
    PERSON,
    ask_change,
    latest_code,
    latest_token,
    link_for,
    reset,
    stepped,
    unconfirmed,
    user_of,
)
from tests.support.authenticator import device, wish, with_passkey
from tests.support.booking_steps import alter, book, every_file
from tests.support.letters import letters
from tests.support.mailbox import Post
from tests.support.rest_helpers import listing
from tests.support.shop import PASSWORD, VISITOR, Shop, actor, add_user, put, token_of, wanted
from tests.support.staff import MANAGER, join
from tests.support.trips import refusal

STEP_ON, PASSKEY, PHONE = (
    "Your sign-in now needs a second step",
    "A passkey was added to your account",
    "Your mobile number is confirmed",
)
# What the form of an account's own details holds, but for the number.
DETAILS = {"name": "Asha Rao", "address": "7 Lake Road", "landmark": "", "pincode": "500081", "city": "Hyderabad"}


def turn_on(who: Actor) -> pyotp.TOTP:
    """Turn the second step on with an app, which is returned."""
    app = pyotp.TOTP(write(second_step.set_up, who).secret)
    write(second_step.confirm, who, app.at(clock.now()))
    return app


def is_in(token: str) -> bool:
    try:
        return bool(read(sessions.authenticate, VISITOR, token))
    except NotAuthenticatedError:
        return False


def enter(user: User, password: str = PASSWORD) -> str:
    return login.sign_in(Credentials(email=user_of(user.id).email, password=password), VISITOR)


def enter_by(phone: Any) -> str:
    options = write(passkeys.begin_login, VISITOR)
    return passkeys.log_in(PasskeyLogin.model_validate({"credential": phone.sign(options)}), VISITOR)


def rows(table: type[Any], user: User) -> int:
    return len(read(lambda session: session.scalars(select(table).where(table.user_id == user.id)).all()))


def sign_up_as(email: str) -> User:
    token = sign_up.register(PERSON.model_copy(update={"email": email}), VISITOR)
    return user_of(read(sessions.authenticate, VISITOR, token).id)


def details_with(number: str) -> Details:
    return Details.model_validate(DETAILS | {"phoneNumber": number})


def add_passkey(who: Actor) -> None:
    write(passkeys.add, who, wish(device().make({"rp": {"id": "x"}, "challenge": "x"})))


CHANGES: dict[str, Callable[[Actor], object]] = {
    "options of a passkey": lambda who: write(passkeys.begin, who),
    "a passkey": add_passkey,
    "a code": lambda who: write(phones.send_code, who, Phone(phone="9876500099")),
    "a number": lambda who: phones.verify(PhoneCode(phone="9876500099", code="123456"), who),
    "details": lambda who: write(profile.change, who, details_with("9876500099")),
}
UNCONFIRMED = CHANGES | {
    "an app": lambda who: write(second_step.set_up, who),
    "its code": lambda who: write(second_step.confirm, who, "123456"),
}
UNSTEPPED = CHANGES | {
    "another email": lambda who: ask_change(user_of(who.id)),
    "the step": lambda who: write(second_step.end, who, "123456"),
    "less passkeys": lambda who: write(passkeys.remove, who, 1),
}


@pytest.mark.parametrize("what", UNCONFIRMED)
def test_nothing_is_added_before_the_email_is_confirmed(shop: Shop, what: str) -> None:
    refusal("confirm_email_first", UNCONFIRMED[what], actor(unconfirmed(shop.customer)))


def test_a_vendor_asks_for_another_number_once_the_email_is_confirmed(shop: Shop) -> None:
    asked = ChangeWish.model_validate({"field": "phone", "value": "9876500099", "password": PASSWORD})
    refusal("confirm_email_first", write, requests.ask, actor(unconfirmed(shop.vendor)), asked)
    alter(User, shop.vendor.id, email_verified_at=clock.now())
    turn_on(actor(shop.vendor))
    refusal("give_second_step", write, requests.ask, actor(shop.vendor), asked)
    assert write(requests.ask, stepped(shop.vendor), asked).state == "open"


def test_details_but_the_number_wait_for_nothing(shop: Shop) -> None:
    own = unconfirmed(shop.customer)
    write(profile.change, actor(own), details_with(own.phone_number))
    assert user_of(own.id).name == "Asha Rao"


def test_a_link_for_a_new_password_gives_the_account_to_who_reads_the_mailbox(shop: Shop, post: Post) -> None:
    squatter = token_of(shop.vendor)
    turn_on(read(sessions.authenticate, VISITOR, squatter))
    phone = with_passkey(shop.vendor, stepped(shop.vendor))
    helper = add_user()
    put(Member(user_id=helper.id, vendor_id=shop.vendor.id))
    alter(User, shop.vendor.id, upi_id="thief@upi", bank_account_no="123456789", email_changed_at=None)
    listed = write(vehicles.submit, actor(unconfirmed(shop.vendor)), listing(), every_file())
    alter(Vehicle, listed, is_approved=False)
    reset(link_for(post, shop.vendor))
    now = user_of(shop.vendor.id)
    assert (now.upi_id, now.bank_account_no, bool(now.email_verified_at)) == ("", "", True)
    assert rows(SecondStep, shop.vendor) == rows(Passkey, shop.vendor) == rows(Member, helper) == 0
    assert not is_in(squatter)
    refusal("unknown_passkey", enter_by, phone)
    # No code of the squatter's app is asked for.
    assert is_in(enter(shop.vendor, NEW))
    # Nothing is shown in the name of somebody who has not listed it.
    assert not read(lambda session: session.get_one(Vehicle, listed)).is_approved


def test_an_older_second_step_outlives_a_new_password(shop: Shop, post: Post) -> None:
    app = turn_on(actor(shop.customer))
    reset(link_for(post, shop.customer))
    error = refusal("second_step", enter, shop.customer, NEW)
    answer = StepAnswer(challenge=error.details["challenge"], code=app.at(clock.now()))
    refusal("wrong_code", login.give_second_step, answer, VISITOR)


def test_who_reads_a_mailbox_confirms_nothing_for_who_signed_up(shop: Shop) -> None:
    squatter = sign_up_as("venkat@mail.example")
    link = OwnLinkUse(token=latest_token(Purpose.VERIFY_EMAIL))
    refusal("password_needed", emails.verify, link, VISITOR)
    refusal("password_needed", emails.verify, link, actor(shop.customer))
    refusal("wrong_password", emails.verify, link.model_copy(update={"password": "guessed"}), VISITOR)
    assert user_of(squatter.id).email_verified_at is None
    assert emails.verify(link.model_copy(update={"password": PERSON.password}), VISITOR) == emails.VERIFIED


def test_whoever_did_not_sign_up_has_the_address_back(shop: Shop, post: Post) -> None:
    squatter = sign_up_as("venkat@mail.example")
    message = letters(post)["Confirm your email"][1].get_body(("plain",)).get_content().replace("\r\n", "\n")
    token = latest_token(Purpose.VERIFY_EMAIL)
    assert f"I did not sign up:\nhttp://localhost:3000/decline-email?token={token}" in message
    assert write(emails.decline, VISITOR, LinkUse(token=token)) == emails.DECLINED
    assert read(profile.profile, actor(squatter)).email == ""
    refusal("link_invalid", emails.verify, OwnLinkUse(token=token), actor(squatter))
    owner = sign_up_as("venkat@mail.example")
    assert owner.id != squatter.id
    # Who has mistyped an address goes on with another one.
    emails.ask_change(_change("venkata@mail.example", PERSON.password), actor(squatter))
    emails.confirm(OwnLinkUse(token=latest_token(Purpose.CHANGE_EMAIL)), actor(squatter))
    assert user_of(squatter.id).email == "venkata@mail.example"


def _change(email: str, password: str) -> EmailChange:
    return EmailChange(email=email, password=password)


def test_nothing_is_sent_to_an_account_without_an_address(shop: Shop, post: Post) -> None:
    write(lambda session: emails.make_way(session, session.get_one(User, shop.customer.id)))
    letters(post)
    book(shop.customer, wanted(shop.vehicle))
    assert {to for to, _ in letters(post).values()} == {shop.vendor.email}


def test_a_confirmed_address_is_not_declined(shop: Shop) -> None:
    write(emails.send_again, actor(unconfirmed(shop.customer)))
    token = latest_token(Purpose.VERIFY_EMAIL)
    alter(User, shop.customer.id, email_verified_at=clock.now())
    refusal("link_invalid", write, emails.decline, VISITOR, LinkUse(token=token))


def taken_over(owner: User) -> tuple[str, str]:
    """Change an account's address as a thief; return the owner's own, and the link that takes that back."""
    mine = owner.email
    ask_change(owner)
    undo = latest_token(Purpose.UNDO_EMAIL)
    emails.confirm(OwnLinkUse(token=latest_token(Purpose.CHANGE_EMAIL)), actor(owner))
    return mine, undo


def test_an_address_is_kept_while_a_link_gives_it_back(shop: Shop, post: Post) -> None:
    mine, undo = taken_over(shop.customer)
    letters(post)
    for _ in range(2):
        with pytest.raises(ConflictError):
            sign_up_as(mine)
    # Its owner, who thinks the account is lost, gets the link again.
    to, message = letters(post)["Your email is being changed"]
    assert (to, undo in message.as_string()) == (mine, True)
    other = add_user()
    ask_change(other, mine)
    assert not {"Confirm your new email"} & letters(post).keys()
    assert write(emails.undo, VISITOR, LinkUse(token=undo)) == emails.UNDONE
    assert user_of(shop.customer.id).email == mine


def test_after_a_week_the_address_is_anybodys(shop: Shop, stopped_clock: Clock) -> None:
    mine, _ = taken_over(shop.customer)
    stopped_clock.move(days=7)
    assert sign_up_as(mine).email == mine


@pytest.mark.parametrize("confirmed", [False, True])
def test_an_account_that_has_not_confirmed_the_address_makes_way(shop: Shop, confirmed: bool) -> None:
    mine, undo = taken_over(shop.customer)
    # As one that signed up before addresses were kept.
    squatter = add_user(email=mine, email_verified_at=clock.now() if confirmed else None)
    if confirmed:
        refusal("link_invalid", write, emails.undo, VISITOR, LinkUse(token=undo))
        return
    write(emails.undo, VISITOR, LinkUse(token=undo))
    assert (user_of(shop.customer.id).email, user_of(squatter.id).email.endswith(".invalid")) == (mine, True)
    given_up = select(col(AuditEntry.subject_id)).where(col(AuditEntry.act) == "email.given_up")
    assert read(lambda session: session.scalars(given_up).all()) == [squatter.id]


def recover(person: User, email: str) -> None:
    asked = RecoveryRequest.model_validate({"email": email, "checked": "Called the employer"})
    write(people.begin_recovery, actor(add_user("Operator")), person.id or 0, asked)


def test_an_address_is_kept_for_a_recovery_that_waits(shop: Shop, stopped_clock: Clock) -> None:
    recover(shop.customer, OTHER)
    with pytest.raises(ConflictError):
        sign_up_as(OTHER)
    stopped_clock.move(hours=73)
    write(maintenance.sweep, clock.now())
    assert user_of(shop.customer.id).email == OTHER


@pytest.mark.parametrize("confirmed", [False, True])
def test_a_recovery_says_why_it_was_stopped(shop: Shop, stopped_clock: Clock, confirmed: bool) -> None:
    recover(shop.customer, OTHER)
    add_user(email=OTHER, email_verified_at=clock.now() if confirmed else None)
    stopped_clock.move(hours=73)
    write(maintenance.sweep, clock.now())
    ended = select(AuditEntry).where(col(AuditEntry.act).in_(["recovery.stopped", "recovery.done"]))
    entry = read(lambda session: session.scalars(ended).one())
    if confirmed:
        assert (entry.act, entry.about) == ("recovery.stopped", "another account has this email by now")
        assert user_of(shop.customer.id).email != OTHER
    else:
        assert (entry.act, user_of(shop.customer.id).email) == ("recovery.done", OTHER)


@pytest.mark.parametrize("how", ["undo", "recovery", "not me"])
def test_what_was_added_since_is_taken_off(shop: Shop, post: Post, stopped_clock: Clock, how: str) -> None:
    old = with_passkey(shop.customer)
    stopped_clock.move(hours=1)
    if how == "recovery":
        recover(shop.customer, OTHER)
    elif how == "undo":
        ask_change(shop.customer)
    thief = token_of(shop.customer)
    turn_on(read(sessions.authenticate, VISITOR, thief))
    token = latest_token(Purpose.NOT_ME)
    new = with_passkey(shop.customer, stepped(shop.customer))
    alter(User, shop.customer.id, verified_phone=shop.customer.phone_number)
    if how == "recovery":
        stopped_clock.move(hours=73)
        write(maintenance.sweep, clock.now())
    elif how == "undo":
        write(emails.undo, VISITOR, LinkUse(token=latest_token(Purpose.UNDO_EMAIL)))
    else:
        write(way_back.not_me, VISITOR, LinkUse(token=token))
        refusal("link_invalid", write, way_back.not_me, VISITOR, LinkUse(token=token))
    assert rows(SecondStep, shop.customer) == 0
    assert user_of(shop.customer.id).verified_phone is None
    assert not is_in(thief)
    for phone in (old, new):
        refusal("unknown_passkey", enter_by, phone)
    assert is_in(enter(shop.customer))


def test_an_older_second_step_and_its_passkeys_stay(shop: Shop, stopped_clock: Clock) -> None:
    turn_on(actor(shop.customer))
    phone = with_passkey(shop.customer, stepped(shop.customer))
    stopped_clock.move(hours=1)
    emails.ask_change(_change(OTHER, PASSWORD), stepped(shop.customer))
    with_passkey(shop.customer, stepped(shop.customer))
    write(emails.undo, VISITOR, LinkUse(token=latest_token(Purpose.UNDO_EMAIL)))
    assert rows(Passkey, shop.customer) == rows(SecondStep, shop.customer) == 1
    assert is_in(enter_by(phone))


def test_each_addition_is_told_with_a_link_that_takes_it_off_for_a_week(
    shop: Shop, post: Post, stopped_clock: Clock
) -> None:
    turn_on(actor(shop.customer))
    with_passkey(shop.customer, stepped(shop.customer))
    number = shop.customer.phone_number
    write(phones.send_code, stepped(shop.customer), Phone(phone=number))
    code = PhoneCode.model_validate({"phone": number} | latest_code(Purpose.VERIFY_PHONE))
    phones.verify(code, stepped(shop.customer))
    sent = letters(post)
    for subject in (STEP_ON, PASSKEY, PHONE):
        to, message = sent[subject]
        text = message.get_body(("plain",)).get_content()
        assert to == shop.customer.email
        assert ("/not-me?token=" in text, "within 7 days" in text) == (True, True), text
    token = latest_token(Purpose.NOT_ME)
    # A new password, which a thief may set, does not end it.
    passwords.change(PasswordChange(current=PASSWORD, password=NEW), stepped(shop.customer))
    stopped_clock.move(days=6, hours=23)
    assert read(proofs.find, Purpose.NOT_ME, token)
    stopped_clock.move(hours=1)
    refusal("link_invalid", write, way_back.not_me, VISITOR, LinkUse(token=token))


def test_sessions_from_before_the_second_step_end_with_it(shop: Shop) -> None:
    before, own = token_of(shop.customer), token_of(shop.customer)
    turn_on(read(sessions.authenticate, VISITOR, own))
    assert (is_in(before), is_in(own)) == (False, True)
    assert read(sessions.authenticate, VISITOR, own).gave_second_step


@pytest.mark.parametrize("what", UNSTEPPED)
def test_a_session_that_gave_no_second_step_changes_nothing_of_it(shop: Shop, what: str) -> None:
    turn_on(actor(shop.customer))
    refusal("give_second_step", UNSTEPPED[what], actor(shop.customer))


def test_a_passkey_takes_the_sessions_along_that_it_opened(shop: Shop) -> None:
    phone, other = with_passkey(shop.customer), with_passkey(shop.customer)
    opened, others, by_password = enter_by(phone), enter_by(other), token_of(shop.customer)
    first = min(view.id for view in read(passkeys.of_account, actor(shop.customer)))
    write(passkeys.remove, actor(shop.customer), first)
    assert [is_in(token) for token in (opened, others, by_password)] == [False, True, True]


def test_the_command_that_takes_a_step_off_ends_what_its_passkeys_opened(shop: Shop) -> None:
    opened = enter_by(with_passkey(shop.customer))
    write(second_step.take_off, at_the_machine(), shop.customer.email)
    assert not is_in(opened)


def press(purpose: Purpose, token: str) -> None:
    use = {Purpose.NOT_ME: way_back.not_me, Purpose.UNDO_EMAIL: emails.undo}[purpose]
    write(use, VISITOR, LinkUse(token=token))


def links(purpose: Purpose, user: User) -> list[str]:
    """Return the secrets of an account's unused links for a purpose, the oldest first."""
    open_ones = select(Proof).where(col(Proof.purpose) == purpose, col(Proof.user_id) == user.id)
    found = read(lambda session: session.scalars(open_ones.order_by(col(Proof.id))).all())
    return [proofs.secret_of(proof) for proof in found if proof.used_at is None]


@pytest.mark.parametrize("how", [Purpose.NOT_ME, Purpose.UNDO_EMAIL])
def test_a_thief_ends_no_way_back_of_the_owner(shop: Shop, stopped_clock: Clock, how: Purpose) -> None:
    mine, undo = taken_over(shop.customer)
    stopped_clock.move(minutes=5)
    if how is Purpose.NOT_ME:
        with_passkey(shop.customer)
    else:
        ask_change(user_of(shop.customer.id), "third@example.com")
    press(how, links(how, shop.customer)[-1])
    with pytest.raises(ConflictError):
        sign_up_as(mine)
    press(Purpose.UNDO_EMAIL, undo)
    assert user_of(shop.customer.id).email == mine


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_ways_back_of_the_owner_work_in_any_order(shop: Shop, stopped_clock: Clock, order: tuple[int, int]) -> None:
    turn_on(actor(shop.customer))
    stopped_clock.move(minutes=5)
    emails.ask_change(_change(OTHER, PASSWORD), stepped(shop.customer))
    emails.confirm(OwnLinkUse(token=latest_token(Purpose.CHANGE_EMAIL)), actor(shop.customer))
    ways = [(each, links(each, shop.customer)[0]) for each in (Purpose.NOT_ME, Purpose.UNDO_EMAIL)]
    for which in order:
        press(*ways[which])
    assert user_of(shop.customer.id).email == shop.customer.email
    assert rows(SecondStep, shop.customer) == 0


def test_a_recovery_goes_on_whoever_says_not_me(shop: Shop, stopped_clock: Clock) -> None:
    with_passkey(shop.customer)
    recover(shop.customer, OTHER)
    press(Purpose.NOT_ME, links(Purpose.NOT_ME, shop.customer)[0])
    stopped_clock.move(hours=73)
    write(maintenance.sweep, clock.now())
    assert user_of(shop.customer.id).email == OTHER


def test_an_address_that_nobody_confirmed_gets_no_way_back(shop: Shop, post: Post) -> None:
    typo = sign_up_as("typo@mail.example")
    emails.ask_change(_change(OTHER, PERSON.password), actor(typo))
    emails.confirm(OwnLinkUse(token=latest_token(Purpose.CHANGE_EMAIL)), actor(typo))
    assert links(Purpose.UNDO_EMAIL, typo) == []
    assert sign_up_as("typo@mail.example").id != typo.id


def test_an_address_changes_back_and_forth(shop: Shop) -> None:
    mine, _ = taken_over(shop.customer)
    ask_change(user_of(shop.customer.id), mine)
    emails.confirm(OwnLinkUse(token=latest_token(Purpose.CHANGE_EMAIL)), actor(shop.customer))
    assert user_of(shop.customer.id).email == mine


def test_not_me_takes_members_calendars_and_devices(shop: Shop, stopped_clock: Clock) -> None:
    old = put(Member(user_id=add_user().id, vendor_id=shop.vendor.id, added_at=clock.now()))
    stopped_clock.move(hours=1)
    turn_on(actor(shop.vendor))
    thief = add_user()
    put(Member(user_id=thief.id, vendor_id=shop.vendor.id, added_at=clock.now()))
    put(IcalFeed(vendor_id=shop.vendor.id, digest="thief", created_at=clock.now()))
    put(KnownDevice(user_id=shop.vendor.id, digest="thief"))
    press(Purpose.NOT_ME, latest_token(Purpose.NOT_ME))
    assert (rows(KnownDevice, shop.vendor), rows(Member, thief)) == (0, 0)
    assert read(lambda session: session.get(Member, old.user_id))
    assert not read(lambda session: session.scalars(select(IcalFeed).where(col(IcalFeed.digest) == "thief")).all())


def test_not_me_takes_calendars_that_a_thief_made_as_a_manager(shop: Shop, stopped_clock: Clock) -> None:
    person = add_user()
    manager = join(shop.vendor, person, MANAGER)
    put(IcalFeed(vendor_id=shop.vendor.id, vehicle_id=shop.vehicle.id, digest="own", made_by=person.id))
    stopped_clock.move(hours=1)
    turn_on(manager)
    put(IcalFeed(vendor_id=shop.vendor.id, digest="thief", made_by=person.id, created_at=clock.now()))
    press(Purpose.NOT_ME, latest_token(Purpose.NOT_ME))
    assert read(lambda session: session.scalars(select(col(IcalFeed.digest))).all()) == ["own"]


def test_not_me_gives_the_number_back(shop: Shop) -> None:
    mine = shop.customer.phone_number
    write(phones.send_code, actor(shop.customer), Phone(phone="9123456789"))
    code = PhoneCode.model_validate({"phone": "9123456789"} | latest_code(Purpose.VERIFY_PHONE))
    phones.verify(code, actor(shop.customer))
    press(Purpose.NOT_ME, latest_token(Purpose.NOT_ME))
    now = user_of(shop.customer.id)
    assert (now.phone_number, now.verified_phone) == (mine, None)


def test_renewed_recovery_codes_are_taken_back(shop: Shop, stopped_clock: Clock) -> None:
    app = turn_on(actor(shop.customer))
    stopped_clock.move(minutes=5)
    renewed = write(second_step.renew_codes, stepped(shop.customer), app.at(clock.now()))
    press(Purpose.NOT_ME, latest_token(Purpose.NOT_ME))
    assert read(second_step.is_on, shop.customer.id)
    assert not write(second_step.takes, shop.customer.id, renewed[0])


@pytest.mark.parametrize("what", ["login", "another password"])
def test_what_was_under_way_with_the_old_password_opens_nothing(
    shop: Shop, post: Post, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    token, checks = link_for(post, shop.customer), "rental_app.services.accounts.login.password_matches"

    def slowly(password: str, stored: str | None) -> bool:
        is_right = password_matches(password, stored)
        monkeypatch.setattr(checks, password_matches)
        reset(token)
        return is_right

    monkeypatch.setattr(checks, slowly)
    if what == "login":
        with pytest.raises(NotAuthenticatedError):
            enter(shop.customer)
    else:
        wanted_one = PasswordChange(current=PASSWORD, password="what a thief would like")
        with pytest.raises(ConflictError):
            passwords.change(wanted_one, actor(shop.customer))
    assert is_in(enter(shop.customer, NEW))


def test_a_changed_password_keeps_what_its_session_was_opened_by(shop: Shop) -> None:
    opened = read(sessions.authenticate, VISITOR, enter_by(with_passkey(shop.customer)))
    goes_on = passwords.change(PasswordChange(current=PASSWORD, password=NEW), opened)
    write(passkeys.remove, actor(shop.customer), read(passkeys.of_account, actor(shop.customer))[0].id)
    assert not is_in(goes_on)
