"""A form whose data and files go from the browser straight to a REST call, with previews and progress."""

from typing import Any

import reflex as rx

from rental_app.components.theme import BLOCK_TITLE, BUTTON
from rental_app.rules.uploads import MAX_FILE_BYTES, MAX_FILES_A_GROUP, MAX_FORM_BYTES

_SCRIPT = rx.asset("upload_form.jsx", shared=True)
for _part in ("file_groups.jsx", "file_kinds.js", "form_draft.js", "upload_wire.js", "upload_form.css"):
    rx.asset(_part, shared=True)


class _UploadForm(rx.Component):
    """The React side. What is typed and chosen lives there until the server has accepted it."""

    library = _SCRIPT.importable_path
    tag = "UploadForm"

    url: rx.Var[str]
    draft: rx.Var[str]
    opened: rx.Var[int]
    limits: rx.Var[dict[str, int]]
    label: rx.Var[str]
    groups: rx.Var[list[dict[str, Any]]]
    groups_title: rx.Var[str]
    groups_text: rx.Var[str]
    existing: rx.Var[list[Any]]
    required: rx.Var[list[str]]
    base: rx.Var[dict[str, Any]]
    submit_label: rx.Var[str]
    busy_label: rx.Var[str]
    submit_class: rx.Var[str]
    cancel_class: rx.Var[str]
    foot_class: rx.Var[str]
    title_class: rx.Var[str]
    cancels: rx.Var[bool]
    on_start: rx.EventHandler[rx.event.no_args_event_spec]
    on_typed: rx.EventHandler[rx.event.passthrough_event_spec(dict[str, str])]
    on_answer: rx.EventHandler[rx.event.passthrough_event_spec(dict[str, Any])]


def upload_form(*content: rx.Component, url: str, label: str, submit_label: str, busy_label: str, **props: Any) -> Any:
    """A form posted to ``url`` as multipart: its named inputs as the JSON ``vehicleData``, its files by group.

    ``required`` are the names that must not be blank, ``groups`` the upload groups (title, hint, photos only),
    ``existing`` the files the server has, ``base`` what is sent besides the inputs, ``draft`` the key under which this
    browser's tab keeps what is typed until it has been sent and ``opened`` a number that grows once a fresh form is
    ready for it. ``on_answer`` receives the
    server's answer or a refusal of the same shape, ``on_typed`` the inputs changed, a moment after the typing,
    ``on_start`` a fresh form. With ``cancels`` it has a button that closes the dialog it is in. While it holds changes
    it says so in ``data-dirty``.
    """
    return _UploadForm.create(
        *content,
        url=url,
        limits={"files": MAX_FILES_A_GROUP, "fileBytes": MAX_FILE_BYTES, "formBytes": MAX_FORM_BYTES},
        label=label,
        submit_label=submit_label,
        busy_label=busy_label,
        submit_class=BUTTON["primary"],
        cancel_class=BUTTON["quiet"],
        title_class=BLOCK_TITLE,
        **props,
    )
