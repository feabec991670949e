"""What operators read: the queue of work, the console's tables, papers. Their acts are calls of their own."""

from datetime import date, datetime
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request, Response

from rental_app.api.dependencies import PAPERS, CallRouter, CurrentOperator, FileId, a_file, download, refusals
from rental_app.api.media import stored_file
from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.money import to_rupees
from rental_app.infrastructure.db import read, write
from rental_app.schemas.operating import (
    Cell,
    OperatorColumn,
    OperatorListAnswer,
    OperatorPartAnswer,
    OperatorRow,
    OperatorRowAnswer,
    TheirsAnswer,
    WorkAnswer,
    WorkView,
)
from rental_app.schemas.wire import MAX_TEXT, Id, WholeNumber
from rental_app.services.console import acts, evidence, lists, parts, tables, work
from rental_app.services.console.lists import MOST_ON_A_PAGE, USUAL, ConsoleRow, ListQuery
from rental_app.services.console.table import Column, RowStanding

router = CallRouter(prefix="/api/operator", tags=["operator"])
TableName = Annotated[str, Path(max_length=40, description="A table's name, such as people, bookings or audit")]
OWN = ("q", "sort", "limit", "cursor")


def wanted(
    request: Request,
    q: Annotated[str, Query(max_length=MAX_TEXT, description="Words to look for in the table's texts")] = "",
    sort: Annotated[str, Query(max_length=40, description="A sortable column, after a minus for the last first")] = "",
    limit: Annotated[WholeNumber, Query(ge=1, le=MOST_ON_A_PAGE, description="How many rows at most")] = USUAL,
    cursor: Annotated[str, Query(max_length=600, description="`nextCursor` or `backCursor` of a page")] = "",
) -> ListQuery:
    """What is asked of a table; all other parameters are filters, by the names the table gives them."""
    pairs = request.query_params.multi_items()
    names = [name for name, _ in pairs]
    if repeated := {name: "Give this only once" for name in names if names.count(name) > 1}:
        raise InvalidInputError("Some parameters are given twice", fields=repeated)
    return ListQuery(q, {name: value for name, value in pairs if name not in OWN}, sort, limit, cursor)


Rows = Annotated[ListQuery, Depends(wanted)]


@router.get("/work", responses=refusals(401, 403, 429))
def get_work(actor: CurrentOperator) -> WorkAnswer:
    """What waits for an operator: listings, change requests, objections, reported reviews, messages given up, refunds
    open for three days, confirmed bookings of blocked vendors, papers that expire within 30 days."""
    queue = read(work.queue, actor)
    items = [WorkView(kind=each.kind, id=each.id, ref=each.ref, title=each.title, due=each.due) for each in queue.items]
    return WorkAnswer(work=items, counts=queue.counts)


@router.get("/files/{file_id}", responses=a_file(*PAPERS) | refusals(401, 403, 404, 429), response_class=Response)
def get_paper(actor: CurrentOperator, file_id: FileId) -> Response:
    """A paper or photo of any listing, as a download; the audit trail says who looked at it."""
    file = write(evidence.see_paper, actor, file_id)
    return stored_file(file.key, file.content_type, download(f"{file.group_name}-{file.id}"))


@router.get("/{table}.csv", responses=a_file("text/csv") | refusals(401, 403, 404, 429), response_class=Response)
def get_csv(actor: CurrentOperator, table: TableName, query: Rows) -> Response:
    """All rows that match, as CSV for a spreadsheet; more than 10,000 are refused (`too_many_rows`).

    The audit trail says who took which.
    """
    body = write(lists.as_csv, actor, table, query)
    return Response(body, media_type="text/csv; charset=utf-8", headers=download(f"{table}.csv"))


@router.get("/{table}", responses=refusals(401, 403, 404, 429))
def get_rows(actor: CurrentOperator, table: TableName, query: Rows) -> OperatorListAnswer:
    """A page of a table, with `q`, `sort` and the table's own filters, such as `state=blocked` of people."""
    page = read(lists.page, actor, table, query)
    listed = [column for column in tables.named(table).columns if column.listed]
    return OperatorListAnswer(
        columns=_columns(listed),
        rows=[_row(row, listed) for row in page.rows],
        total=page.total,
        whole=page.whole,
        sort=page.sort,
        next_cursor=page.next or None,
        back_cursor=page.back or None,
    )


@router.get("/{table}/{row_id}", responses=refusals(401, 403, 404, 429))
def get_row(
    actor: CurrentOperator, table: TableName, row_id: Annotated[Id, Path(description="The row's id")]
) -> OperatorRowAnswer:
    """A row with everything that its table tells of it."""
    row = read(lists.one, actor, table, row_id)
    columns = tables.named(table).columns
    seen = read(acts.version, actor, table, row_id)
    return OperatorRowAnswer(columns=_columns(columns), row=_row(row, columns), version=seen)


@router.get("/people/{id}/as-they-see-it", responses=refusals(401, 403, 404, 429))
def get_theirs(actor: CurrentOperator, id: Annotated[Id, Path(description="The person's id")]) -> TheirsAnswer:
    """What somebody sees of their own pages, the first 20 bookings of each list; the audit trail says who looked."""
    own = write(parts.see_own_pages, actor, id)
    return TheirsAnswer(name=own.user.name, bookings=own.trips, requests=own.requests)


@router.get("/{table}/{row_id}/{part}", responses=refusals(401, 403, 404, 429))
def get_part(
    actor: CurrentOperator,
    table: TableName,
    row_id: Annotated[Id, Path(description="The row's id")],
    part: Annotated[
        str,
        Path(
            max_length=40,
            description="Such as `devices` of people, `trail` of bookings, `prices` of listings, `sides` of objections",
        ),
    ],
) -> OperatorPartAnswer:
    """What belongs to a row and is no list of its own: a person's devices; events, account and audit of a booking; a
    listing's prices beside what is advised, and what the data say against it; what both sides say to an objection."""
    rows = read(parts.read_part, actor, table, row_id, part)
    columns = parts.named(table, part).columns
    return OperatorPartAnswer(columns=_columns(columns), rows=[_row(row, columns) for row in rows])


def _columns(columns: Any) -> list[OperatorColumn]:
    return [
        OperatorColumn(name=each.name, label=each.label, kind=each.kind, sortable=each.sortable) for each in columns
    ]


def _row(row: ConsoleRow, columns: Any) -> OperatorRow:
    return OperatorRow(id=row.id, cells={each.name: _cell(row.values[each.name], each) for each in columns})


def _cell(value: Any, column: Column) -> Cell:
    if isinstance(value, datetime):
        return clock.indian(value).isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, RowStanding):
        return value.label
    if column.kind == "money" and value is not None:
        return to_rupees(value)
    cell: Cell = value
    return cell
