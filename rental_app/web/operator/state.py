"""The state of the console's lists and of their rows: one for all tables."""

from collections.abc import AsyncIterator
from typing import Any

import reflex as rx

from rental_app.content.routes import BY_PATH
from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, InvalidInputError, NotFoundError
from rental_app.domain.ids import read_id
from rental_app.domain.money import grouped
from rental_app.schemas.operating import ReadOnlyRequest
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import acts, evidence, lists, parts, tables
from rental_app.services.console import evidence as file_papers
from rental_app.services.console.lists import ConsoleRow, ListQuery
from rental_app.services.console.table import Decision, Table
from rental_app.services.operating import read_only
from rental_app.web.operator.action_presenter import ActionView, adding_view, full_question
from rental_app.web.operator.cells_presenter import name_of
from rental_app.web.operator.list_presenter import ListView, address, list_view
from rental_app.web.operator.row_presenter import (
    FEW,
    MANY,
    OWN_PAGES,
    DetailView,
    OwnPagesView,
    PaperView,
    RelatedView,
    TabView,
    detail_view,
    latest_view,
    own_pages_view,
    part_view,
    related_view,
)
from rental_app.web.operator.work_presenter import (
    evidence_of,
    papers_of,
    pictures_of,
)
from rental_app.web.parts.presenters import heads
from rental_app.web.session import read_only_note
from rental_app.web.session.address import address_part
from rental_app.web.session.base import PrivateState, SessionState, caller_of, read, write
from rental_app.web.session.events import close_dialog, error_toast, focus, open_dialog, redirect, success_toast
from rental_app.web.session.handlers import one_at_a_time
from rental_app.web.session.operator_auth import OperatorDoorState, operator_action, operator_change, operator_load

LONGEST, LONGEST_ANSWER = 200, 5000
ACTION, READ_ONLY = "operator-action", "read-only"
_OWN = ("q", "sort", "cursor", "tab")


async def papers_beside(actor: Actor, name: str, row_id: int) -> list[PaperView]:
    """What is to be looked at beside a row: the papers of a listing, the photos of an objection, the pictures of a
    customer's document; else nothing."""
    if name == "papers":
        return pictures_of(row_id, await read(evidence.pictures_of, actor, row_id))
    if name == "objections":
        return evidence_of(await read(evidence.photos, actor, row_id))
    files = await read(file_papers.papers_of, actor, row_id) if name == "listings" else []
    return papers_of((file.id or 0, file.group_name, file.content_type) for file in files)


class ConsoleState(PrivateState):
    """A page of a list, or a row on its own page; `missing` says that there is nothing at the address."""

    listed: ListView | None = None
    detail: DetailView | None = None
    # What the person sees of their own pages, while an operator looks at it.
    own_pages: OwnPagesView | None = None
    # The paper of a listing that is looked at.
    paper: PaperView | None = None
    missing: bool = False
    problem: str = ""
    title: str = ""
    description: str = ""
    # The action that the dialog asks about, and what is wrong with the answers.
    asking: ActionView | None = None
    errors: dict[str, str] = {}
    busy: bool = False

    @rx.var
    def asking_name(self) -> str:
        """Which action the dialog asks about; '' for none."""
        return self.asking.name if self.asking else ""

    @rx.var
    def asking_title(self) -> str:
        """What the dialog asks about."""
        if self.asking is None:
            return ""
        return f"{self.asking.label}: {self.detail.title}" if self.detail else self.asking.label

    @operator_load
    async def load_list(self, actor: Actor) -> None:
        """Show the page of the list that the address asks for."""
        self.problem, self.missing, self.detail = "", False, None
        name, wanted = address_part(self), self._wanted()
        try:
            page = await read(lists.page, actor, name, wanted)
        except NotFoundError:
            self.listed, self.missing = None, True
            return
        table = tables.named(name)
        self.listed = list_view(table, wanted, page, await read(lists.choices, actor, name))
        self._name(table.title)

    @operator_load
    async def load_row(self, actor: Actor) -> None:
        """Show the row that the address asks for."""
        self.problem, self.missing, self.listed = "", False, None
        await self._show_row(actor)

    async def _show_row(self, actor: Actor) -> None:
        name, number = address_part(self, -2), read_id(address_part(self))
        try:
            row = await read(lists.one, actor, name, number)
        except NotFoundError:
            self.detail, self.missing = None, True
            return
        table = tables.named(name)
        self.own_pages = None
        if name == "people" and self._tab() == OWN_PAGES:
            self.own_pages = own_pages_view(await write(parts.see_own_pages, actor, number), clock.now())
        tabs, related = await self._related(actor, table, row)
        latest = await read(lists.latest, actor, name, number)
        seen = await read(acts.version, actor, name, number)
        shown = await papers_beside(actor, name, number)
        self.paper = None
        self.detail = detail_view(table, row, seen, tabs, related, latest_view(latest), shown)
        self._name(name_of(table, row))

    def _failed(self, message: str) -> None:
        self.problem = message

    def _name(self, name: str) -> None:
        self.title = heads.named(name)
        self.description = BY_PATH["/operator"].description

    def _wanted(self) -> ListQuery:
        """What the address asks of the list."""
        query = {name: str(value)[:LONGEST] for name, value in self.router.url.query_parameters.items()}
        filters = {name: value for name, value in query.items() if name not in _OWN and value}
        cursor = str(self.router.url.query_parameters.get("cursor", ""))
        return ListQuery(query.get("q", ""), filters, query.get("sort", ""), cursor=cursor)

    async def _related(self, actor: Actor, table: Table, row: ConsoleRow) -> tuple[list[TabView], list[RelatedView]]:
        """The tabs of a row's page, and what the chosen one shows; the first shows something of each."""
        chosen, views = self._tab(), []
        for part in parts.of_table(table.name):
            rows = await read(parts.read_part, actor, table.name, row.id, part.name)
            shown = rows if chosen == part.name else rows[:MANY] if part.leads and not chosen else []
            views.append((0 if part.leads else 2, part.name, part.label, len(rows), part_view(part, shown)))
        for each in table.related:
            wanted = ListQuery(filters={each.filter: str(row.id)}, limit=MANY if chosen == each.table else FEW)
            page = await read(lists.page, actor, each.table, wanted)
            shown = [] if chosen not in ("", each.table) else page.rows
            view = related_view(each.label, tables.named(each.table), wanted, page._replace(rows=shown))
            views.append((1, each.table, each.label, page.total, view))
        views.sort(key=lambda one: one[0])
        here = f"/operator/{table.name}/{row.id}"
        tabs = [TabView(label="Overview", many="", href=here, here=not chosen)] if views else []
        tabs += [
            TabView(label=label, many=grouped(many), href=f"{here}?tab={name}", here=chosen == name)
            for _, name, label, many, _ in views
            if many or chosen == name
        ]
        return tabs, [view for _, name, *_, view in views if view.grid.rows or chosen == name]

    @operator_action
    async def show_paper(self, _actor: Actor, number: str) -> None:
        """Show a paper of the listing shown; whoever loads it is recorded."""
        shown = self.detail.papers if self.detail else []
        self.paper = next((paper for paper in shown if paper.number == number), self.paper)

    def _tab(self) -> str:
        """The part of a row's page that is chosen, '' for the overview."""
        return str(self.router.url.query_parameters.get("tab", ""))[:LONGEST]

    @operator_action
    async def choose(self, _actor: Actor, name: str, value: str) -> AsyncIterator[Any]:
        """Set a filter of the list shown."""
        if self.listed and name in {each.name for each in self.listed.filters}:
            yield redirect(address(self.listed.name, self._wanted(), **{name: value[:LONGEST]}))

    @operator_action
    async def search(self, _actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Search the list shown."""
        if self.listed:
            yield redirect(address(self.listed.name, self._wanted(), q=str(form.get("q", ""))[:LONGEST].strip()))

    @operator_action
    async def ask(self, actor: Actor, name: str) -> AsyncIterator[Any]:
        """Ask before an action of the row shown is done, or a row added to the list shown, and for what it needs."""
        if await self._ask(actor, name):
            yield open_dialog(ACTION)

    @operator_action
    async def regain(self, actor: Actor, name: int | str, _draft: str) -> None:
        """Restore the open dialog after a restart; the browser keeps what was typed into it."""
        await self._ask(actor, str(name))

    async def _ask(self, actor: Actor, name: str) -> bool:
        offered = next((action for action in self._offered() if action.name == name), None)
        if offered:
            choices = await read(acts.choices, actor, self._table(), name)
            about = self.detail.id if self.detail else 0
            means = await read(acts.meaning, actor, self._table(), name, about)
            self.asking, self.errors = full_question(offered, choices, means), {}
        return offered is not None

    def _offered(self) -> list[ActionView]:
        if self.detail:
            return self.detail.actions
        adding = adding_view(tables.named(self.listed.name)) if self.listed else None
        return [adding] if adding else []

    def _table(self) -> str:
        """The name of the table of which a row, or a list, is shown."""
        return self.detail.table if self.detail else self.listed.name if self.listed else ""

    @operator_change
    @one_at_a_time
    async def act(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Do what was asked about: to the row shown, as it was seen, or add one to the list shown."""
        if not self._table() or self.asking is None:
            return
        answers = {str(name): str(value)[:LONGEST_ANSWER] for name, value in form.items()}
        about = (self.detail.id, self.detail.seen) if self.detail else (0, "")
        try:
            message = await write(acts.act, actor, self._table(), self.asking.name, Decision(*about, answers))
        except (InvalidInputError, ConflictError) as error:
            wrong = [each.name for each in self.asking.asks if each.name in error.fields]
            self.errors = {name: error.fields[name] for name in wrong}
            if wrong:
                yield focus(f"ask-{wrong[0]}")
                return
            # What is wrong with no field of the dialog is said by a toast; what has changed meanwhile is asked anew.
            if isinstance(error, InvalidInputError):
                raise
            yield error_toast(error.message)
        else:
            yield success_toast(message)
        yield close_dialog(ACTION)
        self.asking, self.errors = None, {}
        yield ConsoleState.load_row if self.detail else ConsoleState.load_list
        yield OperatorDoorState.enter

    @operator_change
    async def switch(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Make the shop read-only with a message, or open it again."""
        values = {name: form[name] for name in ("on", "message") if name in form}
        message = await write(read_only.switch, actor, validated(ReadOnlyRequest, values))
        session = await self.get_state(SessionState)
        session.read_only_note = await read_only_note.read_now(caller_of(session))
        yield close_dialog(READ_ONLY)
        yield success_toast(message)
        yield OperatorDoorState.enter

    @operator_action
    async def find(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Search everything: go to what was found, or to the list that has most of it."""
        text = str(form.get("everything", ""))[:LONGEST].strip()
        if text:
            hit = await read(lists.search, actor, text)
            row = f"/operator/{hit.table}/{hit.row}"
            yield redirect(row if hit.row else address(hit.table, ListQuery(q=text)))
