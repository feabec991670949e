"""The lists of the console."""

from collections.abc import Mapping

from rental_app.domain.errors import NotFoundError
from rental_app.services.console.table import Table
from rental_app.services.console.tables.audit import AUDIT
from rental_app.services.console.tables.bookings import BOOKINGS, OBJECTIONS
from rental_app.services.console.tables.catalogue import LOCATIONS, MANUFACTURERS, MODELS, OFFERS, TYPES
from rental_app.services.console.tables.listings import LISTINGS
from rental_app.services.console.tables.messages import MESSAGES
from rental_app.services.console.tables.money import LEDGER, MONEY
from rental_app.services.console.tables.papers import PAPERS
from rental_app.services.console.tables.people import NOTES, PEOPLE, REQUESTS
from rental_app.services.console.tables.reviews import REVIEWS

_PEOPLE, _TRIPS = (PEOPLE, REQUESTS, PAPERS, NOTES, AUDIT, MESSAGES), (BOOKINGS, OBJECTIONS, REVIEWS, LISTINGS)
_ALL = (*_PEOPLE, *_TRIPS, MONEY, LEDGER, MODELS, MANUFACTURERS, TYPES, LOCATIONS, OFFERS)
TABLES: Mapping[str, Table] = {table.name: table for table in _ALL}


def named(name: str) -> Table:
    """A table by its name; raises NotFoundError (`unknown_table`)."""
    if name not in TABLES:
        raise NotFoundError("There is no such list", code="unknown_table")
    return TABLES[name]
