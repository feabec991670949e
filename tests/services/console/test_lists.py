"""The console's tables: every order in pages, every filter, search, files, and for operators alone."""

import base64
import contextlib
import csv
import io
import itertools
from dataclasses import replace
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.errors import ForbiddenError, InvalidInputError, NotFoundError, RentalError
from rental_app.domain.ids import read_id
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import AssetModel, AssetType, AuditEntry, Manufacturer
from rental_app.schemas.operating import Blocking
from rental_app.services.accounts import sessions
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import acts, lists, tables
from rental_app.services.console.lists import ListQuery
from rental_app.services.console.table import Decision, RowStanding
from rental_app.services.console.tables.money import row_id
from rental_app.services.operating import people
from rental_app.services.throttle import Caller
from tests.support.console import acting, add_given_up, add_request, operator, pages_of
from tests.support.rows import each
from tests.support.shop import VISITOR, Shop, actor, add_user, add_vehicle, count, put, token_of

NAMES = sorted(tables.TABLES)


@pytest.fixture
def filled(shop: Shop) -> Actor:
    """A shop with something of most kinds, and an operator to look at it."""
    add_request(shop)
    add_given_up(shop)
    put(AuditEntry(act="login.done", user_id=shop.customer.id, role="Customer", subject="user", subject_id=1))
    return acting()


@pytest.mark.long
@each("name", NAMES)
def test_every_order_leads_through_all_rows_once_and_back(name: str, filled: Actor) -> None:
    sortable = [column.name for column in tables.named(name).columns if column.sortable]
    for sort in (*sortable, *(f"-{column}" for column in sortable)):

        def page(cursor: str, sort: str = sort) -> Any:
            return read(lists.page, filled, name, ListQuery(sort=sort, limit=11, cursor=cursor))

        pages = list(pages_of(page))
        ids = [row.id for each in pages for row in each.rows]
        assert len(ids) == len(set(ids)) == pages[0].whole, sort
        for earlier, later in itertools.pairwise(pages):
            back = page(later.back)
            assert (back.rows, back.first) == (earlier.rows, earlier.first)
        assert pages[0].back == pages[-1].next == ""


@each("name", NAMES)
def test_every_filter_and_row_can_be_asked_for(name: str, filled: Actor) -> None:
    table = tables.named(name)
    for chosen in table.filters:
        for value in [option.value for option in chosen.options] or ["1"]:
            found = read(lists.page, filled, name, ListQuery(filters={chosen.name: value}))
            assert found.total <= found.whole
    for row in read(lists.page, filled, name, ListQuery(limit=3)).rows:
        told = read(lists.one, filled, name, row.id)
        assert set(told.values) == {column.name for column in table.columns}
        states = [column for column in table.columns if column.kind == "state"]
        assert all(isinstance(told.values[column.name], RowStanding) for column in states)


@pytest.mark.databases
def test_what_only_forms_hold_stands_in_no_list() -> None:
    for name in tables.TABLES:
        assert [column.name for column in tables.named(name).columns if column.listed and not column.detailed] == [], (
            name
        )


def test_the_filters_of_a_state_agree_with_its_words(filled: Actor) -> None:
    for name in NAMES:
        table = tables.named(name)
        for chosen in table.filters:
            if chosen.name == "state":
                for option in chosen.options:
                    rows = read(lists.page, filled, name, ListQuery(filters={"state": option.value})).rows
                    assert {row.values[table.state].label for row in rows} <= {option.label}, name


def test_a_blocked_vendors_listings_are_not_said_to_be_shown(shop: Shop) -> None:
    who, off = acting(), add_vehicle(shop.vendor, is_active=False)

    def found(state: str, q: str = "") -> set[int]:
        mine = {"state": state, "vendor": str(shop.vendor.id)}
        return {row.id for row in read(lists.page, who, "listings", ListQuery(q=q, filters=mine)).rows}

    assert (found("shown", shop.vendor.name), found("blocked")) == ({shop.vehicle.id}, set())
    write(people.block, who, shop.vendor.id or 0, Blocking(reason="Forged papers"))
    assert (found("shown"), found("blocked"), found("off")) == (set(), {shop.vehicle.id}, {off.id})
    assert found("blocked", shop.vendor.name) == {shop.vehicle.id}
    assert read(lists.one, who, "listings", shop.vehicle.id or 0).values["state"].label == "Vendor blocked"


@pytest.mark.databases
def test_a_search_finds_people_by_name_email_and_mobile_however_it_is_written(shop: Shop) -> None:
    operator_actor, customer = acting(), shop.customer
    number = customer.phone_number
    for q in (customer.name, customer.email.upper(), number, f"+91 {number[:5]} {number[5:]}"):
        assert [row.id for row in read(lists.page, operator_actor, "people", ListQuery(q=q)).rows] == [customer.id]
    found = read(lists.page, operator_actor, "people", ListQuery(q=customer.name, filters={"role": "vendor"}))
    assert (found.total, found.rows, found.without) == (0, [], {"role": 1, "q": 7})


@pytest.mark.parametrize(("name", "filter_name"), [("listings", "type"), ("models", "kind"), ("manufacturers", "type")])
def test_a_filter_offers_the_types_that_operators_add_and_rename(name: str, filter_name: str, shop: Shop) -> None:
    who = acting()
    maker = put(Manufacturer(name="Lovson", asset_type_id=put(AssetType(name="E-Rickshaw")).id or 0))
    car = read(lambda session: session.get_one(AssetModel, shop.vehicle.model_id)).model_dump(exclude={"id"})
    model = put(AssetModel(**car | {"manufacturer_id": maker.id, "name": "Jet"}))
    vehicle = add_vehicle(shop.vendor, model_id=model.id)
    made = {"listings": vehicle.id, "models": model.id, "manufacturers": maker.id}[name]

    def found(value: str) -> list[int]:
        return [row.id for row in read(lists.page, who, name, ListQuery(filters={filter_name: value})).rows]

    assert (str(maker.asset_type_id), "E-Rickshaw") in read(lists.choices, who, name)[filter_name]
    assert found(str(maker.asset_type_id)) == found("e-rickshaw") == [made]
    write(lambda session: setattr(session.get_one(AssetType, maker.asset_type_id), "name", "Tuk-tuk"))
    assert found(str(maker.asset_type_id)) == found("TUK-TUK") == [made]
    with pytest.raises(InvalidInputError, match="Tuk-tuk") as refused:
        found("e-rickshaw")
    assert (refused.value.code, [*refused.value.fields]) == ("bad_filter", [filter_name])
    assert made not in found("scooter")
    assert found("999") == []


def test_rows_belong_to_whose_they_are(shop: Shop) -> None:
    found = read(lists.page, acting(), "listings", ListQuery(filters={"vendor": str(shop.vendor.id)}))
    assert [row.id for row in found.rows] == [shop.vehicle.id]
    assert found.total == 1


@each(
    "wanted",
    [
        ListQuery(sort="password_hash"),
        ListQuery(sort="bookings"),
        ListQuery(filters={"state": "' OR 1=1 --"}),
        ListQuery(filters={"password_hash": "x"}),
        ListQuery(cursor="nonsense"),
        ListQuery(sort="email", cursor=lists.Cursor("name", False, 0, 1).text),
        ListQuery(cursor=lists.Cursor("name", False, -1, 1).text),
        ListQuery(cursor=lists.Cursor("name", False, 0, 10**18).text),
    ],
)
def test_what_a_table_does_not_have_is_refused_by_name(wanted: ListQuery, database: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        read(lists.page, acting(), "people", wanted)
    assert refused.value.fields.keys() <= {"sort", "state", "password_hash", "cursor"}


@given(text=st.text(max_size=200) | st.binary(max_size=200).map(lambda part: base64.urlsafe_b64encode(part).decode()))
def test_any_text_as_a_cursor_is_refused_or_one(text: str) -> None:
    with contextlib.suppress(InvalidInputError):
        lists._cursor(text, "name")


def test_a_cursor_of_an_older_page_goes_on_and_one_at_a_row_that_is_gone_begins_again(shop: Shop) -> None:
    who, wanted = acting(), ListQuery(limit=2)
    first = read(lists.page, who, "people", wanted)
    last = first.rows[-1]
    older = base64.urlsafe_b64encode(orjson.dumps(["name", False, 2, last.values["name"], last.id])).decode()
    assert read(lists.page, who, "people", replace(wanted, cursor=older)) == read(
        lists.page, who, "people", replace(wanted, cursor=first.next)
    )
    gone = lists.Cursor("name", False, 2, 10**9).text
    assert read(lists.page, who, "people", replace(wanted, cursor=gone)) == first


def test_an_unknown_table_or_row_is_not_there(database: str) -> None:
    who = acting()
    with pytest.raises(NotFoundError, match="no such list"):
        read(lists.page, who, "login_session", ListQuery())
    with pytest.raises(NotFoundError, match="no such person"):
        read(lists.one, who, "people", 10**6)


@each("role", ["Customer", "Vendor"])
def test_nobody_else_reads_anything(role: str, database: str) -> None:
    who = actor(add_user(role))
    for service in (lists.page, lists.as_csv):
        with pytest.raises(ForbiddenError, match="Only operators"):
            write(service, who, "people", ListQuery())
    with pytest.raises(ForbiddenError, match="Only operators"):
        read(lists.one, who, "people", 1)
    assert count("audit_entry") == 0


def test_in_production_a_session_without_a_second_step_is_refused(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = operator()
    monkeypatch.setattr(settings(), "env", "production")

    def seen(token: str) -> object:
        return read(lists.page, read(sessions.authenticate, VISITOR, token), "people", ListQuery())

    with pytest.raises(ForbiddenError) as refused:
        seen(token_of(user))
    assert refused.value.code == "second_step_required"
    stepped = write(lambda session: sessions.open_session(session, user.id or 0, stepped_at=clock.now()))
    assert seen(stepped)


def test_an_operators_session_ends_after_twelve_hours_and_nobody_elses(shop: Shop, stopped_clock: Any) -> None:
    tokens = [token_of(operator()), token_of(shop.customer)]
    stopped_clock.move(hours=11, minutes=59)
    assert all(read(sessions.authenticate, Caller("198.51.100.9"), token) for token in tokens)
    stopped_clock.move(minutes=1)
    with pytest.raises(RentalError, match="log in again"):
        read(sessions.authenticate, VISITOR, tokens[0])
    assert read(sessions.authenticate, VISITOR, tokens[1])


def test_a_file_has_exactly_the_rows_found_without_formulas_and_the_trail_says_who_took_it(shop: Shop) -> None:
    evil = add_user(name='=HYPERLINK("http://x","y")')
    who = acting()
    body = write(lists.as_csv, who, "people", ListQuery(filters={"role": "customer"}, sort="-name"))
    head, *rows = csv.reader(io.StringIO(body.decode("utf-8-sig")))
    found = read(lists.page, who, "people", ListQuery(filters={"role": "customer"}, sort="-name", limit=100))
    assert [int(row[0]) for row in rows] == [row.id for row in found.rows]
    assert head[:3] == ["id", "Name", "E-mail"]
    assert next(row[1] for row in rows if int(row[0]) == evil.id).startswith("'=")
    entry = read(lambda session: session.scalars(select(AuditEntry)).one())
    assert (entry.act, entry.user_id, entry.about) == ("operator.exported", who.id, "people")
    assert entry.after == f'{{"q":"","role":"customer","rows":{len(rows)}}}'


def test_the_trail_shows_the_end_of_what_was_searched_for(filled: Actor) -> None:
    write(lists.as_csv, filled, "people", ListQuery(q="9000001002"))
    entry = read(lambda session: session.scalars(select(AuditEntry).order_by(col(AuditEntry.id).desc())).first())
    assert entry is not None
    assert entry.after.startswith('{"q":"...1002"')


def test_more_rows_than_a_file_takes_are_refused_and_leave_no_entry(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = acting()
    whole = read(lists.page, who, "people", ListQuery()).whole
    monkeypatch.setattr(lists, "MOST_IN_A_FILE", whole)
    write(lists.as_csv, who, "people", ListQuery())
    monkeypatch.setattr(lists, "MOST_IN_A_FILE", whole - 1)
    with pytest.raises(InvalidInputError) as refused:
        write(lists.as_csv, who, "people", ListQuery())
    assert refused.value.code == "too_many_rows"
    assert count("audit_entry") == 1


def test_a_vendors_month_has_an_id_that_pages_can_ask_for(filled: Actor) -> None:
    assert read_id(str(row_id(200_000, 209912)))
    owing = read(lists.page, filled, "money", ListQuery(filters={"state": "owes"})).rows[0]
    paid = Decision(owing.id, "", {"amount": "0.01", "reference": "UTR 9"})
    write(acts.act, filled, "money", "paid", paid)
    after = read(lists.one, filled, "money", owing.id)
    assert (after.values["vendor"], after.values["month"]) == (owing.values["vendor"], owing.values["month"])
    assert after.values["owed"] == owing.values["owed"] - 1
