"""A vehicle as the forms of the vendor's pages send it."""

import json
from typing import Any

from rental_app.domain.uploads import FILE_GROUPS
from rental_app.infrastructure.db import write
from rental_app.services.files import uploads
from rental_app.services.files.storage import CheckedFile
from tests.support.rest_helpers import listing
from tests.support.shop import Shop, actor


def as_typed(**changes: Any) -> dict[str, Any]:
    """Return a vehicle as the browser's form sends it."""
    data = listing(**changes)
    (price,) = data.pop("prices")
    rows = {f"prices.1.{name}": text for name, text in price.items()}
    return {name: str(value) for name, value in data.items()} | rows


def sent_ahead(shop: Shop) -> dict[str, str]:
    """Return hidden inputs that name an upload for each group."""
    rows = {
        group: write(uploads.store, actor(shop.vendor), CheckedFile(group, f"private/{group}", "image/jpeg", 9, {})).id
        for group in FILE_GROUPS
    }
    return {f"files.{group}": json.dumps([{"id": upload, "name": f"{group}.jpg"}]) for group, upload in rows.items()}
