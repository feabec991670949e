"""Shapes of drafts: vehicles that a vendor has begun to list."""

from typing import Annotated

from pydantic import AfterValidator, Field

from rental_app.domain.characters import made_storable
from rental_app.schemas.wire import Answer, ExactBody, Id, IndianTime, ItsId, Wire

# A full form has about seventy fields and a tenth of these characters, the names of its fields included.
MOST_FIELDS, LONGEST_NAME, LARGEST = 80, 60, 60_000
Typed = Annotated[
    dict[
        Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(made_storable)],
        Annotated[str, Field(max_length=LARGEST), AfterValidator(made_storable)],
    ],
    Field(
        max_length=MOST_FIELDS,
        description=(
            "What was typed, as text by field: the names of `vehicleData`, `prices.0.price_name`, `prices.0.price`,"
            " `prices.0.kms_limit` and `prices.0.status` for a plan, and `files.RC` for a group of uploads (JSON, a"
            " list of `id` and `name`). It need not be complete or right"
        ),
    ),
]
Edition = Annotated[int, Field(description="Grows with every save")]


class DraftSummary(Wire):
    """A draft in the list."""

    id: ItsId
    title: str = Field(description="Model and RC number, or the day it was begun")
    edition: Edition
    saved_at: IndianTime = Field(alias="savedAt", description="When it was last saved")


class DraftView(DraftSummary):
    """A draft with what was typed."""

    fields: Typed


class DraftBegun(ExactBody):
    """A new draft: with what was typed, or like a vehicle that the vendor has."""

    fields: Typed = {}
    like: Annotated[
        Id | None,
        Field(
            description=(
                "Id of one of the vendor's vehicles, to copy: all but RC, engine and chassis number, odometer, dates"
                " and files; what `fields` has counts more"
            )
        ),
    ] = None


class DraftChange(ExactBody):
    """What a draft holds from now on."""

    fields: Typed
    edition: Annotated[Id, Field(description="The `edition` that was read: another is refused (409)")]


class DraftAnswer(Answer):
    """A draft."""

    draft: DraftView = Field(description="The draft as it is now")


class DraftsAnswer(Answer):
    """The vendor's drafts, newest first."""

    drafts: list[DraftSummary] = Field(description="The drafts")


class SheetProblem(Wire):
    """What could not be read of a sheet."""

    row: int = Field(description="Number of the row in the sheet, 0 for the sheet as a whole")
    column: str = Field(description="Header of the column, blank for the row as a whole")
    message: str = Field(description="What is wrong, in words")


class SheetAnswer(DraftsAnswer):
    """What was made of a sheet."""

    problems: list[SheetProblem] = Field(description="What could not be read, and rows that were not taken")
