"""What operators send when they decide."""

from typing import Annotated, Literal

from pydantic import Field

from rental_app.domain.errors import InvalidInputError
from rental_app.schemas.wire import CLEAN, Body, at_most

MOST_REASON = 1000
# Told to those it concerns, so that it is no essay.
Reason = Annotated[str, at_most(MOST_REASON), CLEAN]
Expected = Annotated[
    str,
    Field(
        max_length=64,
        description="The `version` that was seen; 409 `changed_meanwhile` if it is another now. Blank expects nothing",
    ),
]
REASON = "Why it is decided so; told to those it concerns"


def require_reason(reason: str) -> None:
    """Raise InvalidInputError if a decision that hurts somebody has no reason."""
    if not reason:
        message = "Say why: those it concerns read it"
        raise InvalidInputError(message, fields={"reason": message})


class ListingDecision(Body):
    """What is decided about a listing; refusing and taking down need a reason."""

    decision: Literal["approve", "refuse", "take_down"] = Field(description="What is decided")
    reason: Reason = Field(default="", description=REASON)
    expected: Expected = ""


class FeatureRequest(Body):
    """Whether a vehicle stands among the first on the home page."""

    on: bool = Field(description="Whether it does")
