"""The drafts of new vehicles that the account keeps, as Add New Vehicle shows them."""

from collections.abc import Sequence
from typing import NamedTuple

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.schemas.drafts import DraftSummary, DraftView
from rental_app.schemas.vehicles import VendorVehicle

MANAGE = "/vendor/manage-vehicles"


class SavedAs(NamedTuple):
    """Which draft of the account a form was saved as, and in which edition; 0 for none."""

    id: int
    edition: int

    @property
    def text(self) -> str:
        """The same in the browser, '' for none."""
        return f"{self.id}.{self.edition}" if self.id else ""


class DraftRow(BaseModel):
    """A draft in the list."""

    id: int
    title: str
    saved: str


class DraftOffer(BaseModel):
    """What the account's draft has become elsewhere; `saved` names it (`SavedAs`)."""

    id: int
    saved: str
    text: str


class ListedVehicle(BaseModel):
    """The vehicle that was just listed."""

    id: int
    name: str
    href: str


def saved_as(text: str) -> SavedAs:
    """Which draft the browser says it is; none for anything that the page has not given it."""
    parts = [int(part) for part in text.split(".") if part.isascii() and part.isdigit() and len(part) < 10]
    return SavedAs(*parts) if len(parts) == 2 else SavedAs(0, 0)


def draft_rows(drafts: Sequence[DraftSummary], current: int) -> list[DraftRow]:
    """The drafts beside the one in the form."""
    return [
        DraftRow(id=draft.id, title=draft.title, saved=f"Saved {clock.friendly(draft.saved_at)}")
        for draft in drafts
        if draft.id != current
    ]


def draft_offer(there: DraftView) -> DraftOffer:
    """The account's draft, offered in place of what the form has made of an earlier edition."""
    saved = SavedAs(there.id, there.edition).text
    return DraftOffer(id=there.id, saved=saved, text=f"{there.title}, saved {clock.friendly(there.saved_at)}.")


def saved_line(draft: DraftView | None) -> str:
    """When what was typed was last saved; '' if the account has nothing of it."""
    return f"Draft saved with your account at {clock.hour_text(draft.saved_at)}." if draft else ""


def listed_vehicle(vehicle: VendorVehicle) -> ListedVehicle:
    """A vehicle that was just listed; customers may see it only once it is approved."""
    href = f"/vehicle-details/{vehicle.id}" if vehicle.is_available else MANAGE
    return ListedVehicle(id=vehicle.id, name=f"{vehicle.title}, {vehicle.rc_number}", href=href)
