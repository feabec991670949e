"""What the console's pages share: badges, cells, lists that are cards on narrow screens, the question before an act."""

from typing import Any

import reflex as rx

from rental_app.web.operator.action_presenter import ActionView, QuestionView
from rental_app.web.operator.cells_presenter import CellView
from rental_app.web.operator.list_presenter import ColumnHeadView, GridView, RowView
from rental_app.web.operator.row_presenter import PaperView
from rental_app.web.operator.state import ACTION
from rental_app.web.operator.state import ConsoleState as State
from rental_app.web.parts.badges import plate
from rental_app.web.parts.dialogs import answers
from rental_app.web.parts.field import field_error
from rental_app.web.parts.theme import FIELD, MUTED, SKELETON
from rental_app.web.react.browser_draft import browser_draft, draft_dialog
from rental_app.web.react.date_time_picker import day_input
from rental_app.web.react.modal import modal
from rental_app.web.react.paper import paper
from rental_app.web.react.shortcuts import ROW

_BADGE = "inline-flex min-h-6 items-center rounded-full px-2.5 text-[12.5px] font-semibold whitespace-nowrap"
BUTTON = (
    "inline-flex min-h-10 max-md:min-h-11 cursor-pointer items-center justify-center gap-2 rounded-[10px] border"
    " border-(--gray-a6)"
    " bg-(--surface) px-4 py-1 text-sm font-semibold text-(--ink) no-underline hover:bg-(--gray-a3)"
    " disabled:cursor-default disabled:opacity-50 aria-disabled:cursor-default aria-disabled:opacity-50"
)
DANGER = BUTTON.replace("text-(--ink)", "text-(--red-11)").replace("border-(--gray-a6)", "border-(--red-a7)")
FILLED = (
    BUTTON.replace("bg-(--surface)", "bg-(--accent-9)")
    .replace("text-(--ink)", "text-(--accent-contrast)")
    .replace("hover:bg-(--gray-a3)", "hover:bg-(--accent-10)")
)
REFUSE = (
    BUTTON.replace("bg-(--surface)", "bg-(--refuse)")
    .replace("text-(--ink)", "text-white")
    .replace("hover:bg-(--gray-a3)", "hover:brightness-90")
)
INPUT = (
    "mt-1 w-full rounded-[10px] border border-(--gray-a7) bg-(--surface) p-2.5 text-(--ink)"
    " aria-[invalid=true]:border-(--red-9)"
)
LINK = "text-sm font-semibold text-(--accent-11) no-underline hover:underline"
CARD = "rounded-2xl border border-(--line) bg-(--surface)"


def badge(text: rx.Var[str], tone: rx.Var[str]) -> rx.Component:
    """A state, always as a word, and coloured by how good it is."""
    colours = rx.match(
        tone,
        ("good", f"{_BADGE} bg-(--green-a3) text-(--green-12)"),
        ("waits", f"{_BADGE} bg-(--amber-a3) text-(--amber-12)"),
        ("bad", f"{_BADGE} bg-(--red-a3) text-(--red-12)"),
        f"{_BADGE} bg-(--gray-a4) text-(--gray-12)",
    )
    return rx.el.span(text, class_name=colours)


def shown(cell: rx.Var[CellView], *, in_full: bool = False) -> rx.Component:
    """A value as its kind is shown; in lists, two lines of a long one."""
    look = rx.match(
        rx.cond(cell.faint, "faint", rx.cond(cell.whole, "whole", rx.cond(cell.in_full, "full", ""))),
        ("faint", MUTED),
        ("whole", "whitespace-nowrap"),
        ("full", "whitespace-pre-line"),
        "whitespace-pre-line" if in_full else "line-clamp-2",
    )
    plain = rx.el.span(cell.text, class_name=look)
    return rx.match(
        cell.kind,
        ("state", badge(cell.text, cell.tone)),
        ("plate", plate(cell.text)),
        plain,
    )


# The first stands where the title and the tools of its card do.
_EDGES = "min-[900px]:first:pl-4"
_SPARE = "min-[900px]:max-xl:data-[spare=true]:hidden"
_HEAD = (
    f"{_EDGES} {_SPARE} border-t border-(--line) px-2.5 py-2.5 text-[12.5px] font-medium whitespace-nowrap"
    " text-(--muted)"
)
_ROW = (
    "group border-t border-(--line) focus-within:bg-(--accent-a2) hover:bg-(--accent-a2) min-[900px]:h-14.5"
    " max-[900px]:relative max-[900px]:grid max-[900px]:grid-cols-2 max-[900px]:gap-x-4 max-[900px]:gap-y-2.5"
    " max-[900px]:p-4 max-[17.5rem]:grid-cols-1"
)
_CELL = (
    f"{_EDGES} {_SPARE} wrap-break-word min-[900px]:px-2.5 min-[900px]:py-1.5 text-[14.5px] max-[900px]:before:block"
    " max-[900px]:before:text-xs max-[900px]:before:text-(--muted) max-[900px]:before:content-[attr(data-name)]"
)
# What a cell takes at most of a full table; where there is room, it has more.
_MOST = f"{_CELL} min-[900px]:max-w-56"
# On one line where there is room for it, else the hour below the day in every row.
_MOMENT = f"{_CELL} min-[900px]:max-[1366px]:max-w-27 min-[900px]:max-[1366px]:min-w-27 min-[1366px]:whitespace-nowrap"
_FACE = "grid size-9 shrink-0 place-items-center rounded-full text-[13px] font-semibold"
_NAME = (
    f"{_EDGES} wrap-break-word min-[900px]:max-w-56 min-[900px]:min-w-36 min-[900px]:px-2.5 min-[900px]:py-1.5"
    " text-left font-normal max-[900px]:col-span-full"
)


def grid_of(label: rx.Var[str] | str, grid: rx.Var[GridView]) -> rx.Component:
    """A list: a table, whose rows are cards below 900 px."""
    # Explicit roles: `display: grid` strips the table of its semantics.
    table = rx.el.table(
        rx.el.thead(
            rx.el.tr(rx.foreach(grid.heads, _head), role="row"),
            role="rowgroup",
            class_name="max-[900px]:hidden",
        ),
        rx.el.tbody(rx.foreach(grid.rows, _row), role="rowgroup", class_name="max-[900px]:block"),
        role="table",
        class_name="w-full border-collapse max-[900px]:block",
        custom_attrs={"aria-label": label},
    )
    return rx.el.div(table, class_name="overflow-x-auto")


def _head(head: rx.Var[ColumnHeadView]) -> rx.Component:
    arrow = rx.match(
        head.sorted,
        ("ascending", rx.icon("arrow-up", size=14)),
        ("descending", rx.icon("arrow-down", size=14)),
        rx.fragment(),
    )
    link = rx.el.a(
        head.label,
        arrow,
        href=head.href,
        class_name="inline-flex min-h-6 items-center gap-1 text-inherit no-underline hover:underline",
    )
    attributes = {"aria-sort": rx.cond(head.sorted, head.sorted, rx.Var.create(None)), "data-spare": head.spare}
    return rx.el.th(
        rx.cond(head.href, link, rx.el.span(head.label)),
        scope="col",
        role="columnheader",
        class_name=rx.cond(head.is_number, f"{_HEAD} text-right", f"{_HEAD} text-left"),
        custom_attrs=attributes,
    )


def _row(row: rx.Var[RowView]) -> rx.Component:
    return rx.el.tr(
        rx.el.th(
            rx.el.div(
                rx.cond(
                    row.initials,  # Somebody's initials in place of a picture.
                    rx.el.span(
                        row.initials,
                        class_name=rx.cond(
                            row.is_vendor,
                            f"{_FACE} bg-(--amber-a4) text-(--amber-12)",
                            f"{_FACE} bg-(--accent-a4) text-(--accent-12)",
                        ),
                        aria_hidden="true",
                    ),
                ),
                rx.el.div(_name(row), class_name="min-w-0"),
                class_name="flex items-center gap-3",
            ),
            scope="row",
            role="rowheader",
            class_name=_NAME,
        ),
        rx.foreach(row.cells, _cell),
        key=row.key,
        role="row",
        class_name=_ROW,
    )


def _name(row: rx.Var[RowView]) -> rx.Component:
    """What a row is called, as a link to its page if it has one, and what stands below that."""
    link = rx.el.a(
        row.name,
        href=row.href,
        class_name=(
            "line-clamp-2 font-medium text-(--ink) no-underline hover:underline max-[900px]:after:absolute"
            " max-[900px]:after:inset-0"
        ),
        custom_attrs=ROW,
    )
    plain = rx.el.span(row.name, class_name="line-clamp-2 font-medium text-(--ink)")
    return rx.fragment(
        rx.cond(row.href, link, plain),
        rx.cond(row.under, rx.el.span(row.under, class_name=f"{MUTED} line-clamp-1 text-[13px]")),
    )


def _cell(cell: rx.Var[CellView]) -> rx.Component:
    number = f"{_MOST} min-[900px]:text-right"
    text = rx.match(
        rx.cond(cell.long, rx.cond(cell.in_full, "full", "long"), ""),
        ("full", f"{_CELL} max-[900px]:col-span-full"),
        ("long", f"{_MOST} max-[900px]:col-span-full"),
        _MOST,
    )
    look = rx.match(
        cell.kind,
        ("number", number),
        ("money", number),
        ("moment", _MOMENT),
        text,
    )
    return rx.el.td(
        shown(cell),
        role="cell",
        class_name=rx.cond(cell.text == "", f"{_CELL} max-[900px]:hidden", look),
        custom_attrs={"data-name": cell.label, "data-spare": cell.spare},
    )


def paper_of(shown: rx.Var[PaperView]) -> rx.Component:
    """The pages of a paper; each look is recorded, which it says."""
    return rx.el.div(
        rx.foreach(
            shown.files,
            lambda file: rx.el.figure(
                rx.el.figcaption(file.name, class_name=f"{MUTED} mb-1 text-sm"),
                paper(file.url, file.name, file.is_picture, f"{BUTTON} mt-2"),
                key=file.url,
                class_name="m-0",
            ),
        ),
        rx.cond(shown.recorded, rx.el.p("This look is recorded.", class_name=f"{MUTED} mt-3 text-sm")),
        class_name="mx-auto flex max-w-3xl flex-col gap-4",
    )


# As large as the answer beside it, which leaves everything as it is.
_AS_LARGE = {look: look.replace("text-sm", "text-base") for look in (FILLED, REFUSE)}


def question() -> rx.Component:
    """What an action asks before it acts; its button says what it does."""
    dialog = modal(
        rx.cond(State.asking, _form(State.asking), rx.el.div(class_name=f"{SKELETON} h-48")),
        browser_draft(ACTION, State.asking_name, State.regain),
        name=ACTION,
        title=State.asking_title,
        about=State.asking_title != "",
        max_width="30rem",
    )
    return rx.fragment(dialog, draft_dialog(ACTION, ACTION))


def _form(asking: rx.Var[ActionView]) -> rx.Component:
    acting = rx.el.button(
        asking.label,
        type="submit",
        disabled=State.busy,
        class_name=rx.cond(asking.danger, _AS_LARGE[REFUSE], _AS_LARGE[FILLED]),
    )
    return rx.el.form(
        rx.cond(asking.means, rx.el.p(asking.means)),
        rx.foreach(asking.asks, _field),
        answers("Leave it", acting, stays=True),
        id=ACTION,
        on_submit=State.act,
        class_name="flex flex-col gap-4",
    )


def _field(field: rx.Var[QuestionView]) -> rx.Component:
    """A field of the question: a box for reasons, a line for all else."""
    error = State.errors[field.name]
    same: dict[str, Any] = {
        "id": f"ask-{field.name}",
        "name": field.name,
        "class_name": INPUT,
        "default_value": field.value,
        "auto_complete": "off",
        "custom_attrs": {
            "aria-invalid": rx.cond(error, "true", "false"),
            "aria-describedby": rx.cond(error, f"ask-{field.name}-error", ""),
        },
    }
    mode = rx.cond(field.kind == "rupees", "decimal", "text")
    return rx.el.div(
        rx.el.label(field.label, html_for=f"ask-{field.name}", class_name="text-sm font-medium"),
        rx.match(
            field.kind,
            ("reason", rx.el.textarea(rows="3", max_length=1000, **same)),
            (
                "choice",
                rx.el.select(
                    rx.cond(field.value, rx.fragment(), rx.el.option("Choose", value="")),
                    rx.foreach(field.options, lambda option: rx.el.option(option.label, value=option.value)),
                    **same,
                ),
            ),
            ("day", rx.el.div(day_input(field.label)(**same | {"class_name": FIELD}), class_name="mt-1")),
            rx.el.input(type="text", input_mode=mode, max_length=300, **same),
        ),
        rx.cond(field.note, rx.el.p(field.note, class_name=f"{MUTED} mt-1 text-sm wrap-anywhere")),
        field_error(f"ask-{field.name}", error),
        key=field.name,
    )
