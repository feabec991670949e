"""The draft of a new vehicle that the account keeps, as Add New Vehicle offers it."""

from datetime import datetime

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.services.fleet.drafts import VehicleDraftView


class DraftOffer(BaseModel):
    """A draft to continue, and what else there is to choose; `saved` is when it was saved (ISO, UTC)."""

    saved: str
    is_instead_of_own: bool
    title: str
    text: str
    otherwise: str


def draft_offer(there: VehicleDraftView, *, is_instead_of_own: bool) -> DraftOffer:
    """The account's draft, offered beside a blank form or in place of one that has been started."""
    number = there.typed.get("rc_number")
    named = f"{number}, saved" if number else "Saved"
    return DraftOffer(
        saved=there.saved_at.isoformat(),
        is_instead_of_own=is_instead_of_own,
        title="Your draft was continued elsewhere." if is_instead_of_own else "You have started listing a vehicle.",
        text=f"{named} {clock.friendly(there.saved_at)}.",
        otherwise="Keep what is here" if is_instead_of_own else "Start afresh",
    )


def saved_line(saved_at: datetime | None) -> str:
    """When what was typed was last saved; '' if the account has nothing of it."""
    return f"Draft saved with your account at {clock.hour_text(saved_at)}." if saved_at else ""
