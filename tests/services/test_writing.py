"""Transactions of services that write, when several threads call them at once."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlmodel import Session

from rental_app.domain.errors import ConflictError, ReadOnlyError, UnavailableError
from rental_app.infrastructure import db
from rental_app.infrastructure.settings import settings
from rental_app.models import User
from rental_app.schemas.operating import ReadOnlyRequest
from rental_app.services.accounts.actor import at_the_machine
from rental_app.services.operating import read_only
from tests.support.grouped_calls import SECONDS, wait_for_calls
from tests.support.shop import Shop
from tests.support.vendor_requests import book

Service = Callable[[Session], int]


class Names:
    """Services that change the name of a shop's people, called while another one writes."""

    def __init__(self, shop: Shop) -> None:
        self.people = [shop.vendor.id, shop.customer.id]
        self._begun, self._may_end = threading.Event(), threading.Event()

    def _wait(self) -> None:
        self._begun.set()
        assert self._may_end.wait(SECONDS)

    def together(self, *services: Service) -> list[Future[int]]:
        """Call services at once: on SQLite all of them wait for the one that writes, and share the next transaction."""
        with ThreadPoolExecutor(len(services) + 1) as threads:
            threads.submit(db.write, db.even_if_read_only(lambda _: self._wait()))
            assert self._begun.wait(SECONDS)
            calls = [threads.submit(db.write, service) for service in services]
            if settings().is_sqlite:
                wait_for_calls(db._grouped_writes, len(services))
            self._may_end.set()
        return calls

    def stored(self) -> list[str]:
        """The names as they are stored now."""
        return db.read(lambda session: [session.get_one(User, each).name for each in self.people])


@pytest.fixture
def names(shop: Shop) -> Names:
    """The shop's people."""
    return Names(shop)


def renaming(person: int, name: str, error: Exception | None = None) -> Service:
    """A service that changes a name, and then raises an error if it is given one."""

    def rename(session: Session) -> int:
        session.get_one(User, person).name = name
        session.flush()
        if error:
            raise error
        return person

    return rename


def test_a_service_that_fails_leaves_no_trace_and_the_others_keep_theirs(names: Names) -> None:
    vendor, customer = names.people
    before = names.stored()
    refused, done = names.together(renaming(vendor, "Nobody", ConflictError("no")), renaming(customer, "Sita Rao"))
    assert isinstance(refused.exception(), ConflictError)
    assert done.result() == customer
    assert names.stored() == [before[0], "Sita Rao"]


@pytest.mark.databases
def test_what_the_database_refuses_is_that_services_own_failure(names: Names) -> None:
    vendor, customer = names.people

    def refused(session: Session) -> int:
        session.connection().execute(text('INSERT INTO "user" SELECT * FROM "user"'))
        return 0

    first, broken, last = names.together(renaming(vendor, "Asha"), refused, renaming(customer, "Ravi"))
    assert isinstance(broken.exception(), IntegrityError)
    assert (first.result(), last.result()) == (vendor, customer)
    assert names.stored() == ["Asha", "Ravi"]


@pytest.mark.databases
@pytest.mark.parametrize(
    ("refused", "name"),
    [
        ("UPDATE \"user\" SET email = 'same@example.com'", "uq_user_email"),
        ("UPDATE booking SET follows_id = 7", "ix_booking_follows_id"),
        ("UPDATE booking SET pickup_at = '2027-01-04 10:00', return_at = '2027-01-05 10:00'", "ex_booking_no_overlap"),
        ("UPDATE vehicle_price SET price_name = 'Week'", "uq_vehicle_price_vehicle_id_price_name"),
        ("UPDATE vehicle SET vendor_id = 0", None),
    ],
)
def test_what_refused_has_one_name_on_both_databases(shop: Shop, refused: str, name: str | None) -> None:
    for days in (3, 9):
        book(shop, days)
    with pytest.raises(IntegrityError) as error:
        db.write(lambda session: session.connection().execute(text(refused)))
    assert db.violated(error.value) == name


def test_what_counts_is_told_after_the_commit_and_only_of_what_was_done(names: Names) -> None:
    vendor, customer = names.people
    told: list[list[str]] = []

    def telling(service: Service) -> Service:
        def tells(session: Session) -> int:
            db.on_commit(session, lambda: told.append(names.stored()))
            return service(session)

        return tells

    refused = telling(renaming(vendor, "Nobody", ConflictError("no")))
    names.together(refused, telling(renaming(customer, "Sita Rao")))
    assert [customer_name for _, customer_name in told] == ["Sita Rao"]


def test_a_read_only_shop_refuses_all_but_what_may_write_even_then(names: Names) -> None:
    vendor, customer = names.people
    db.write(read_only.switch, at_the_machine(), ReadOnlyRequest(on=True, message="Moving house"))
    exempt = db.even_if_read_only(renaming(customer, "Sita Rao"))
    refused, done = names.together(renaming(vendor, "Nobody"), exempt)
    assert isinstance(refused.exception(), ReadOnlyError)
    assert done.result() == customer


@pytest.mark.databases
def test_a_fault_of_the_database_reaches_all_who_share_its_transaction(names: Names) -> None:
    before, fault = names.stored(), OperationalError("INSERT", {}, Exception("disk I/O error"))
    services = [renaming(person, "Nobody") for person in names.people]
    *others, faulty = names.together(*services, renaming(names.people[0], "Nobody", fault))
    assert isinstance(faulty.exception(), UnavailableError)
    if settings().is_sqlite:
        assert [type(each.exception()) for each in others] == [UnavailableError] * 2
        assert names.stored() == before
    else:
        assert [each.result() for each in others] == names.people
