"""The state of the queue: what waits, what is looked at, what was found, and the decision."""

from collections.abc import AsyncIterator
from typing import Any

from rental_app.content.routes import BY_PATH
from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, InvalidInputError, NotFoundError
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import acts, evidence, lists, parts, tables, work
from rental_app.services.console.lists import ConsoleRow
from rental_app.services.console.table import Decision
from rental_app.web.operator.action_presenter import actions_of
from rental_app.web.operator.cells_presenter import name_of, text_of
from rental_app.web.operator.row_presenter import PaperView
from rental_app.web.operator.state import papers_beside
from rental_app.web.operator.work_presenter import (
    DIFFERS,
    EQUAL,
    CurrentItemView,
    KindView,
    SectionView,
    WorkItemView,
    answer_section,
    item_view,
    kinds_shown,
    picture_of,
    plate_of,
    prices_section,
    reason_box,
    reasons_for,
    sections_of,
    with_findings,
)
from rental_app.web.parts.presenters import heads
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.events import error_toast, focus, success_toast
from rental_app.web.session.handlers import one_at_a_time
from rental_app.web.session.operator_auth import OperatorDoorState, operator_action, operator_change, operator_load

REASON, ITEM = "work-reason", "work-item"
LONGEST = 1000
_NEXT = {"": EQUAL, EQUAL: DIFFERS, DIFFERS: ""}


def _parts(reason: str) -> list[str]:
    """The sentences of a reason."""
    return [part for part in reason.rstrip(". ").split(". ") if part]


class WorkState(PrivateState):
    """The queue of one kind of work, or of all, and the item that is looked at."""

    title: str = ""
    description: str = ""
    problem: str = ""
    items: list[WorkItemView] = []
    kinds: list[KindView] = []
    other_kinds: list[KindView] = []
    kind: str = ""
    loaded: bool = False
    current: CurrentItemView | None = None
    paper: PaperView | None = None
    reason: str = ""
    # Changed when the reason is: the box is drawn anew with it.
    reasons: int = 0
    error: str = ""
    busy: bool = False

    @operator_load
    async def load(self, actor: Actor) -> None:
        """Show what waits, and the first of it."""
        self.problem = ""
        self.title, self.description = heads.of("/operator").title, BY_PATH["/operator"].description
        await self._fill(actor)
        if not (self.current is not None and self._position() >= 0):
            await self._open_first(actor)

    def _failed(self, message: str) -> None:
        self.problem = message

    async def _fill(self, actor: Actor) -> None:
        queue, now, kinds = await read(work.queue, actor), clock.now(), work.kinds()
        # The last of a kind was decided: the queue goes on with all others.
        self.kind = self.kind if queue.counts.get(self.kind) else ""
        self.items = [item_view(item, kinds, now) for item in queue.items if not self.kind or item.kind == self.kind]
        self.kinds, self.other_kinds = kinds_shown(queue.counts, kinds, self.kind)
        self.loaded = True
        door = await self.get_state(OperatorDoorState)
        door.counts, door.waiting = queue.counts, sum(queue.counts.values())

    def _position(self) -> int:
        """The number of the item looked at in the queue, -1 if it is not there any more."""
        looked = (self.current.kind, self.current.id) if self.current else None
        return next((place for place, item in enumerate(self.items) if (item.kind, item.id) == looked), -1)

    async def _open_first(self, actor: Actor, place: int = 0) -> None:
        """Open the item at a place of the queue, or the last one; nothing if the queue is empty."""
        self.current, self.paper, self.reason, self.error = None, None, "", ""
        self.reasons += 1
        if self.items:
            await self._open(actor, self.items[min(place, len(self.items) - 1)])

    async def _open(self, actor: Actor, item: WorkItemView) -> None:
        name = work.kinds()[item.kind].table
        table = tables.named(name)
        try:
            row = await read(lists.one, actor, name, item.id)
        except NotFoundError:
            return
        before = await read(evidence.since_approval, actor, item.id) if name == "listings" else {}
        shown, before = (await papers_beside(actor, name, item.id), before)
        findings, further = await self._against(actor, name, item.id)
        facts = with_findings(sections_of(table, row, shown, before), findings)
        seen = await read(acts.version, actor, name, item.id)
        place = next((place for place, each in enumerate(self.items, 1) if each.key == item.key), 1)
        actions = [action for action in actions_of(table, row) if action.key]
        label, always = reason_box(actions)
        column = table.column(table.under) if table.under else None
        position, title = f"{place} of {len(self.items)}", name_of(table, row)
        self.current = CurrentItemView(
            kind=item.kind,
            table=name,
            id=item.id,
            seen=seen,
            title=title,
            spoken=f"{title}, {item.label}, {position}",
            under=text_of(column, row.values[column.name]) if column and column.kind != "plate" else "",
            plate=plate_of(table, row),
            picture=picture_of(row),
            position=position,
            href=f"/operator/{name}/{item.id}",
            sections=[*facts, *further],
            papers=shown,
            actions=actions,
            reason_label=label,
            always_asked=always,
            ready=reasons_for(name, findings),
        )
        self.paper = shown[0] if shown else None

    async def _against(self, actor: Actor, name: str, row_id: int) -> tuple[list[ConsoleRow], list[SectionView]]:
        """What the data say against a listing, and what else is to be known of a row: its prices, the other side."""
        if name == "objections":
            return [], answer_section(await read(parts.read_part, actor, name, row_id, "sides"))
        if name not in ("listings", "papers"):
            return [], []
        findings = await read(parts.read_part, actor, name, row_id, "findings")
        if name == "papers":
            return findings, []
        return findings, prices_section(await read(parts.read_part, actor, name, row_id, "prices"))

    @operator_action
    async def choose_kind(self, actor: Actor, kind: str) -> None:
        """Show one kind of work only; '' for all."""
        self.kind = kind if kind in work.kinds() else ""
        await self._fill(actor)
        await self._open_first(actor)

    @operator_action
    async def pick(self, actor: Actor, kind: str, number: int) -> None:
        """Look at an item of the queue."""
        place = next((at for at, item in enumerate(self.items) if (item.kind, item.id) == (kind, number)), None)
        if place is not None:
            await self._open_first(actor, place)

    @operator_action
    async def step(self, actor: Actor, by: int) -> AsyncIterator[Any]:
        """Look at the next item, or the one before, in the middle pane."""
        place = self._position() + (1 if by > 0 else -1)
        if 0 <= place < len(self.items):
            await self._open_first(actor, place)
        yield focus(ITEM)

    @operator_action
    async def show_paper(self, _actor: Actor, number: str) -> None:
        """Show another paper."""
        shown = self.current.papers if self.current else []
        self.paper = next((paper for paper in shown if paper.number == number), self.paper)

    @operator_action
    async def note_fact(self, _actor: Actor, name: str) -> None:
        """Mark a fact as equal to its paper, as different, or as not looked at; what differs is a reason to refuse."""
        if self.current is None:
            return
        marked = self._marked()
        for section in self.current.sections:
            for field in section.fields:
                if field.name == name:
                    field.mark = _NEXT[field.mark]
        others = [part for part in _parts(self.reason) if part not in marked]
        self._give(". ".join([*self._marked(), *others]))
        self.current = self.current

    def _marked(self) -> list[str]:
        """What is said of the facts that were found to differ."""
        return [
            f"{field.label} differs from the {field.paper}" if field.paper else f"{field.label} is not right"
            for section in (self.current.sections if self.current else [])
            for field in section.fields
            if field.mark == DIFFERS
        ]

    @operator_action
    async def toggle_reason(self, _actor: Actor, text: str) -> None:
        """Add one of the reasons to choose, or take it out again."""
        if self.current is None or text not in [each.text for each in self.current.ready]:
            return
        sentences = _parts(self.reason)
        others = [part for part in sentences if part != text]
        self._give(". ".join(others if text in sentences else [*sentences, text]))

    @operator_action
    async def type_reason(self, _actor: Actor, text: str) -> None:
        """Note what was typed as the reason."""
        self.reason, self.error = text[:LONGEST].strip(), ""

    def _give(self, reason: str) -> None:
        self.reason, self.error = reason[:LONGEST], ""
        self.reasons += 1

    @operator_change
    @one_at_a_time
    async def decide(
        self, actor: Actor, action: str, kind: str, number: int, seen: str, reason: str
    ) -> AsyncIterator[Any]:
        """Decide about the item looked at as it was seen, for the reason in the box, and go on to the next."""
        if self.current is None or (self.current.kind, self.current.id) != (kind, number):
            return
        asks = {field.name: field for each in self.current.actions if each.name == action for field in each.asks}
        self.reason = reason[:LONGEST].strip()
        answers = {name: self.reason for name in asks}
        place = self._position()
        try:
            message = await write(acts.act, actor, self.current.table, action, Decision(number, seen, answers))
        except InvalidInputError as error:
            self.error = next(iter(error.fields.values()), error.message)
            yield focus(REASON)
            return
        except ConflictError as error:
            yield error_toast(error.message)
        else:
            yield success_toast(message)
        await self._fill(actor)
        still = self._position()
        await self._open_first(actor, max(0, still if still >= 0 else place))
        yield focus(ITEM)
