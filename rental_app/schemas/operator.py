"""What operators read over REST: rows of any of the console's tables, and the queue of work."""

from typing import Annotated, Literal

from pydantic import Field

from rental_app.schemas.bookings import BookingView, VendorBookingView
from rental_app.schemas.wire import Answer, IndianTime, ItsId, NameOut, Wire

Cell = str | int | float | bool | None
WorkName = Literal["listings", "requests", "objections", "reviews", "messages", "refunds", "bookings", "papers"]


class OperatorColumn(Wire):
    """A column of a table: what it is called, and what kind of value it has."""

    name: str = Field(description="Its name among the cells of a row, and in `sort`")
    label: str = Field(description="What people call it")
    kind: Literal["text", "plate", "number", "money", "day", "moment", "month", "state", "code"] = Field(
        description="What its values are: money is in rupees, a moment in Indian time, a month a number like 202611"
    )
    sortable: bool = Field(description="Whether the list can be sorted by it")


class OperatorRow(Wire):
    """A row of a table: its id, and its values by the names of the table's columns."""

    id: ItsId
    cells: dict[str, Cell] = Field(description="Its values by the names of the columns")


class OperatorListAnswer(Answer):
    """A page of a table; `total` rows match what was asked for, of `whole` in the table."""

    columns: list[OperatorColumn] = Field(description="The columns of the list")
    rows: list[OperatorRow] = Field(description="The rows of the page")
    total: int = Field(description="How many rows match")
    whole: int = Field(description="How many rows the table has")
    sort: str = Field(description="The order they are in")
    next_cursor: Annotated[str | None, Field(alias="nextCursor")] = Field(
        description="Where the next page begins, null on the last"
    )
    back_cursor: Annotated[str | None, Field(alias="backCursor")] = Field(
        description="Where the page before begins, null on the first"
    )


class OperatorRowAnswer(Answer):
    """A row with all that its table tells of it."""

    columns: list[OperatorColumn] = Field(description="What is told of it, in order")
    row: OperatorRow = Field(description="The row")
    version: str = Field(description="Its version now, which decisions name as `expected`; blank where there are none")


class OperatorPartAnswer(Answer):
    """A part of a row's page, the latest first; its rows are numbered from 1 on."""

    columns: list[OperatorColumn] = Field(description="What each of its rows tells, in order")
    rows: list[OperatorRow] = Field(description="The rows of the part")


class TheirsAnswer(Answer):
    """What somebody sees of their own pages: the bookings they made, and those of the vendor they work for."""

    name: NameOut
    bookings: list[BookingView] = Field(description="Those they made, as their own list has them")
    requests: list[VendorBookingView] = Field(description="Those of the vendor they work for, the newest first")


class WorkView(Wire):
    """Something that waits for an operator; `id` is what its decision call takes."""

    kind: WorkName = Field(description="What it is about")
    id: int = Field(description="What its decision takes")
    ref: str = Field(description="What people call it: a reference, an RC number, an address")
    title: str = Field(description="What it is about, in a few words")
    due: IndianTime = Field(description="When it should be decided")


class WorkAnswer(Answer):
    """The queue, the oldest due first, and how much there is of each kind in all."""

    work: list[WorkView] = Field(description="What waits, the oldest due first")
    counts: dict[str, int] = Field(description="How much there is of each kind")
