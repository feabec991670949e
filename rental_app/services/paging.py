"""Lists in pages: by key, or by offset where people choose the order."""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Row, String, func, select
from sqlalchemy.orm import Mapped
from sqlmodel import Session

from rental_app.domain.characters import WRITTEN_OUT
from rental_app.models import Columns
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.throttle import Caller

T = TypeVar("T")
V = TypeVar("V")


class Slice(NamedTuple, Generic[T]):
    """A list, or one page of it with how many there are in all and where the next page starts."""

    items: list[T]
    total: int | None = None
    next_cursor: int | None = None

    def of(self, items: list[V]) -> "Slice[V]":
        """The same slice of other items."""
        return Slice(items, self.total, self.next_cursor)

    @property
    def tail(self) -> dict[str, int | None]:
        """What a response has besides the items."""
        return {"total": self.total, "next_cursor": self.next_cursor}


def contains_word(text: Any, word: str) -> ColumnElement[bool]:
    """SQL: whether a text contains a word of a search (`domain.contacts.search_words`), in small letters or large.

    What a plain keyboard has is looked for as texts are stored; other scripts as `characters.searchable` reads them.
    """
    for written, read in () if word.isascii() else WRITTEN_OUT.items():
        text = func.replace(text, written, read, type_=String)
    condition: ColumnElement[bool] = text.icontains(word, autoescape=True)
    return condition


def paged(
    session: Session,
    caller: Caller,
    statement: Columns,
    key: Mapped[int | None],
    page: Page | None,
    make: Callable[[Row[Any]], T],
    *,
    newest_first: bool = False,
) -> Slice[T]:
    """What `make` makes of the rows of a SELECT in order of `key`, all of them or one page.

    They count against the caller's limit. A cursor without a limit goes on to the end.
    """
    throttle.check_rows(caller)
    part = _part(session, statement, key, page or Page(), make, newest_first=newest_first)
    throttle.count_rows(caller, len(part.items))
    return part


def counted(
    session: Session, caller: Caller, ordered: Columns, page: Page | None, make: Callable[[Row[Any]], T]
) -> Slice[T]:
    """What `make` makes of the rows of a SELECT that has its own order, all or one page; the cursor is an offset."""
    throttle.check_rows(caller)
    window = page or Page()
    items = [make(row) for row in session.execute(ordered.limit(window.limit).offset(window.cursor)).all()]
    part = Slice(items)
    if window.limit is not None:
        whole = select(func.count()).select_from(ordered.order_by(None).subquery())
        total, after = session.execute(whole).scalar_one(), window.cursor + window.limit
        part = Slice(items, total, after if after < total else None)
    throttle.count_rows(caller, len(part.items))
    return part


def _part(
    session: Session,
    statement: Columns,
    key: Mapped[int | None],
    page: Page,
    make: Callable[[Row[Any]], T],
    *,
    newest_first: bool,
) -> Slice[T]:
    ordered = statement.order_by(key.desc() if newest_first else key)
    if page.cursor:
        ordered = ordered.where(key < page.cursor if newest_first else key > page.cursor)
    if page.limit is None:
        return Slice([make(row) for row in session.execute(ordered).all()])
    total = session.execute(select(func.count()).select_from(statement.subquery())).scalar_one()
    rows = session.execute(ordered.limit(page.limit + 1)).all()
    shown = rows[: page.limit]
    return Slice([make(row) for row in shown], total, shown[-1].id if len(rows) > page.limit else None)
