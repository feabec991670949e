"""Shapes of a handover or return in progress: what is entered for it, step by step."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from rental_app.domain.uploads import MAX_FILES_A_GROUP, TripGroup
from rental_app.schemas.readings import MAX_DAMAGES, Damage, Eighths, Few, Paper, ReturnReason
from rental_app.schemas.wire import Id, Odometer, PastTime, Wire

ReadingKind = Literal["handover", "return"]


class SentPhoto(Wire):
    """A photo that was uploaded ahead; `name` is its file name on the vendor's phone."""

    id: Id
    name: Annotated[str, Field(max_length=300)]


class NotedDamage(Damage):
    """One item of damage, with its photo."""

    photo: SentPhoto


class Noted(Wire):
    """What has been entered so far, or one step of it; what is missing is None."""

    papers_seen: list[Paper] | None = Field(default=None, alias="papersSeen", max_length=8)
    odometer: Odometer | None = None
    fuel_eighths: Eighths | None = Field(default=None, alias="fuelEighths")
    helmets: Few | None = None
    speedings: Few | None = None
    photos: dict[TripGroup, Annotated[list[SentPhoto], Field(max_length=MAX_FILES_A_GROUP)]] = {}
    damages: Annotated[list[NotedDamage], Field(max_length=MAX_DAMAGES)] = []
    reason: ReturnReason | None = None
    # Without one, it is when the reading becomes final.
    went_out_at: PastTime = Field(default=None, alias="wentOutAt")
    came_back_at: PastTime = Field(default=None, alias="cameBackAt")
    # When anything was last entered; steps do not say so, and drafts of earlier versions don't.
    saved_at: datetime | None = Field(default=None, alias="savedAt")

    @property
    def sent(self) -> list[SentPhoto]:
        """Every photo, those of damages last."""
        return [photo for photos in self.photos.values() for photo in photos] + [one.photo for one in self.damages]
