"""Shapes of the documents by which customers prove who they are."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from rental_app.domain.identity import MAX_FILES, IdDocument, IdentityKind, IdentityState, LicenceClass, PapersMode
from rental_app.schemas.operating import Expected, Reason
from rental_app.schemas.people import Name
from rental_app.schemas.wire import (
    BLANK_IS_NONE,
    CLEAN,
    Answer,
    Day,
    ExactBody,
    Id,
    IndianTime,
    ItsId,
    PickupTime,
    Reference,
    Wire,
    at_most,
)

Kind = Annotated[IdentityKind, Field(description="`id` is a government ID, `licence` a driving licence")]
NumberEnds = Annotated[str, Field(alias="numberEnds", description="The last four characters of its number")]
Classes = Annotated[list[str], Field(description="The classes of a licence, such as MCWG")]
State = Annotated[
    IdentityState, Field(description="`sent` waits for us, `accepted` is checked, `refused` says why in `reason`")
]
Pictures = Annotated[int, Field(description="How many pictures there are to look at, numbered from 1")]


class IdentityData(ExactBody):
    """What its owner says of a document; of the number only the last four characters are stored.

    `document` and `number` are of a government ID (four characters of a PAN or of a masked Aadhaar), `number`,
    `classes` and `validUntil` of a licence.
    """

    name: Name = Field(description="The name on the document")
    document: Annotated[IdDocument | Literal[""], Field(description="Which government ID it is")] = ""
    number: Annotated[str, at_most(40), CLEAN] = Field(default="", description="Its number", repr=False)
    classes: Annotated[list[LicenceClass], Field(max_length=8, description="The classes of a licence")] = []
    valid_until: Annotated[Day | None, BLANK_IS_NONE] = Field(
        default=None, alias="validUntil", description="The last day on which a licence is valid"
    )
    uploads: Annotated[list[Id], Field(max_length=MAX_FILES)] = Field(
        default=[], description="The ids of files that were uploaded ahead to `/api/uploads`, in place of `file`"
    )


class IdentityPaperView(Wire):
    """A document as its owner sees it."""

    id: ItsId
    kind: Kind
    document: str = Field(description="Which government ID it is, `pan` or `aadhaar`; blank for other kinds")
    number_ends: NumberEnds
    name: str = Field(description="The name on the document")
    classes: Classes
    valid_until: date | None = Field(alias="validUntil", description="The last day on which a licence is valid")
    state: State
    reason: str = Field(description="Why it was refused, blank unless it was")
    sent_at: IndianTime = Field(alias="sentAt", description="When it was sent")
    decided_at: IndianTime | None = Field(alias="decidedAt", description="When we accepted or refused it")
    files: int = Field(description="How many files it has")
    pictures: Pictures


class IdentityLook(Wire):
    """That somebody looked at a document; looks of one person within an hour are one."""

    who: str = Field(description="The vendor's name, or the shop's for an operator")
    role: Literal["vendor", "operator"] = Field(description="On whose side they are")
    kind: Kind
    at: IndianTime = Field(description="When")


class NeededFor(Wire):
    """The next booking for which documents are looked at."""

    reference: Reference
    vehicle: str = Field(description="What the vehicle is called")
    pickup: PickupTime = Field(alias="pickupDate")


class IdentityPapersAnswer(Answer):
    """Everything about a customer's documents."""

    mode: PapersMode = Field(
        description="`required` if a request needs all four, `optional` if they may be sent, `off` if none are taken"
    )
    papers: list[IdentityPaperView] = Field(description="One of each kind at most")
    missing: list[IdentityKind] = Field(description="The kinds of which none waits or is accepted")
    looks: list[IdentityLook] = Field(description="Who looked at them, the latest first")
    needed_for: NeededFor | None = Field(alias="neededFor", description="The next booking, null if there is none")


class IdentityPaperAnswer(Answer):
    """The document as it is stored."""

    paper: IdentityPaperView = Field(description="The document")


class BookingPaperView(Wire):
    """How a customer's document stands, as the vendor of one of their bookings sees it."""

    id: int | None = Field(description="Its id, null if none was sent")
    kind: Kind
    state: Literal["checked", "sent", "missing", "refused", "expired"] = Field(
        description="`checked` if we have accepted it: it needs no look at the handover"
    )
    classes_cover: bool | None = Field(
        alias="classesCover", description="Whether a licence covers the vehicle; null if it is none, or none was sent"
    )
    problem: str = Field(
        description="What is wrong with a licence for this booking, in words; then the vendor looks at it themselves"
    )
    pictures: Pictures


class BookingPapersAnswer(Answer):
    """A customer's documents as the vendor of a booking sees them."""

    papers: list[BookingPaperView] = Field(
        description="One of each kind; none for guests, and once there is nothing to look at any more"
    )
    pictures_until: Annotated[IndianTime | None, Field(alias="picturesUntil")] = Field(
        description="Until when pictures can be looked at: null before the confirmation, and while the vehicle is out"
    )


class IdentityDecision(ExactBody):
    """An operator's decision about a document."""

    decision: Literal["accept", "refuse"] = Field(description="What is decided")
    reason: Reason = Field(
        default="",
        description="Why it is refused: its owner reads it. `unreadable`, `others`, `unmasked`, `expired` and"
        " `wrong_document` are spelled out for them; `unmasked` erases the files at once",
    )
    expected: Expected = ""
