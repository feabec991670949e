"""The words of the shop in the console: the list of them, and the editor with preview and versions."""

from typing import Any

import reflex as rx

from rental_app.web.operator.numbers_presenter import EffectView
from rental_app.web.operator.parts import BUTTON, CARD, DANGER, FILLED, INPUT, LINK
from rental_app.web.operator.shell import operator_page
from rental_app.web.operator.words_presenter import (
    NOTE,
    ORDER,
    SEEN,
    ChangedLine,
    WordsConflict,
    WordsFieldView,
    WordsKeyView,
    WordsPreview,
    WordsRowView,
    WordsSubject,
    WordsVersionRow,
)
from rental_app.web.operator.words_state import ADD, CONFLICT, FORM, ORDER_ID, SAVE, UNDO
from rental_app.web.operator.words_state import WordsState as State
from rental_app.web.parts.dialogs import asking
from rental_app.web.parts.field import field_error
from rental_app.web.parts.fold import faq
from rental_app.web.parts.notice import failure, notice
from rental_app.web.parts.theme import BLOCK_TITLE, MUTED, PAGE_TITLE, PROSE, SKELETON
from rental_app.web.react.form_changes import form_changes
from rental_app.web.react.unsaved_guard import unsaved_guard

_WAITING = rx.el.div(class_name=f"{SKELETON} h-120", custom_attrs={"aria-hidden": "true"})
_SMALL = f"{BUTTON} px-0! w-10 max-md:w-11"


def words_list_page() -> rx.Component:
    """All words that are edited here, each with its version and who wrote it."""
    failed = failure("The words could not be loaded", State.problem, State.load_list)
    listed = rx.el.ul(rx.foreach(State.listed, _key), class_name=f"{CARD} list-none overflow-hidden p-0")
    return operator_page(
        rx.el.h1("Words", class_name=f"{PAGE_TITLE} mb-2"),
        rx.el.p(
            "What the shop's pages say. A new version shows at once; every earlier one stays.",
            class_name=f"{MUTED} mb-4",
        ),
        rx.cond(State.problem, failed, rx.cond(State.listed, listed, _WAITING)),
    )


def _key(one: rx.Var[WordsKeyView]) -> rx.Component:
    return rx.el.li(
        rx.el.a(
            rx.el.div(
                rx.el.span(one.label, class_name="block font-semibold text-(--ink)"),
                rx.cond(one.about, rx.el.span(one.about, class_name=f"{MUTED} block text-sm")),
                class_name="min-w-0 flex-[1_1_16rem]",
            ),
            rx.el.div(
                rx.el.span(one.version, class_name="block text-sm font-medium text-(--ink)"),
                rx.cond(one.changed, rx.el.span(one.changed, class_name=f"{MUTED} block text-sm")),
                class_name="flex-[0_1_16rem]",
            ),
            href=one.href,
            class_name=(
                "flex flex-wrap items-center gap-x-6 gap-y-1 border-t border-(--line) px-4 py-3 no-underline"
                " hover:bg-(--accent-a2)"
            ),
            custom_attrs={"data-row": "true"},
        ),
        key=one.href,
    )


def words_page() -> rx.Component:
    """The editor of a key: rows, preview, versions."""
    nothing = notice("There are no words of this name", "The list has all of them.", title_tag=rx.el.h1)
    failed = failure("These words could not be loaded", State.problem, State.load)
    page = rx.cond(State.subject, _editor(State.subject), _WAITING)
    return operator_page(
        rx.cond(State.missing, nothing, rx.cond(State.problem, failed, page)),
        asking(
            name=UNDO,
            title="Undo to this version?",
            description=f"{State.undoing.title} is put in force again, as a new version. Every page shows it at once.",
            about=rx.Var.create(State.undoing).bool(),
            stay="Leave it",
            answer=rx.el.button(
                "Put it in force again",
                type="button",
                on_click=State.confirm_undo,
                class_name=DANGER,
            ),
            focus_back="words-versions",
        ),
    )


def _editor(subject: rx.Var[WordsSubject]) -> rx.Component:
    return rx.fragment(
        rx.el.a(
            rx.icon("chevron-left", size=16),
            "Words",
            href="/operator/words",
            class_name=f"{LINK} inline-flex min-h-8 items-center gap-1 max-md:min-h-11",
        ),
        rx.el.div(
            rx.el.h1(subject.label, class_name=PAGE_TITLE),
            rx.cond(
                subject.page,
                rx.el.a(
                    "See the page",
                    href=subject.page,
                    target="_blank",
                    class_name=f"{LINK} inline-flex min-h-8 items-center max-md:min-h-11",
                ),
            ),
            class_name="flex flex-wrap items-baseline gap-x-4 gap-y-1",
        ),
        rx.cond(subject.about, rx.el.p(subject.about, class_name=f"{MUTED} mt-1")),
        rx.cond(State.conflict, _conflict(State.conflict)),
        rx.el.div(
            rx.el.div(
                form_changes(
                    FORM,
                    _WAITING,
                    _form(subject),
                    draft=State.draft,
                    told=State.told,
                    on_start=State.start,
                    on_keep=State.show_typed,
                ),
                class_name="min-w-0",
            ),
            rx.el.div(
                rx.cond(State.preview, _preview(State.preview)), class_name="min-w-0 lg:sticky lg:top-20 lg:self-start"
            ),
            class_name="mt-4 grid gap-5 lg:grid-cols-2",
        ),
        _versions(),
    )


def _form(subject: rx.Var[WordsSubject]) -> rx.Component:
    hidden: list[tuple[str, str, Any]] = [
        (ORDER, ORDER_ID, State.order),
        (SEEN, "words-seen", rx.Var.create(State.seen).to_string()),
    ]
    return rx.el.form(
        *[rx.el.input(type="hidden", name=name, id=id, value=value, read_only=True) for name, id, value in hidden],
        rx.cond(State.errors[""], rx.el.p(State.errors[""], class_name="wrong", role="alert")),
        rx.foreach(State.rows, _row),
        rx.cond(
            subject.movable,
            rx.el.button(
                rx.icon("plus", size=16), "Add one", type="button", id=ADD, on_click=State.add, class_name=BUTTON
            ),
        ),
        rx.cond(
            subject.names,
            rx.el.details(
                rx.el.summary("Names in braces that you may use", class_name=f"{LINK} min-h-11 cursor-pointer py-2"),
                rx.el.p(
                    rx.foreach(subject.names, lambda name: rx.el.code(name, class_name="mr-3 inline-block text-sm")),
                    class_name=MUTED,
                ),
            ),
        ),
        rx.el.div(
            rx.el.label("Why (for those who look at the versions)", html_for=NOTE, class_name="text-sm font-medium"),
            rx.el.input(
                id=NOTE,
                name=NOTE,
                default_value=State.note,
                max_length=300,
                auto_complete="off",
                class_name=INPUT,
                custom_attrs={"aria-describedby": rx.cond(State.errors[NOTE], f"{NOTE}-error", "")},
            ),
            field_error(NOTE, State.errors[NOTE]),
        ),
        rx.el.div(
            # Never disabled, which would take the focus from it: a second press meanwhile does nothing.
            rx.el.button("Save", type="submit", id=SAVE, class_name=FILLED, custom_attrs={"aria-disabled": State.busy}),
            rx.el.button(
                "Discard what is typed",
                type="button",
                on_click=State.take_theirs,
                class_name=BUTTON,
            ),
            # In sight from the first of sixty questions to the last.
            class_name="sticky bottom-0 flex flex-wrap gap-2 bg-(--page) py-3"
            " max-md:bottom-[calc(3.5rem+env(safe-area-inset-bottom))]",
        ),
        unsaved_guard(FORM, "What is typed stays in this tab until you save or discard it."),
        id=FORM,
        key=rx.Var.create(State.turn).to_string(),
        on_submit=State.save,
        reset_on_submit=False,
        no_validate=True,
        class_name="flex flex-col gap-4",
    )


def _row(row: rx.Var[WordsRowView]) -> rx.Component:
    tools = rx.el.div(
        rx.el.span(row.number, class_name=f"{MUTED} mr-auto text-sm tabular-nums"),
        _tool("arrow-up", "Move up", row, "up", State.move(row.id, -1), row.number == 1),
        _tool("arrow-down", "Move down", row, "down", State.move(row.id, 1), row.is_last),
        _tool("x", "Remove", row, "remove", State.remove(row.id)),
        class_name="flex items-center gap-2",
    )
    return rx.el.div(
        rx.cond(State.subject.movable, tools),
        rx.foreach(row.fields, _field),
        role="group",
        class_name=f"{CARD} flex flex-col gap-3 p-4",
        custom_attrs={"aria-label": f"Number {row.number}"},
        key=row.id,
    )


def _tool(
    icon: str, label: str, row: rx.Var[WordsRowView], act: str, on_click: Any, off: rx.Var[bool] | bool = False
) -> rx.Component:
    return rx.el.button(
        rx.icon(icon, size=16),
        type="button",
        id=f"{row.id}-{act}",
        on_click=on_click,
        disabled=off,
        class_name=_SMALL,
        custom_attrs={"aria-label": f"{label} {row.number}", "title": label},
    )


def _field(field: rx.Var[WordsFieldView]) -> rx.Component:
    error = State.errors[field.name]
    attributes = {
        "aria-invalid": rx.cond(error, "true", "false"),
        "aria-describedby": rx.cond(error, f"{field.name}-error", rx.cond(field.hint, f"{field.name}-hint", "")),
    }
    same: dict[str, Any] = {"id": field.name, "name": field.name, "max_length": field.most, "custom_attrs": attributes}
    label = rx.el.label(field.label, html_for=field.name, class_name="text-sm font-medium")
    switch = rx.el.label(
        rx.el.input(
            type="checkbox",
            id=field.name,
            name=field.name,
            default_checked=field.value != "",
            class_name="size-5 shrink-0",
        ),
        field.label,
        class_name="flex min-h-11 cursor-pointer items-center gap-3 text-sm font-medium",
    )
    tall = f"{INPUT} field-sizing-content min-h-20"
    text = rx.el.textarea(default_value=field.value, rows="4", class_name=tall, **same)
    listed = rx.el.textarea(default_value=field.value, rows="2", class_name=tall, **same)
    line = rx.el.input(type="text", default_value=field.value, auto_complete="off", class_name=INPUT, **same)
    number = rx.fragment(
        rx.el.label(
            field.label,
            rx.cond(field.unit, rx.el.span(f" ({field.unit})", class_name=MUTED)),
            html_for=field.name,
            class_name="block text-sm font-medium",
        ),
        rx.el.input(
            type="text",
            input_mode="decimal",
            default_value=field.value,
            auto_complete="off",
            class_name=f"{INPUT} max-w-40 tabular-nums",
            **same,
        ),
        rx.el.span(field.hint, id=f"{field.name}-hint", class_name=f"{MUTED} mt-1 block text-sm"),
    )
    return rx.el.div(
        rx.cond(field.heading, rx.el.h2(field.heading, class_name=f"{BLOCK_TITLE} mt-3 mb-2")),
        rx.match(
            field.form,
            ("switch", switch),
            ("text", rx.fragment(label, text)),
            ("list", rx.fragment(label, rx.el.span(" One on each line.", class_name=f"{MUTED} text-sm"), listed)),
            ("number", number),
            rx.fragment(label, line),
        ),
        field_error(field.name, error),
        key=field.name,
    )


def _preview(preview: rx.Var[WordsPreview]) -> rx.Component:
    """The words as pages will show them, which is rendered a moment after the typing."""
    point = "border-l-4 border-(--marigold) pl-4"
    return rx.el.section(
        rx.el.h2("Preview", class_name=BLOCK_TITLE),
        rx.cond(
            preview.problem,
            rx.el.p(f"This cannot be saved yet: {preview.problem}", class_name="wrong mt-2", role="status"),
        ),
        rx.el.div(
            rx.cond(preview.heading, rx.el.h3(preview.heading, class_name="text-2xl font-bold")),
            rx.cond(preview.html, rx.html(preview.html, class_name=f"{PROSE} wrap-break-word")),
            rx.cond(preview.questions, faq(preview.questions)),
            rx.foreach(
                preview.points,
                lambda one: rx.el.div(
                    rx.el.h3(f"{one.number}. {one.title}", class_name="font-semibold"),
                    rx.el.p(one.text, class_name=MUTED),
                    class_name=point,
                ),
            ),
            rx.foreach(
                preview.stories,
                lambda one: rx.el.figure(
                    rx.el.blockquote(f"“{one.quote}”", class_name="m-0"),
                    rx.el.figcaption(rx.el.strong(one.name), f", {one.rode}", class_name=f"{MUTED} text-sm"),
                    class_name=f"m-0 {point}",
                ),
            ),
            rx.cond(preview.effects, _effects(preview.effects)),
            rx.cond(
                preview.lines,
                rx.el.ul(
                    rx.foreach(preview.lines, lambda line: rx.el.li(line)),
                    class_name="list-disc space-y-1 pl-5",
                ),
            ),
            class_name="mt-3 flex max-h-160 flex-col gap-3 overflow-y-auto wrap-anywhere",
            tab_index=0,
            role="region",
            custom_attrs={"aria-label": "Preview"},
        ),
        rx.cond(
            preview.changes,
            rx.el.details(
                rx.el.summary("What changes", class_name=f"{LINK} min-h-11 cursor-pointer py-3"),
                _lines(preview.changes),
                open=True,
            ),
            rx.el.p("Nothing changes yet.", class_name=f"{MUTED} mt-3 text-sm"),
        ),
        class_name=f"{CARD} p-4",
        custom_attrs={"aria-label": "Preview and changes"},
    )


def _effects(effects: rx.Var[list[EffectView]]) -> rx.Component:
    """What the numbers come to: as it is, and with what is typed."""
    return rx.el.dl(
        rx.foreach(
            effects,
            lambda effect: rx.el.div(
                rx.el.dt(effect.label, class_name="text-sm font-medium"),
                rx.el.dd(
                    rx.cond(effect.changed, rx.el.span("Now ", class_name="sr-only")),
                    rx.el.span(effect.before, class_name=rx.cond(effect.changed, f"{MUTED} line-through", "")),
                    class_name="m-0",
                ),
                rx.cond(effect.changed, rx.el.dd(f"then {effect.after}", class_name="m-0 font-semibold")),
                class_name=rx.cond(effect.changed, "rounded-lg bg-(--amber-a3) px-2 py-1", "px-2 py-1"),
            ),
        ),
        class_name="m-0 flex flex-col gap-1",
    )


def _lines(lines: rx.Var[list[ChangedLine]]) -> rx.Component:
    return rx.el.ul(
        rx.foreach(
            lines,
            lambda line: rx.el.li(
                rx.el.span(
                    rx.match(line.sign, ("+", "Added: "), ("-", "Removed: "), ""),
                    class_name="sr-only",
                ),
                rx.el.span(line.sign, class_name="w-4 shrink-0 font-semibold", custom_attrs={"aria-hidden": "true"}),
                rx.el.span(line.text, class_name="min-w-0 whitespace-pre-wrap wrap-anywhere"),
                class_name=rx.match(
                    line.sign,
                    ("+", "flex rounded bg-(--green-a3) px-2 py-1 text-sm"),
                    ("-", "flex rounded bg-(--red-a3) px-2 py-1 text-sm"),
                    "flex px-2 py-1 text-sm",
                ),
            ),
        ),
        class_name="flex list-none flex-col gap-1 p-0",
    )


def _conflict(conflict: rx.Var[WordsConflict]) -> rx.Component:
    """What was saved elsewhere beside what was typed here, and which of them goes on."""
    return rx.el.section(
        rx.el.h2("Somebody has saved another version meanwhile", class_name=BLOCK_TITLE),
        rx.el.p(
            "Nothing of yours is lost. Compare both: go on with yours, or take theirs.",
            class_name="mt-1",
        ),
        rx.el.div(
            rx.el.div(
                rx.el.h3(conflict.title, class_name="mb-2 font-semibold"),
                _lines(conflict.there),
                class_name="min-w-0",
            ),
            rx.el.div(
                rx.el.h3("Typed here", class_name="mb-2 font-semibold"),
                _lines(conflict.here),
                class_name="min-w-0",
            ),
            class_name="mt-3 grid max-h-120 gap-4 overflow-y-auto sm:grid-cols-2",
            tab_index=0,
            role="region",
            custom_attrs={"aria-label": "Both versions"},
        ),
        rx.el.div(
            rx.el.button("Go on with mine", type="button", on_click=State.keep_own, class_name=BUTTON),
            rx.el.button("Take theirs", type="button", on_click=State.take_theirs, class_name=DANGER),
            class_name="mt-4 flex flex-wrap gap-2",
        ),
        role="alert",
        id=CONFLICT,
        tab_index=-1,
        class_name=f"{CARD} mt-4 scroll-mt-20 border-(--amber-a7)! p-4",
    )


def _versions() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Versions", id="words-versions", tab_index=-1, class_name=f"{BLOCK_TITLE} px-4 py-3"),
        rx.el.ol(rx.foreach(State.history, _version), class_name="list-none p-0"),
        class_name=f"{CARD} mt-5",
        custom_attrs={"aria-label": "Versions"},
    )


def _version(version: rx.Var[WordsVersionRow]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.div(
                rx.el.p(version.title, class_name="font-semibold"),
                rx.cond(version.when, rx.el.p(version.when, class_name=f"{MUTED} text-sm")),
                rx.cond(version.note, rx.el.p(version.note, class_name="text-sm wrap-anywhere")),
                class_name="min-w-0 flex-[1_1_14rem]",
            ),
            rx.cond(
                version.in_force,
                rx.el.p("In force", class_name="text-sm font-semibold"),
                rx.el.button(
                    "Undo to this version",
                    type="button",
                    on_click=State.ask_undo(version.number),
                    class_name=BUTTON,
                    custom_attrs={"aria-haspopup": "dialog"},
                ),
            ),
            class_name="flex flex-wrap items-center gap-3",
        ),
        rx.cond(
            version.summary,
            rx.el.details(
                rx.el.summary(version.summary, class_name=f"{LINK} min-h-11 cursor-pointer py-3"),
                _lines(version.changes),
            ),
        ),
        class_name="border-t border-(--line) px-4 py-3",
        key=version.number,
    )
