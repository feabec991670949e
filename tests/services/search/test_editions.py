"""The cached data of the shop matches the database, whoever changed it, and however."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, get_type_hints

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from sqlalchemy import Engine, text
from sqlmodel import Session, SQLModel

from rental_app.domain.errors import ConflictError, RentalError
from rental_app.infrastructure.db import begin, engine, read, write
from rental_app.models import Edition, Listing, ListingInFull, User
from rental_app.schemas.bookings import BookingRequest, StatusChange
from rental_app.schemas.search import PageRequest, PageSearch
from rental_app.services.bookings import requests
from rental_app.services.pricing import quotes
from rental_app.services.search import cache, listings, search
from rental_app.web.screens.vehicles import presenter
from tests.conftest import Clock, _make_engine
from tests.support import machines
from tests.support.shop import VISITOR, Shop, actor, add_vehicle, moment, open_shop, search_for, wanted, wire

# Tables that no cached data is made from.
ELSEWHERE = {
    "not kept": "bank price_plan",
    "asked every time": "booking vehicle_block",
    "the name itself": "edition",
    "only added to, see below": "content_version",
    "of a booking": (
        "booking_event event_photo ledger_entry proposal receipt_number trip_draft trip_photo trip_reading"
    ),
    "of a person": (
        "audit_entry favourite identity_paper identity_paper_file known_device login_session outbox passkey person_note"
        " proof recovery_code remembered_answer second_step"
    ),
    "of a vendor": (
        "change_request commission_payment former_member ical_feed ical_import issued_paper listing_draft member"
        " unclaimed_file vehicle_draft maintenance_entry"
    ),
}
# Changes to everything the shop shows, made behind the product's back.
CHANGES = (
    "UPDATE vehicle SET color = 'Red', odometer_reading = odometer_reading + 1 WHERE id = :car",
    "UPDATE vehicle SET is_active = NOT is_active WHERE id = :car",
    "UPDATE vehicle SET is_approved = NOT is_approved WHERE id = :car",
    "UPDATE vehicle SET insurance_expiry_date = :soon WHERE id = :car",
    "UPDATE vehicle SET image = '/media/photo.jpg' WHERE id = :car",
    "INSERT INTO vehicle_file (vehicle_id, group_name, key, content_type, size, created_at)"
    " VALUES (:car, 'Left', 'public/left' || :car || '.jpg', 'image/jpeg', 1, '2026-01-01') ON CONFLICT DO NOTHING",
    "DELETE FROM vehicle_file WHERE vehicle_id = :car",
    "UPDATE vehicle_price SET price_paise = price_paise + 100 WHERE vehicle_id = :car",
    "UPDATE vehicle_price SET status = CASE status WHEN 'Active' THEN 'Inactive' ELSE 'Active' END"
    " WHERE vehicle_id = :car",
    "INSERT INTO vehicle_price (vehicle_id, price_name, price_paise, kms_limit, status)"
    " VALUES (:car, 'Week', 99000, 0, 'Active') ON CONFLICT DO NOTHING",
    "DELETE FROM vehicle_price WHERE vehicle_id = :car AND price_name = 'Week'",
    "INSERT INTO price_rule (vendor_id, weekday, percent) VALUES (:vendor, 3, 40)",
    "UPDATE price_rule SET percent = percent + 1 WHERE vendor_id = :vendor AND percent < 150",
    "DELETE FROM price_rule WHERE vendor_id = :vendor",
    """UPDATE "user" SET name = name || '.', landmark = 'Behind the tank' WHERE id = :vendor""",
    """UPDATE "user" SET closing_days = '["Sunday"]', delivery_supported = NOT delivery_supported WHERE id = :vendor""",
    "INSERT INTO confirm_at_once VALUES (:vendor, true, false, 0, 20) ON CONFLICT DO NOTHING",
    "UPDATE confirm_at_once SET is_on = NOT is_on WHERE vendor_id = :vendor",
    "DELETE FROM confirm_at_once WHERE vendor_id = :vendor",
    "UPDATE vehicle SET confirms_at_once = NOT COALESCE(confirms_at_once, false) WHERE id = :car",
    """UPDATE "user" SET open_time = '11:00:00.000000' WHERE id = :vendor""",
    """UPDATE "user" SET status = CASE status WHEN 'active' THEN 'blocked' ELSE 'active' END WHERE id = :vendor""",
    "UPDATE asset_model SET mileage = mileage + 1",
    "UPDATE manufacturer SET name = name || '.' WHERE id = 1",
    "UPDATE asset_type SET name = name || '.' WHERE id = 1",
)
Answers = tuple[object, ...]


def edition() -> str:
    return read(lambda session: session.get_one(Edition, 1).name)


def quote(car: int, call: Callable[..., object] = read) -> object:
    """Return what a vehicle costs, or why it cannot be booked."""
    asked = BookingRequest(car=car, pickup=wire(moment(5)), return_at=wire(moment(7)))
    try:
        return call(quotes.quote_for, VISITOR, asked)
    except RentalError as error:
        return error.message


def answers(shop: Shop) -> Answers:
    """Return what everyone sees, as it is sent: the list, a page of it, searches, cards with prices."""
    query = PageSearch(**search_for(shop.place).model_dump())
    return (
        read(listings.written, VISITOR, PageRequest()),
        read(listings.written, VISITOR, PageRequest(limit=2)),
        read(search.answer, VISITOR, search_for(shop.place), PageRequest()),
        read(search.answer, VISITOR, search_for(shop.place, hour=22), PageRequest(limit=1)),
        quote(shop.vehicle.id),
        # As it would be booked.
        quote(shop.vehicle.id, write),
        shown(query),
        shown(PageSearch(location=shop.place.name, text="white")),
    )


def shown(query: PageSearch) -> object:
    """Results without what is said of their hosts' trips and answers, which is kept for the hour."""
    found = read(presenter.results, VISITOR, query)
    cards = [card.model_copy(update={"host_answers": "", "host_trips": ""}) for card in found.cards]
    return found.model_copy(update={"cards": cards})


class Editions(RuleBasedStateMachine):
    """A locality whose two vehicles, vendor and catalogue change behind the product's back, and a clock that moves."""

    clock: Clock
    other: Engine
    names = iter(range(10**9))

    def __init__(self) -> None:
        super().__init__()
        self.shop = open_shop(f"Edition{next(self.names)}")
        self.cars = [self.shop.vehicle, add_vehicle(self.shop.vendor)]
        self.booked: list[int] = []

    @rule(change=st.sampled_from(CHANGES), which=st.integers(0, 1), undone=st.booleans())
    def change(self, change: str, which: int, undone: bool) -> None:
        given = {"car": self.cars[which].id, "vendor": self.shop.vendor.id, "soon": f"{self.clock.instant:%Y-%m-%d}"}
        with self.other.connect() as connection:
            begin(connection, writing=True)
            connection.execute(text(change), {name: given[name] for name in given if f":{name}" in change})
            connection.rollback() if undone else connection.commit()

    @rule(which=st.integers(0, 1), days=st.integers(2, 4))
    def book(self, which: int, days: int) -> None:
        with suppress(RentalError):
            made = write(requests.create, actor(self.shop.customer), wanted(self.cars[which], days))
            self.booked.append(made.id)

    @rule()
    def decline(self) -> None:
        with suppress(RentalError):
            for booking in self.booked:
                write(
                    requests.change_status,
                    actor(self.shop.vendor),
                    StatusChange(booking_id=booking, status="cancelled"),
                )

    @rule()
    def look_while_writing(self) -> None:
        """Uncommitted changes that a transaction sees and rolls back are shown to nobody else."""

        def service(session: Session) -> None:
            session.execute(text("UPDATE vehicle SET color = 'Unseen' WHERE id = :car"), {"car": self.cars[0].id})
            search.answer(session, VISITOR, search_for(self.shop.place), PageRequest())
            raise ConflictError("undone")

        with pytest.raises(ConflictError, match="undone"):
            write(service)

    @rule(hours=st.integers(1, 30))
    def wait(self, hours: int) -> None:
        self.clock.move(hours=hours)

    @invariant()
    def what_is_kept_is_what_is_so(self) -> None:
        kept = answers(self.shop)
        cache._cache = cache.SearchCache("")
        assert kept == answers(self.shop)


@pytest.fixture
def other(database: str) -> Iterator[Engine]:
    """A separate engine, as another process has one."""
    made = _make_engine(engine().url.render_as_string(hide_password=False))
    yield made
    made.dispose()


@pytest.mark.long
@pytest.mark.parametrize("examples", [2, pytest.param(machines.EXAMPLES // 3, marks=pytest.mark.long)])
def test_what_is_kept_is_what_is_so_after_any_change(other: Engine, stopped_clock: Clock, examples: int) -> None:
    Editions.clock, Editions.other = stopped_clock, other
    machines.run(Editions, stopped_clock, examples)


TRIGGERS = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
}


@pytest.mark.databases
def test_every_table_of_the_shop_gives_it_a_new_edition(database: str, kind: str) -> None:
    made = {name: said for name, said in read(lambda session: session.execute(text(TRIGGERS[kind])).all())}
    elsewhere = {table for named in ELSEWHERE.values() for table in named.split()}
    whole = SQLModel.metadata.tables.keys() - elsewhere - {"user"}
    assert {f"tr_{table}_edition_{event}" for table in whole for event in ("insert", "update", "delete")} <= made.keys()
    assert "tr_content_version_edition_insert" in made
    columns = [hint.__metadata__[0] for kind in (Listing, ListingInFull) for hint in hints(kind) if annotated(hint)]
    of_vendors = {column.key for column in columns if getattr(column, "class_", None) is User}
    named = set(made["tr_user_edition_update"].partition(" ON ")[0].replace(",", " ").split())
    assert of_vendors | {"status", "is_deleted"} <= named


def hints(kind: type) -> list[Any]:
    return list(get_type_hints(kind, include_extras=True).values())


def annotated(hint: Any) -> bool:
    return hasattr(hint, "__metadata__")


def test_what_does_not_concern_the_shop_leaves_its_edition_alone(shop: Shop) -> None:
    before = edition()
    write(requests.create, actor(shop.customer), wanted(shop.vehicle))
    write(lambda session: session.execute(text("""UPDATE "user" SET last_login_from = 'elsewhere'""")))
    assert edition() == before
