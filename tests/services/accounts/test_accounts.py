"""Accounts: passwords and the time they take, sessions, profiles."""

import statistics
import time

import bcrypt
import pytest
from sqlmodel import col, select

from rental_app.domain import clock
from rental_app.domain.errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    NotAuthenticatedError,
    NotFoundError,
)
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.security import hash_password, password_matches
from rental_app.models import LoginSession, User, Vehicle
from rental_app.schemas.accounts import ProfileUpdate, Registration
from rental_app.schemas.people import as_signed_up
from rental_app.schemas.sign_in import Credentials
from rental_app.services.accounts import login, sessions, sign_up
from rental_app.services.accounts import profile as accounts_profile
from tests.support.accounts import LONGEST, PERSON, user_of
from tests.support.booking_steps import alter
from tests.support.rows import each
from tests.support.shop import (
    PASSWORD,
    PASSWORD_HASH,
    VISITOR,
    Shop,
    actor,
    add_place,
    add_user,
    add_vehicle,
    count,
    token_of,
)


def sign_in(email: str, password: str = PASSWORD) -> str:
    return login.sign_in(Credentials(email=email, password=password), VISITOR)


def profile(**changes: object) -> ProfileUpdate:
    return ProfileUpdate.model_validate({"address": "1 Test Road", "zipCode": "500032", "city": "Hyderabad"} | changes)


@each("email", ["A1@xn--bcher-kva.de", "e\u0301ric@example.com", " Asha@Example.com "])
def test_however_an_email_is_written_it_opens_the_account_it_made(database: str, email: str) -> None:
    sign_up.register(Registration.model_validate(PERSON.model_dump(by_alias=True) | {"email": email}), VISITOR)
    assert sign_in(email, LONGEST)


def test_registering_makes_an_account_with_a_hash(database: str) -> None:
    before = count("user")
    token = sign_up.register(PERSON, VISITOR)
    made = user_of(read(sessions.authenticate, VISITOR, token).id)
    assert (made.email, made.role, made.county) == ("new@example.com", "Customer", "Hyderabad")
    assert made.password_hash.startswith("$2b$")
    assert PERSON.password not in made.password_hash
    with pytest.raises(ConflictError):
        sign_up.register(PERSON, VISITOR)
    assert count("user") == before + 1
    assert sign_in(" NEW@Example.com ", LONGEST)
    with pytest.raises(NotAuthenticatedError):
        sign_in("new@example.com", f"{LONGEST}x")


@pytest.mark.databases
def test_a_registration_that_comes_second_is_refused(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """When two registrations look for the e-mail before either is stored, the database refuses the second."""
    monkeypatch.setattr(sign_up, "refuse_known_email", lambda *_: None)
    before = count("user")
    with pytest.raises(ConflictError, match="already exists"):
        sign_up.register(PERSON.model_copy(update={"email": shop.customer.email}), VISITOR)
    assert count("user") == before


@pytest.mark.long
@pytest.mark.usefixtures("decided_cost")
def test_unknown_e_mail_and_wrong_password_get_the_same_answer_in_the_same_time(database: str) -> None:
    known_email = add_user(password_hash=hash_password(PASSWORD)).email
    spent: dict[str, list[float]] = {known_email: [], "nobody@example.com": []}
    password_matches("warm up", None)
    refusals = set()
    for _ in range(3):
        for email, times in spent.items():
            # The thread's own CPU time, which leaves out whatever else the machine does meanwhile.
            start = time.thread_time()
            with pytest.raises(NotAuthenticatedError) as refused:
                sign_in(email, "wrong password")
            times.append(time.thread_time() - start)
            refusals.add((refused.value.message, refused.value.code, refused.value.status))
    assert len(refusals) == 1
    known, unknown = (statistics.median(times) for times in spent.values())
    assert known == pytest.approx(unknown, rel=0.25)
    assert known > 0.05


def test_blocked_and_deleted_accounts_do_not_open(database: str) -> None:
    blocked, deleted = add_user(status="blocked"), add_user(is_deleted=True)
    before = count("login_session")
    with pytest.raises(ForbiddenError, match="blocked"):
        sign_in(blocked.email)
    for email, password in ((blocked.email, "wrong"), (deleted.email, PASSWORD)):
        with pytest.raises(NotAuthenticatedError):
            sign_in(email, password)
    assert count("login_session") == before


@pytest.mark.parametrize("password", ["", "a\x00b", "\u20b9" * 25, "x" * 1000])
def test_strange_passwords_are_just_wrong(password: str) -> None:
    assert not password_matches(password, PASSWORD_HASH)
    assert not password_matches(password, None)


def test_logging_out_is_for_one_session_or_all(shop: Shop) -> None:
    first, second, third = (read(sessions.authenticate, VISITOR, token_of(shop.customer)) for _ in range(3))
    other = read(sessions.authenticate, VISITOR, token_of(shop.vendor))
    write(sessions.sign_out, first)
    both = (shop.customer.id, shop.vendor.id)
    live = select(LoginSession.jti).where(col(LoginSession.revoked_at).is_(None), col(LoginSession.user_id).in_(both))
    assert set(read(lambda session: session.exec(live).all())) == {second.jti, third.jti, other.jti}
    write(sessions.sign_out_everywhere, second)
    assert read(lambda session: session.exec(live).all()) == [other.jti]


def test_a_profile_changes_in_its_editable_fields(shop: Shop) -> None:
    form = profile(
        zipCode="500081",
        open_time="07:30 AM",
        close_time="11:30 PM",
        closing_days="sunday,Monday",
        delivery_supported=True,
        website="https://example.com/a?b=c",
        no_of_staff="4",
        notes="One\nTwo",
    )
    write(accounts_profile.update_profile, actor(shop.vendor), form)
    saved = read(accounts_profile.profile, actor(shop.vendor))
    assert (saved.pincode, saved.state) == ("500081", "Telangana")
    assert (f"{saved.open_time:%H:%M}", f"{saved.close_time:%H:%M}") == ("07:30", "23:30")
    assert (saved.closing_days, saved.no_of_staff, saved.notes) == (["Monday", "Sunday"], 4, "One\nTwo")
    write(accounts_profile.update_profile, actor(shop.vendor), profile(open_time="", close_time=None))
    assert read(accounts_profile.profile, actor(shop.vendor)).open_time is None


def test_a_client_that_knows_of_no_upi_id_leaves_it_alone(shop: Shop) -> None:
    for form, left in ((profile(upi_id="Shop@Bank"), "shop@bank"), (profile(), "shop@bank"), (profile(upi_id=""), "")):
        write(accounts_profile.update_profile, actor(shop.vendor), form)
        assert read(accounts_profile.profile, actor(shop.vendor)).upi_id == left


@each("hours", [("08:00 PM", "09:00 AM"), ("09:00 PM", ""), ("", "08:30 AM"), ("09:00 AM", "09:00 AM")])
def test_reversed_hours_are_refused(shop: Shop, hours: tuple[str, str]) -> None:
    with pytest.raises(InvalidInputError) as refused:
        write(accounts_profile.update_profile, actor(shop.vendor), profile(open_time=hours[0], close_time=hours[1]))
    assert list(refused.value.fields) == ["close_time"]
    assert user_of(shop.vendor.id).open_time is None


def test_vehicles_move_with_their_vendor_but_for_those_elsewhere(shop: Shop) -> None:
    branch, new = add_place("Branchpur"), add_place("Newpur")
    elsewhere = add_vehicle(shop.vendor, location_id=branch.id)
    yard = add_vehicle(shop.vendor, address="Yard 7", zip_code="500039")
    stranger = add_vehicle(add_user("Vendor", location_id=shop.place.id))
    write(accounts_profile.update_profile, actor(shop.vendor), profile(service_location="Newpur"))
    places = {row.id: row.location_id for row in read(lambda session: session.exec(select(Vehicle)).all())}
    assert places[shop.vehicle.id] == new.id
    assert (places[elsewhere.id], places[stranger.id], places[yard.id]) == (branch.id, shop.place.id, shop.place.id)
    assert read(accounts_profile.profile, actor(shop.vendor)).service_location == "Newpur"
    write(accounts_profile.update_profile, actor(shop.vendor), profile())
    assert read(accounts_profile.profile, actor(shop.vendor)).service_location == "Newpur"


def test_the_clock_of_an_account_is_indian(shop: Shop) -> None:
    shown = read(accounts_profile.profile, actor(shop.vendor)).created_at
    assert shown == clock.indian(shop.vendor.created_at).isoformat(timespec="seconds")


COMPOSED, APART = "Zo\u00eb and Ren\u00e9 ride home", "Zoe\u0308 and Rene\u0301 ride home"


@each(("chosen", "typed"), [(COMPOSED, APART), (APART, COMPOSED), (APART, APART)])
def test_a_password_is_the_same_on_every_device(database: str, chosen: str, typed: str) -> None:
    email = f"new{count('user')}@example.com"
    sign_up.register(PERSON.model_copy(update={"email": email, "password": chosen}), VISITOR)
    assert sign_in(email, typed)


def test_a_password_of_an_earlier_version_still_opens_its_account_and_is_hashed_anew(database: str) -> None:
    old = bcrypt.hashpw(APART.encode(), bcrypt.gensalt(4)).decode()
    person = add_user(password_hash=old)
    with pytest.raises(NotAuthenticatedError):
        sign_in(person.email, COMPOSED)
    assert user_of(person.id).password_hash == old
    assert sign_in(person.email, APART)
    new = user_of(person.id).password_hash
    assert password_matches(COMPOSED, new)
    assert sign_in(person.email, COMPOSED)
    assert user_of(person.id).password_hash == new


def test_an_account_whose_domain_was_stored_in_its_own_script_still_opens(database: str) -> None:
    add_user(email="asha@b\u00fccher.example.de")
    assert sign_in("Asha@xn--bcher-kva.example.de")
    assert sign_in("asha@b\u00fccher.example.de")
    with pytest.raises(ConflictError, match="already exists"):
        read(sign_up.refuse_known_email, as_signed_up("asha@b\u00fccher.example.de"))


NEW_OFFICE = {"pincode": "509999", "city": "Naya Nagar", "state": "Telangana", "county": "Narayanpet"}


def test_a_pincode_that_nobody_knows_turns_no_newcomer_away(database: str) -> None:
    asked = PERSON.model_dump(by_alias=True) | NEW_OFFICE
    sign_up.register(Registration.model_validate(asked), VISITOR)
    made = read(lambda session: session.exec(select(User).where(User.email == PERSON.email)).one())
    assert (made.zip_code, made.city, made.state, made.county) == tuple(NEW_OFFICE.values())
    for part in ("state", "county"):
        with pytest.raises(NotFoundError, match="There is no place with the pincode 509999"):
            sign_up.register(Registration.model_validate(asked | {"email": "b@example.com", part: " "}), VISITOR)


def test_state_and_district_of_a_known_pincode_are_those_of_the_post(database: str) -> None:
    asked = PERSON.model_dump(by_alias=True) | {"state": "Kerala", "county": "Ernakulam"}
    sign_up.register(Registration.model_validate(asked), VISITOR)
    made = read(lambda session: session.exec(select(User).where(User.email == PERSON.email)).one())
    assert (made.state, made.county == "Ernakulam") == ("Telangana", False)


def test_a_vendor_moves_to_a_pincode_that_nobody_knows(shop: Shop) -> None:
    alter(User, shop.vendor.id, state="Telangana", county="Hyderabad")
    moved = {"zipCode": "509999", "state": "Telangana", "county": "Narayanpet"}
    # Without state and district, or with those of the pincode before, which clients send back with the whole profile.
    for changes in ({"zipCode": "509999"}, moved | {"county": "Hyderabad"}):
        with pytest.raises(InvalidInputError) as refused:
            write(accounts_profile.update_profile, actor(shop.vendor), profile(**changes))
        assert list(refused.value.fields) == ["zipCode"]
    assert user_of(shop.vendor.id).zip_code == shop.vendor.zip_code
    write(accounts_profile.update_profile, actor(shop.vendor), profile(**moved))
    # Afterwards it blocks nothing else.
    write(accounts_profile.update_profile, actor(shop.vendor), profile(zipCode="509999", notes="New"))
    write(accounts_profile.update_profile, actor(shop.vendor), profile(**moved, notes="Newer"))
    kept = user_of(shop.vendor.id)
    assert (kept.zip_code, kept.state, kept.county, kept.notes) == (*moved.values(), "Newer")


def test_whoever_types_the_same_state_and_district_again_moves_too(shop: Shop) -> None:
    alter(User, shop.vendor.id, state="Telangana", county="Hyderabad")
    again = profile(zipCode="509999", state="Telangana", county="Hyderabad")
    write(lambda session: accounts_profile.update_profile(session, actor(shop.vendor), again, typed=True))
    assert user_of(shop.vendor.id).zip_code == "509999"
