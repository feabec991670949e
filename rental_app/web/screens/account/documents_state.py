"""Documents by which customers prove who they are: sending, looking at and withdrawing them on the account's page."""

import re
from collections.abc import AsyncIterator, Mapping
from datetime import date
from typing import Any

import reflex as rx

from rental_app.domain import clock
from rental_app.domain.errors import ForbiddenError
from rental_app.domain.identity import LICENCE_CLASSES
from rental_app.domain.uploads import IDENTITY
from rental_app.schemas.identity import IdentityData
from rental_app.schemas.uploads import uploads_of
from rental_app.schemas.validation import refusal, ticked, validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.files import uploads
from rental_app.services.identity import papers
from rental_app.web.parts.presenters.documents import ABOUT, TITLES, DocumentRow, Documents, documents
from rental_app.web.parts.presenters.uploads import WaitingFile, waiting_files
from rental_app.web.session.base import acting_user, read, write
from rental_app.web.session.browser_drafts import read_draft
from rental_app.web.session.events import close_dialog, focus, open_dialog, success_toast
from rental_app.web.session.handlers import action, change, form_handler, one_at_a_time

# The dialogs.
SEND, LOOK, LOOKS = "account-document", "account-document-seen", "account-looks"
# Where what is wrong with the form is said, by the names on the wire, in the order of the page.
_FIELDS = {
    "document": "document-which",
    "number": "document-number",
    "name": "document-name",
    "classes": "document-classes",
    "validUntil": "document-until",
    "uploads": IDENTITY,
}
_DAY = re.compile(r"(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})", re.ASCII)
# Pages from which somebody comes here to send a document, and goes back.
_BACK = re.compile(r"/(vehicle-details/\d{1,18}/review|my-bookings/[A-Z0-9-]{1,20})(\?[\w=&%.~+,:-]*)?", re.ASCII)


class DocumentsForm(rx.State, mixin=True):
    """The part of the account's state about documents; `document` is the one that a dialog is about."""

    documents: Documents | None = None
    document: DocumentRow | None = None
    document_files: list[WaitingFile] = []
    # The page from which somebody came to send documents, '' for none.
    back: str = ""
    # The kind for which the form was open last, and for which one each waiting file was uploaded.
    _kind: str = ""
    _kind_of_file: dict[int, str] = {}

    @action
    async def ask_document(self, kind: str) -> AsyncIterator[Any]:
        """Open the form for a document of a kind."""
        if self._choose_document(kind):
            await self._find_document_files({})
            yield close_dialog(LOOK)
            yield open_dialog(SEND)

    @action
    async def look_at_document(self, kind: str) -> AsyncIterator[Any]:
        """Show what was sent of a kind."""
        if self._choose_document(kind):
            yield open_dialog(LOOK)

    @action
    async def regain_document(self, place: int, draft: str) -> AsyncIterator[Any]:
        """Restore what the open form is about after a reload or a restart; the browser itself keeps what was typed."""
        self.document = None
        yield
        await self._load_documents(await acting_user(self))
        if self._choose_document(next((kind for at, kind in enumerate(TITLES, start=1) if at == place), "")):
            await self._find_document_files(read_draft(draft))

    @change
    @form_handler(_FIELDS, door=acting_user)
    async def send_document(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Send a document of the kind that was asked for; it takes the place of an earlier one."""
        kind: Any = self.document.kind if self.document else ""
        if kind not in ABOUT:
            return
        sent = await write(papers.send, actor, kind, validated(IdentityData, _data_of(form)))
        yield
        self.document_files = []
        await self._load_documents(actor)
        yield close_dialog(SEND)
        yield success_toast(papers.SENT)
        yield focus(f"document-{sent.kind}")

    @change
    @one_at_a_time
    async def withdraw_document(self) -> AsyncIterator[Any]:
        """Erase the document that is shown."""
        actor = await acting_user(self)
        if self.document is None or not self.document.id:
            return
        yield
        await write(papers.withdraw, actor, self.document.id)
        # Its pictures are gone, and are not asked for while the dialog closes.
        self.document = None
        await self._load_documents(actor)
        yield close_dialog(LOOK)
        yield success_toast(papers.WITHDRAWN)

    def _choose_document(self, kind: str) -> bool:
        """Make one of the shown documents the one that a dialog is about; whether there is one of this kind."""
        rows = self.documents.rows if self.documents else []
        self.document = next((row for row in rows if row.kind == kind), None)
        self.errors: dict[str, str] = {}
        return self.document is not None

    async def _find_document_files(self, draft: Mapping[str, str]) -> None:
        """Show the files that were uploaded for the form and not sent with it, under the names that its draft has.

        What was uploaded for another kind of document waits until the form is open for that again.
        """
        waiting = await read(uploads.waiting_documents, await acting_user(self))
        kind = self.document.kind if self.document else ""
        new = self._kind or kind
        self._kind_of_file = {view.id: self._kind_of_file.get(view.id, new) for view in waiting}
        self._kind = kind
        views = [view for view in waiting if self._kind_of_file[view.id] == kind]
        names = {view.id: f"File {place}" for place, view in enumerate(views, start=1)}
        for file in uploads_of(draft, [IDENTITY]).get(IDENTITY, []):
            names[file.id] = file.name
        self.document_files = waiting_files(views, names)

    async def _load_documents(self, actor: Actor) -> None:
        """Show the documents of a customer; others have none."""
        try:
            self.documents = documents(await read(papers.of_actor, actor), clock.now())
        except ForbiddenError:
            self.documents = None

    def _note_way_back(self) -> bool:
        """Note which page somebody came from to send documents; whether that is news."""
        asked = str(self.router.url.query_parameters.get("back", ""))
        back = asked if _BACK.fullmatch(asked) else ""
        is_new, self.back = back not in ("", self.back), back
        return is_new


def _data_of(form: Mapping[str, Any]) -> dict[str, Any]:
    """A form's document as the REST call takes it."""
    return {
        "name": form.get("name") or "",
        "document": form.get("document") or "",
        "number": form.get("number") or "",
        "classes": [name for name in LICENCE_CLASSES if ticked(form, f"class.{name}")],
        "validUntil": _day_of(str(form.get("validUntil") or "")),
        "uploads": [upload.id for upload in uploads_of(form, [IDENTITY]).get(IDENTITY, [])],
    }


def _day_of(typed: str) -> str:
    """A day as printed on licences (09-05-2034) as the wire has it; raises InvalidInputError for none."""
    if not typed.strip():
        return ""
    if match := _DAY.fullmatch(typed.strip()):
        day, month, year = map(int, match.groups())
        try:
            return date(year, month, day).isoformat()
        except ValueError:
            pass
    raise refusal({"validUntil": "Type the day as on the licence, such as 09-05-2034"})
