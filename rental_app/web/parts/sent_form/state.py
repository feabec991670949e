"""What the vendor's forms with files share: single submission, errors beside fields, files named by their uploads."""

from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

import reflex as rx
from pydantic import TypeAdapter, ValidationError

from rental_app.domain.errors import RentalError
from rental_app.domain.money import counted
from rental_app.domain.uploads import FILE_GROUPS, MAX_FILES_A_GROUP
from rental_app.schemas.uploads import uploads_of
from rental_app.schemas.validation import LABELS, label_of, ticked
from rental_app.schemas.vehicles import MissingFieldsError
from rental_app.services.accounts.actor import Actor
from rental_app.services.files import uploads
from rental_app.services.files.checks import CheckedUploads
from rental_app.web.parts.presenters.uploads import WaitingFile, waiting_files
from rental_app.web.session.base import read
from rental_app.web.session.browser_drafts import MOST_FIELDS
from rental_app.web.session.events import error_toast, focus, refusal_at_fields

# The fields in their order on the page, which has the photos for customers before the papers.
_ORDER = [*LABELS, *FILE_GROUPS[3:], *FILE_GROUPS[:3]]


_NAMES: TypeAdapter[dict[str, list[str]]] = TypeAdapter(dict[str, list[str]])


class SentForm(rx.State, mixin=True):
    """A form in the browser that is sent as a whole."""

    busy: bool = False
    # Distinguishes a form sent before the latest acceptance from one sent after it.
    round: int = 0
    errors: dict[str, str] = {}

    def _begins(self, form: Mapping[str, Any]) -> bool:
        """Whether this form is not the second of two quick presses: no other was accepted since it was filled in."""
        return not is_over(form, self.round)

    async def _refused(self, error: RentalError) -> AsyncIterator[Any]:
        """Store what is wrong with each field and focus the first."""
        # An error found while typing still holds if its field has not been changed since.
        self.errors = dict([*self.errors.items()][:MOST_FIELDS]) | error.fields
        first = min(error.fields, key=_place, default=None)
        yield _refusal(error, self.errors)
        if first:
            yield focus(first)


class FormWithFiles(SentForm, mixin=True):
    """Such a form that finds its uploads again, from what the browser has kept of it."""

    waiting: list[WaitingFile] = []

    async def _find_files(self, actor: Actor, form: Mapping[str, str]) -> list[rx.event.EventSpec]:
        """Show the uploads that still wait for the form; beside their groups, and in a toast, name the files that are
        gone: swept, or not sent when the page was left.
        """
        try:
            chosen = uploads_of(form)
        except RentalError:
            chosen = {}
        names = {upload.id: upload.name for files in chosen.values() for upload in files}
        self.waiting = waiting_files(await read(uploads.of_ids, actor, [*names]), names)
        here = {file.id for file in self.waiting}
        gone = _unsent_of(form)
        for group, files in chosen.items():
            gone[group] = [upload.name for upload in files if upload.id not in here] + gone.get(group, [])
        again = {group: f"Choose again: {', '.join(lost)}" for group, lost in gone.items() if lost}
        self.errors = self.errors | again
        listing = "; ".join(f"{label_of(group)}: {', '.join(gone[group])}" for group in again)
        return [error_toast(f"Some files could not be kept, choose them again. {listing}")] if listing else []


def is_over(form: Mapping[str, Any], current: int) -> bool:
    """Whether a form is from an earlier round than the current one."""
    sent = str(form.get("round"))
    return sent.isdecimal() and int(sent[:9]) < current


def _refusal(error: RentalError, errors: Mapping[str, str]) -> rx.event.EventSpec:
    """A toast for a refusal; if it lists fields by their names on the wire, it says how many there are."""
    if not isinstance(error, MissingFieldsError):
        return refusal_at_fields(error, errors)
    return error_toast(error.message, description=f"{counted(len(error.missing), 'field')} to fill")


def data_of(form: Mapping[str, Any]) -> dict[str, Any]:
    """A vehicle's data as the REST call takes them: `prices.0.price` becomes prices[0].price."""
    data: dict[str, Any] = {}
    rows: dict[str, dict[str, str]] = {}
    for name, text in [*form.items()][:MOST_FIELDS]:
        part, _, rest = name.partition(".")
        row, _, figure = rest.partition(".")
        if part == "prices":
            rows.setdefault(row, {"status": "Inactive"})[figure] = text
        elif not rest and name != "round":
            # Reflex sends null for a control that the page does not show.
            data[name] = "" if text is None else text
    # Sent even when it is not ticked: what an edit leaves out stays as it is.
    extra_payment = {"drop_off_pick_extra_payment": ticked(form, "drop_off_pick_extra_payment")}
    return data | extra_payment | {"prices": [*rows.values()]}


def _unsent_of(form: Mapping[str, Any]) -> dict[str, list[str]]:
    """The names of files that a form had not sent yet, by group; empty for what no form of ours keeps."""
    try:
        names = _NAMES.validate_json(str(form.get("unsent.files") or "{}"))
    except ValidationError:
        return {}
    return {group: names[group][:MAX_FILES_A_GROUP] for group in FILE_GROUPS if group in names}


def sent_of(form: Mapping[str, Any]) -> CheckedUploads:
    """The files of a form; raises as `uploads_of`."""
    return CheckedUploads(ahead={group: [upload.id for upload in files] for group, files in uploads_of(form).items()})


def dropped_of(form: Mapping[str, Any]) -> list[str]:
    """The ids of the stored files to be removed."""
    texts: Iterable[str] = (str(form.get(f"drop.{group}") or "") for group in FILE_GROUPS)
    return [part for text in texts for part in text.split(",") if part][: 2 * len(FILE_GROUPS) * MAX_FILES_A_GROUP]


def _place(name: str) -> tuple[int, str]:
    head = name.partition(".")[0]
    return (_ORDER.index(head) if head in _ORDER else len(_ORDER)), name
