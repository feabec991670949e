"""What the cards of vehicles say of their hosts: the same as the vendor's page, for all of them at once."""

from rental_app.infrastructure.db import read
from rental_app.schemas.wire import Page
from rental_app.services import vendors
from tests.support.booking_steps import book, decide
from tests.support.shop import VISITOR, Shop, add_user, open_shop, statements, wanted

FEW = Page.first(1)


def test_hosts_are_told_as_on_their_pages(database: str) -> None:
    told = read(vendors.hosts, range(1, 20))
    assert any(host.trips for host in told.values())
    assert any(host.answers_in is not None for host in told.values())
    for vendor_id, host in told.items():
        if host.trips:
            page = read(vendors.vendor, VISITOR, vendor_id, FEW, FEW)
            assert (host.trips, host.answers_in) == (page.trips, page.answers_in)


def test_an_answer_time_belongs_to_the_vendor_who_answered(shop: Shop) -> None:
    other, customer = open_shop("Elsewhere"), add_user()
    for day in (4, 6, 8):
        decide(shop.vendor, book(customer, wanted(shop.vehicle, day)).id, "confirmed")
    both = read(vendors.hosts, [int(shop.vendor.id or 0), int(other.vendor.id or 0)])
    assert [host.answers_in is None for host in both.values()] == [False, True]


def test_many_hosts_cost_no_more_statements_than_one(shop: Shop) -> None:
    with statements() as seen:
        read(vendors.hosts, [int(shop.vendor.id or 0)])
    one = len(seen)
    with statements() as seen:
        read(vendors.hosts, range(1, 50))
    assert len(seen) <= one
