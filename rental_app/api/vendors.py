"""Vendors as everybody may see them."""

from typing import Annotated

from fastapi import Path

from rental_app.api.dependencies import Anyone, CallRouter, Paging, refusals
from rental_app.infrastructure.db import read
from rental_app.schemas.vendors import VendorAnswer
from rental_app.services import vendors

router = CallRouter(prefix="/api/vendors", tags=["vendors"])


@router.get("/{slug}", responses=refusals(404, 429))
def vendor(
    caller: Anyone,
    slug: Annotated[
        str,
        Path(
            max_length=100,
            examples=["deccan-wheels-2"],
            description="The last part of the page's address",
        ),
    ],
    page: Paging,
) -> VendorAnswer:
    """A vendor's vehicles, rating, newest reviews and terms. Only the id at the end of the address counts.

    `limit` and `cursor` page through the vehicles.
    """
    return read(vendors.answer, caller, slug, page)
