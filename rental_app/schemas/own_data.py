"""Shapes of what people may ask for about their own data: a copy of it, and its erasure."""

from datetime import date
from typing import Literal

from pydantic import Field

from rental_app.schemas.wire import Answer, IndianTime, Refusal, Wire

ObstacleCode = Literal["trip", "objection", "late_charges", "balance", "commission"]


class Obstacle(Wire):
    """Something that has to end before an account can be erased."""

    code: ObstacleCode = Field(
        description="A trip that is ahead or under way, an objection without an answer, a return that may still be"
        " charged for, a balance of the last 90 days, or commission that is owed"
    )
    text: str = Field(description="The same in words, with what has to happen")
    reference: str | None = Field(default=None, description="The booking that it is about, null for none")


class OwnDataAnswer(Answer):
    """What may be done with the account's data now."""

    obstacles: list[Obstacle] = Field(description="What has to end before the account can be erased")
    export_again_at: IndianTime | None = Field(
        alias="exportAgainAt", description="When the next copy may be fetched, null for at once"
    )
    confirm_password: bool = Field(
        alias="confirmPassword",
        description="Whether a copy takes the password first (`POST /api/user/confirm-password`)",
    )
    notice_version: str | None = Field(
        alias="noticeVersion", description="The version of the notice shown at the sign-up, null if none was"
    )


class ErasureAnswer(Answer):
    """That an account waits to be erased; a login before that day takes it back."""

    erase_on: date = Field(alias="eraseOn", description="The Indian day on which the account is erased")


class ErasureRefusal(Refusal):
    """Why an account is not erased; `obstacles` are what has to end first, if the code is `open_trips`."""

    obstacles: list[Obstacle] = Field(default=[], description="What has to end before the account can be erased")
