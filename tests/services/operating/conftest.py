"""An operator, for the tests of what they do."""

import pytest

from rental_app.models import User
from tests.support.shop import Shop, add_user


@pytest.fixture
def operator(shop: Shop) -> User:
    """Somebody who keeps the shop."""
    return add_user("Operator")
