"""What tests of the operator's console share: who may not see it, and something of each kind to see."""

from collections.abc import Iterator
from typing import Any

from rental_app.models import AccountChange, Outbox, User
from rental_app.services.accounts.actor import Actor
from tests.support.shop import Shop, actor, add_user, put


def operator() -> User:
    """Add an operator."""
    return add_user("Operator", name="Nandini Rao")


def acting() -> Actor:
    """A new operator as services see them."""
    return actor(operator())


def pages_of(read_page: Any) -> Iterator[Any]:
    """Every page of a list, from the first on: `read_page` takes a cursor."""
    page = read_page("")
    yield page
    while page.next:
        page = read_page(page.next)
        yield page


def add_request(shop: Shop) -> AccountChange:
    """A vendor's open wish for another bank account."""
    return put(AccountChange(user_id=shop.vendor.id or 0, field="bank", value="Bank, 123456, SBIN0020912"))


def add_given_up(shop: Shop) -> Outbox:
    """A message that could not be sent."""
    made = Outbox(key=f"given up {shop.customer.id}", kind="welcome", user_id=shop.customer.id, due_at=None, tries=9)
    made.error = "ConnectionRefusedError: no such server"
    return put(made)
