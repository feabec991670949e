"""What operators read over REST: rows of any of the console's tables, and the queue of work."""

from typing import Annotated, Literal

from pydantic import Field

from rental_app.schemas.bookings import BookingView, VendorBookingView
from rental_app.schemas.wire import Answer, IndianTime, Wire

Cell = str | int | float | bool | None
WorkName = Literal["listings", "requests", "objections", "reviews", "messages", "refunds", "bookings", "papers"]


class OperatorColumn(Wire):
    """A column of a table: what it is called, and what kind of value it has."""

    name: str
    label: str
    kind: Literal["text", "plate", "number", "money", "day", "moment", "month", "state", "code"]
    sortable: bool


class OperatorRow(Wire):
    """A row of a table: its id, and its values by the names of the table's columns."""

    id: int
    cells: dict[str, Cell]


class OperatorListAnswer(Answer):
    """A page of a table; `total` rows match what was asked for, of `whole` in the table."""

    columns: list[OperatorColumn]
    rows: list[OperatorRow]
    total: int
    whole: int
    sort: str
    next_cursor: Annotated[str | None, Field(alias="nextCursor")]
    back_cursor: Annotated[str | None, Field(alias="backCursor")]


class OperatorRowAnswer(Answer):
    """A row with all that its table tells of it."""

    columns: list[OperatorColumn]
    row: OperatorRow
    version: str


class OperatorPartAnswer(Answer):
    """A part of a row's page, the latest first; its rows are numbered from 1 on."""

    columns: list[OperatorColumn]
    rows: list[OperatorRow]


class TheirsAnswer(Answer):
    """What somebody sees of their own pages: the bookings they made, and those of the vendor they work for."""

    name: str
    bookings: list[BookingView] = Field(description="Those they made, as their own list has them")
    requests: list[VendorBookingView] = Field(description="Those of the vendor they work for, the newest first")


class WorkView(Wire):
    """Something that waits for an operator; `id` is what its decision call takes."""

    kind: WorkName
    id: int
    ref: str
    title: str
    due: IndianTime


class WorkAnswer(Answer):
    """The queue, the oldest due first, and how much there is of each kind in all."""

    work: list[WorkView]
    counts: dict[str, int]
