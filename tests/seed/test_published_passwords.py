"""Production and the demo's published password."""

import secrets

import pytest
from sqlmodel import Session, col, func, select, update

from rental_app import serve
from rental_app.domain.errors import NotAuthenticatedError
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import AssetModel, Bank, Booking, Location, Offer, PricePlan, User, Vehicle
from rental_app.schemas.sign_in import Credentials
from rental_app.seed import seed_if_empty
from rental_app.seed.people import (
    CUSTOMER_EMAIL,
    DEMO_PASSWORD,
    VENDOR_EMAIL,
    block_published_accounts,
    published_accounts,
)
from rental_app.services.accounts import login, sessions
from rental_app.services.search import listings
from rental_app.services.throttle import Caller
from tests.conftest import forget
from tests.support.environment import PRODUCTION
from tests.support.shop import PASSWORD_HASH

CALLER = Caller("here")


@pytest.fixture
def production(monkeypatch: pytest.MonkeyPatch, database: str) -> pytest.MonkeyPatch:
    """Use the settings of production."""
    for name, value in PRODUCTION.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("RENTAL_SECRET_KEY", secrets.token_hex(32))
    settings.cache_clear()
    return monkeypatch


def count(table: type) -> int:
    return read(lambda session: session.exec(select(func.count()).select_from(table)).one())


def use_empty_database(patch: pytest.MonkeyPatch) -> None:
    patch.setenv("RENTAL_DATABASE_URL", f"sqlite:///{settings().data_dir / 'empty.db'}")
    forget()


def test_a_new_production_database_has_the_catalogue_and_nobody(production: pytest.MonkeyPatch) -> None:
    use_empty_database(production)
    assert serve.prepare_database()
    assert [count(table) for table in (User, Vehicle, Booking, Offer)] == [0, 0, 0, 0]
    assert (count(Location), count(AssetModel), count(PricePlan)) == (12, 77, 4 * 77)
    assert count(Bank) > 30
    serve.refuse_published_passwords()
    assert not serve.prepare_database()


@pytest.mark.long
def test_the_demo_comes_to_production_when_asked_for(production: pytest.MonkeyPatch) -> None:
    production.setenv("RENTAL_DEMO_DATA_WITH_PUBLISHED_PASSWORDS", "on")
    use_empty_database(production)
    assert serve.prepare_database()
    # With one that is retired.
    assert count(Vehicle) == 61
    serve.refuse_published_passwords()


def test_an_older_production_database_with_demo_accounts_refuses_to_start(production: pytest.MonkeyPatch) -> None:
    assert not seed_if_empty()
    with pytest.raises(SystemExit, match="block-demo-accounts") as refusal:
        serve.refuse_published_passwords()
    assert CUSTOMER_EMAIL in str(refusal.value)
    assert VENDOR_EMAIL in str(refusal.value)


def test_blocked_demo_accounts_let_nobody_in_and_offer_nothing(production: pytest.MonkeyPatch) -> None:
    token = login.sign_in(Credentials(email=CUSTOMER_EMAIL, password=DEMO_PASSWORD), CALLER)
    assert set(block_published_accounts()) >= {CUSTOMER_EMAIL, VENDOR_EMAIL}
    assert published_accounts() == []
    serve.refuse_published_passwords()
    for email in (CUSTOMER_EMAIL, VENDOR_EMAIL):
        with pytest.raises(NotAuthenticatedError):
            login.sign_in(Credentials(email=email, password=DEMO_PASSWORD), CALLER)
    with pytest.raises(NotAuthenticatedError):
        read(sessions.authenticate, CALLER, token)
    assert not read(listings.listed, CALLER).vehicles


def test_an_account_of_that_name_with_its_own_password_is_fine(production: pytest.MonkeyPatch) -> None:
    write(_set_password, PASSWORD_HASH)
    assert published_accounts() == []


def _set_password(session: Session, password_hash: str) -> None:
    session.execute(update(User).where(col(User.id) > 0).values(password_hash=password_hash))


def test_a_blocked_demo_vendor_with_trips_under_way_still_has_a_published_password(
    production: pytest.MonkeyPatch,
) -> None:
    """Blocked by an earlier version, which left them the password; they may log in to finish trips."""
    vendors = select(Booking.vehicle_id).where(Booking.stage == "out")
    owner = select(User.id).join(Vehicle, col(Vehicle.vendor_id) == User.id).where(col(Vehicle.id).in_(vendors))
    write(lambda session: session.execute(update(User).values(status="blocked")))
    left = read(lambda session: session.exec(select(User.email).where(col(User.id).in_(owner))).all())
    assert left
    assert set(left) <= set(published_accounts())
    with pytest.raises(SystemExit, match="block-demo-accounts"):
        serve.refuse_published_passwords()


def test_manual_approval_without_an_operator_is_said_at_the_start(
    production: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    production.setenv("RENTAL_LISTING_APPROVAL", "manual")
    forget()
    serve.warn_without_operator()
    assert capsys.readouterr().out == ""
    write(lambda session: session.execute(update(User).values(role="Customer").where(col(User.role) == "Operator")))
    serve.warn_without_operator()
    assert "there is no operator" in capsys.readouterr().out
