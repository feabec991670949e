"""The state of the words of the shop in the console: the list of them, and the editor."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import reflex as rx

from rental_app.content.routes import BY_PATH
from rental_app.content.words import Wording
from rental_app.domain.characters import made_storable
from rental_app.domain.errors import ConflictError, InvalidInputError, NotFoundError
from rental_app.domain.ids import read_id
from rental_app.services import words
from rental_app.services.accounts.actor import Actor
from rental_app.services.words import Version
from rental_app.web.operator.words_presenter import (
    NOTE,
    ORDER,
    SEEN,
    WordsConflict,
    WordsKeyView,
    WordsPreview,
    WordsRowView,
    WordsSubject,
    WordsVersionRow,
    blank_row,
    conflict_view,
    errors_at,
    history_view,
    key_view,
    numbered,
    order_in,
    preview_of,
    rows_of,
    subject_of,
    typed_rows,
    value_in,
)
from rental_app.web.parts.presenters import heads
from rental_app.web.session.address import address_part
from rental_app.web.session.base import PrivateState, read, write
from rental_app.web.session.browser_drafts import forget_draft, note_typing, tell_draft
from rental_app.web.session.events import (
    close_dialog,
    error_toast,
    focus,
    open_dialog,
    refusal_at_fields,
    success_toast,
)
from rental_app.web.session.handlers import one_at_a_time
from rental_app.web.session.operator_auth import operator_action, operator_change, operator_load

FORM, ORDER_ID, UNDO, CONFLICT = "words-form", "words-order", "words-undo", "words-conflict"
ADD, SAVE = "words-add", "words-save"
# A form of 60 questions of four fields, and what goes with it.
MOST_FIELDS, LONGEST, LONGEST_NAME = 400, 60_000, 60


class WordsState(PrivateState):
    """All keys, or the editor of one; `seen` is the version that what is typed began with."""

    title: str = ""
    description: str = ""
    problem: str = ""
    missing: bool = False
    listed: list[WordsKeyView] = []
    subject: WordsSubject | None = None
    rows: list[WordsRowView] = []
    seen: int = 0
    note: str = ""
    errors: dict[str, str] = {}
    preview: WordsPreview | None = None
    history: list[WordsVersionRow] = []
    conflict: WordsConflict | None = None
    # Where the tab keeps what is typed, how often it has told so, and how often the form began anew.
    draft: str = ""
    told: int = 0
    turn: int = 0
    # The version that may be put in force again, while that is asked.
    undoing: WordsVersionRow | None = None
    busy: bool = False

    @rx.var
    def order(self) -> str:
        """The ids of the rows, in their order."""
        return ",".join(row.id for row in self.rows)

    @operator_load
    async def load_list(self, actor: Actor) -> None:
        """Show all keys."""
        self.problem, self.missing = "", False
        self.title, self.description = heads.named("Words"), BY_PATH["/operator"].description
        self.listed = [key_view(words.words_of(one.key), one) for one in await read(words.listed, actor)]

    @operator_load
    async def load(self, actor: Actor) -> None:
        """Show a key; what was typed is filled in once the tab has told it (`take_draft`)."""
        self.problem, self.missing = "", False
        key = address_part(self)
        if key != self._key:
            self.subject, self.draft, self.rows, self.conflict = None, "", [], None
        try:
            all_versions = await read(words.versions, actor, key)
        except NotFoundError:
            self.missing = True
            return
        wording = words.words_of(key)
        self.subject = subject_of(wording, await read(words.figures))
        self.history = history_view(wording, all_versions)
        self.title, self.description = heads.named(wording.label), BY_PATH["/operator"].description

    @property
    def _key(self) -> str:
        """The key that is edited; '' for none."""
        return self.subject.key if self.subject else ""

    @property
    def _wording(self) -> Wording:
        return words.words_of(self._key)

    def _failed(self, message: str) -> None:
        self.problem = message

    @operator_action
    async def start(self, actor: Actor) -> AsyncIterator[Any]:
        """Ask the tab for what it keeps of the form."""
        if self._key:
            self.draft = f"draft-{actor.id}-words-{self._key}"
            yield tell_draft(self.draft, WordsState.take_draft)

    @operator_action
    async def take_draft(self, actor: Actor, stored: str | None) -> None:
        """Fill the form with what the tab has kept of it, or with what is in force."""
        if not self._key:
            return
        form, present = _form_in(stored), await read(words.newest, self._key)
        if order_in(form):
            self.rows, self.note = typed_rows(self._wording, form), form.get(NOTE, "")
            self.seen = read_id(form.get(SEEN, "0"))
            await self._preview(value_in(self._wording, form), order_in(form))
        else:
            await self._begin(present)
        self.told += 1

    async def _begin(self, present: Version) -> None:
        """Show what is in force, with nothing typed."""
        self.turn += 1
        self.rows, self.seen = rows_of(self._wording, present.value, self.turn), present.version
        self.note, self.errors, self.conflict = "", {}, None
        await self._preview(present.value, [row.id for row in self.rows])

    async def _preview(self, value: Any, order: list[str]) -> None:
        wording, figures = self._wording, await read(words.figures)
        try:
            checked, self.errors = wording.checked(value, figures.keys()), {}
        except InvalidInputError as error:
            self.preview = (self.preview or WordsPreview()).model_copy(update={"problem": error.message})
            self.errors = errors_at(wording, error.fields, order)
            return
        self.preview = preview_of(wording, checked, figures, (await read(words.newest, self._key)).value)

    @operator_action
    async def show_typed(self, _actor: Actor, form: dict[str, Any]) -> None:
        """Show what is typed as the pages will show it."""
        typed = _texts(form)
        if self._key and self._is_shown(typed):
            await self._preview(value_in(self._wording, typed), order_in(typed))

    def _is_shown(self, typed: Mapping[str, str]) -> bool:
        """Whether a form is the one shown: what comes late is of rows that are gone."""
        return typed.get(ORDER, "") == self.order

    @operator_action
    async def add(self, _actor: Actor) -> AsyncIterator[Any]:
        """Add a row at the end."""
        if not (self.subject and self.subject.movable):
            return
        if len(self.rows) >= (most := self._wording.most):
            yield error_toast(f"At most {most}: remove one first")
            return
        self.turn += 1
        row_id = f"{self.turn}x0"
        self.rows = numbered([*self.rows, blank_row(self._wording, row_id, 0)])
        yield focus(self.rows[-1].fields[0].name)
        yield note_typing(ORDER_ID)

    @operator_action
    async def remove(self, _actor: Actor, row_id: str) -> AsyncIterator[Any]:
        """Remove a row."""
        at = next((at for at, row in enumerate(self.rows) if row.id == row_id), -1)
        if at < 0 or not (self.subject and self.subject.movable):
            return
        self.rows = numbered([row for row in self.rows if row.id != row_id])
        # The button that was pressed is gone: the next row's is in its place.
        yield focus(f"{self.rows[min(at, len(self.rows) - 1)].id}-remove" if self.rows else ADD)
        yield note_typing(ORDER_ID)

    @operator_action
    async def move(self, _actor: Actor, row_id: str, by: int) -> AsyncIterator[Any]:
        """Move a row by one place up (-1) or down (1)."""
        at = next((at for at, row in enumerate(self.rows) if row.id == row_id), -1)
        if at < 0 or by not in (-1, 1) or not 0 <= at + by < len(self.rows):
            return
        rows = [*self.rows]
        rows.insert(at + by, rows.pop(at))
        self.rows = numbered(rows)
        # At an end the button that was pressed is off.
        can_go_on = 0 <= at + 2 * by < len(rows)
        yield focus(f"{row_id}-{'up' if (by < 0) == can_go_on else 'down'}")
        yield note_typing(ORDER_ID)

    @operator_change
    @one_at_a_time
    async def save(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Put what is typed in force; if another version is by now, both are shown and nothing typed is lost."""
        if not self._key:
            return
        typed, wording = _texts(form), self._wording
        value = value_in(wording, typed)
        try:
            saved = await write(words.put, actor, self._key, value, read_id(typed.get(SEEN, "0")), typed.get(NOTE, ""))
        except InvalidInputError as error:
            self.errors = errors_at(wording, error.fields, order_in(typed))
            yield refusal_at_fields(error, self.errors)
            shown = [*(field.name for row in self.rows for field in row.fields), NOTE]
            if at_fault := next((name for name in shown if name in self.errors), ""):
                yield focus(at_fault)
            return
        except ConflictError as error:
            self.conflict = conflict_view(wording, await read(words.newest, self._key), value)
            self.history = history_view(wording, await read(words.versions, actor, self._key))
            yield error_toast(error.message)
            yield focus(CONFLICT)
            return
        yield forget_draft(self.draft)
        await self._begin(saved)
        self.history = history_view(wording, await read(words.versions, actor, self._key))
        # The form is a new one: what was pressed is gone.
        yield focus(SAVE)
        yield success_toast(words.SAVED)

    @operator_action
    async def keep_own(self, _actor: Actor) -> AsyncIterator[Any]:
        """Go on with what is typed: the next save takes the place of the version that was saved elsewhere."""
        if self.conflict:
            self.seen, self.conflict = self.conflict.version, None
            yield focus(SAVE)
            yield note_typing(ORDER_ID)

    @operator_action
    async def take_theirs(self, actor: Actor) -> AsyncIterator[Any]:
        """Drop what is typed, and go on with what is in force."""
        if self._key:
            yield forget_draft(self.draft)
            await self._begin(await read(words.newest, self._key))
            self.history = history_view(self._wording, await read(words.versions, actor, self._key))
            yield focus(SAVE)

    @operator_action
    async def ask_undo(self, _actor: Actor, number: int) -> AsyncIterator[Any]:
        """Ask before an earlier version is put in force again."""
        self.undoing = next((one for one in self.history if one.number == number and not one.in_force), None)
        if self.undoing:
            yield open_dialog(UNDO)

    @operator_action
    async def confirm_undo(self, _actor: Actor) -> AsyncIterator[Any]:
        """Undo, once the tab has told what it keeps of the form."""
        yield close_dialog(UNDO)
        yield tell_draft(self.draft, WordsState.undo)

    @operator_change
    async def undo(self, actor: Actor, stored: str | None) -> AsyncIterator[Any]:
        """Put the version asked about in force again, as a new one; what is typed, which the tab keeps, stays."""
        if not (self._key and self.undoing and self.history):
            return
        before = await read(words.versions, actor, self._key)
        chosen, typed = words.one_of(before, self.undoing.number), _form_in(stored)
        why, seen = f"Back to version {chosen.version}", self.history[0].number
        saved = await write(words.put, actor, self._key, chosen.value, seen, why)
        self.undoing = None
        if not order_in(typed) or value_in(self._wording, typed) == before[0].value:
            await self._begin(saved)
        self.history = history_view(self._wording, await read(words.versions, actor, self._key))
        yield success_toast(words.SAVED)


def _form_in(stored: str | None) -> dict[str, str]:
    """What a tab has kept of the form; empty for anything that it cannot have kept."""
    try:
        draft = json.loads(stored or "{}")
    except (ValueError, RecursionError):
        return {}
    return _texts(draft) if isinstance(draft, dict) else {}


def _texts(form: Mapping[str, Any]) -> dict[str, str]:
    pairs = [*form.items()][:MOST_FIELDS]
    return {str(name)[:LONGEST_NAME]: made_storable(text[:LONGEST]) for name, text in pairs if isinstance(text, str)}
