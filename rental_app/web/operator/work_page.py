"""The queue of work: what waits, its facts, and the papers that prove them, beside each other."""

import reflex as rx

from rental_app.web.operator.action_presenter import ActionView
from rental_app.web.operator.parts import BUTTON, FILLED, INPUT, LINK, REFUSE, paper_of
from rental_app.web.operator.row_presenter import PaperView
from rental_app.web.operator.shell import KEY, operator_page
from rental_app.web.operator.work_presenter import (
    DIFFERS,
    EQUAL,
    CurrentItemView,
    FieldView,
    KindView,
    ReadyReason,
    SectionView,
    WorkItemView,
)
from rental_app.web.operator.work_state import ITEM, REASON
from rental_app.web.operator.work_state import WorkState as State
from rental_app.web.parts.badges import plate
from rental_app.web.parts.notice import failure, notice
from rental_app.web.parts.theme import MUTED, PAGE_TITLE, SKELETON
from rental_app.web.react.shortcuts import follows, on_key
from rental_app.web.session.base import SessionState

_CHIP = (
    "inline-flex min-h-8.5 max-md:min-h-11 cursor-pointer items-center gap-1.5 rounded-full border px-2.5 text-[13px]"
    " font-semibold"
)
_OFF, _ON = (
    f"{_CHIP} border-(--gray-a6) bg-(--surface) text-(--ink)",
    f"{_CHIP} border-(--night) bg-(--night) text-white",
)
_REASON = (
    "inline-flex min-h-8 max-md:min-h-11 cursor-pointer items-center gap-1 rounded-full border px-2.5 text-left"
    " text-[13px] font-medium"
)
_TILE = "grid size-9 shrink-0 place-items-center rounded-[10px] text-(--accent-11)"
_ICONS = {
    "listings": "bike",
    "requests": "user-pen",
    "identity": "contact",
    "objections": "scale",
    "reviews": "flag",
    "messages": "mail-x",
    "refunds": "indian-rupee",
    "bookings": "calendar-x",
    "papers": "id-card",
}
# What is in the box as a decision is pressed: it is sent with it, so that a quick hand's last words are not missed.
_TYPED = rx.Var(f'document.getElementById("{REASON}")?.value ?? ""', _var_type=str)
_PANE = "min-w-0 bg-(--surface) lg:h-[calc(100vh-4rem-var(--note,0rem))] lg:overflow-y-auto"
_PANES = "grid min-w-0 pb-36 lg:pb-0 lg:grid-cols-[18.75rem_minmax(0,25rem)_minmax(0,1fr)]"
_PAPERS = f"{_PANE} flex flex-col"


def work_page() -> rx.Component:
    """Three panes on a wide screen, one column on a phone."""
    done = notice("Nothing waits", "All listings, requests, objections and reports are decided.")
    return operator_page(
        rx.cond(
            State.loaded,
            rx.el.div(
                follows(State.current.spoken),
                rx.el.p(State.current.spoken, class_name="sr-only", role="status"),
                _queue(),
                rx.cond(
                    State.current,
                    rx.el.section(
                        _head(State.current),
                        rx.el.div(rx.foreach(State.current.sections, _section), class_name="px-4 py-3"),
                        rx.cond(State.current.actions, _decision(State.current)),
                        id=ITEM,
                        # After a key the focus is here: what is read next, and what arrows scroll.
                        tab_index=-1,
                        class_name=f"{_PANE} flex flex-col border-r border-(--line) -outline-offset-2!",
                        custom_attrs={"aria-label": "What is decided about"},
                    ),
                    rx.el.div(done, class_name="p-4 lg:col-span-2 lg:p-8"),
                ),
                rx.cond(State.current, _paper_pane(State.current)),
                # Less the line above that says that the shop is read-only.
                class_name=rx.cond(SessionState.read_only_note, f"{_PANES} [--note:3rem]", _PANES),
            ),
            rx.el.div(
                rx.cond(
                    State.problem,
                    failure("The queue could not be loaded", State.problem, State.load),
                    rx.el.div(class_name=f"{SKELETON} h-120", custom_attrs={"aria-hidden": "true"}),
                ),
                class_name="p-4 lg:p-8",
            ),
        ),
        wide=True,
    )


def _queue() -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h1("Work", class_name=PAGE_TITLE),
            rx.el.p("oldest due first", class_name=f"{MUTED} text-sm"),
            class_name="flex items-baseline justify-between gap-3",
        ),
        rx.el.div(
            rx.foreach(State.kinds, _kind),
            rx.cond(
                State.other_kinds,
                rx.el.details(
                    rx.el.summary(
                        "More",
                        rx.el.span(rx.Var.create(State.other_kinds).to(list).length(), class_name="tabular-nums"),
                        class_name=f"{_OFF} list-none",
                    ),
                    rx.el.div(rx.foreach(State.other_kinds, _kind), class_name="mt-1.5 flex flex-wrap gap-1.5"),
                    # Folded again once one of them is chosen, which then stands among the first.
                    key=State.kind,
                    class_name="open:basis-full",
                ),
            ),
            class_name="mt-3 flex flex-wrap gap-1.5",
            role="group",
            custom_attrs={"aria-label": "Kinds of work"},
        ),
        rx.el.ol(
            rx.foreach(State.items, _line),
            class_name=(
                "-mx-4 mt-4 list-none border-t border-(--line) p-0 max-lg:max-h-56 max-lg:overflow-y-auto"
                " max-lg:border-b"
            ),
        ),
        class_name=f"{_PANE} border-r border-(--line) p-4 pb-0",
        custom_attrs={"aria-label": "Queue"},
    )


def _kind(kind: rx.Var[KindView]) -> rx.Component:
    is_it = State.kind == kind.name
    return rx.el.button(
        kind.label,
        rx.el.span(kind.many, class_name="tabular-nums"),
        type="button",
        on_click=State.choose_kind(kind.name),
        class_name=rx.cond(is_it, _ON, _OFF),
        custom_attrs={"aria-pressed": rx.cond(is_it, "true", "false")},
    )


def _line(item: rx.Var[WorkItemView]) -> rx.Component:
    is_it = State.current & (State.current.kind == item.kind) & (State.current.id == item.id)
    look = (
        "flex w-full cursor-pointer gap-3 border-b border-(--line) px-4 py-2.5 text-left"
        " aria-[current=true]:bg-(--accent-a3) hover:bg-(--gray-a2)"
        " aria-[current=true]:shadow-[inset_3px_0_0_var(--accent-9)]"
    )
    return rx.el.li(
        rx.el.button(
            rx.el.span(
                rx.match(
                    item.kind,
                    *[(name, rx.icon(icon, size=18)) for name, icon in _ICONS.items()],
                    rx.icon("inbox", size=18),
                ),
                class_name=rx.cond(is_it, f"{_TILE} bg-(--surface)", f"{_TILE} bg-(--gray-a3)"),
                aria_hidden="true",
            ),
            rx.el.span(
                rx.el.span(
                    rx.el.span(item.label, class_name=f"{MUTED} truncate text-[13px]"),
                    rx.el.span(
                        item.due,
                        class_name=rx.cond(
                            item.late,
                            "text-[13px] font-medium whitespace-nowrap text-(--red-11)",
                            f"{MUTED} text-[13px] font-medium whitespace-nowrap",
                        ),
                    ),
                    class_name="flex justify-between gap-3",
                ),
                rx.el.span(item.title, class_name="block truncate font-semibold"),
                rx.el.span(item.note, class_name=f"{MUTED} block truncate text-[13px]"),
                class_name="min-w-0 flex-1",
            ),
            type="button",
            on_click=State.pick(item.kind, item.id),
            class_name=look,
            custom_attrs={"aria-current": rx.cond(is_it, "true", "false")},
        ),
        key=item.key,
    )


def _head(current: rx.Var[CurrentItemView]) -> rx.Component:
    """What is decided about, with the vehicle that stands on the papers."""
    return rx.el.div(
        rx.cond(
            current.picture,
            rx.el.img(
                src=current.picture,
                alt="",
                class_name="h-15.5 w-21 shrink-0 rounded-[10px] bg-(--gray-a3) object-cover",
            ),
        ),
        rx.el.div(
            rx.el.h2(current.title, class_name="text-lg/6 font-semibold wrap-anywhere"),
            rx.el.p(
                plate(current.plate),
                rx.cond(current.under, rx.el.span(current.under, class_name="wrap-anywhere")),
                rx.el.span(current.position, class_name="whitespace-nowrap"),
                class_name=f"{MUTED} mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm",
            ),
            rx.el.a(
                "Open its page",
                href=current.href,
                class_name=LINK,
                custom_attrs=on_key("o"),
            ),
            class_name="min-w-0 flex-1",
        ),
        class_name="flex gap-3 border-b border-(--line) px-4 py-3",
    )


def _section(section: rx.Var[SectionView]) -> rx.Component:
    return rx.el.div(
        rx.cond(
            section.title,
            rx.el.h3(
                section.title,
                rx.el.span(section.number, class_name=MUTED),
                class_name="mt-2 flex justify-between text-sm font-semibold text-(--muted)",
            ),
        ),
        rx.el.dl(rx.foreach(section.fields, _fact), class_name="flex flex-col gap-0.5"),
    )


def _fact(field: rx.Var[FieldView]) -> rx.Component:
    """A fact with the button that says what was found; the whole line is easy to hit on a phone."""
    sign = rx.match(
        field.mark,
        (EQUAL, rx.icon("circle-check", size=20, class_name="text-(--green-11)")),
        (DIFFERS, rx.icon("circle-alert", size=20, class_name="text-(--red-11)")),
        rx.icon("circle", size=20, class_name="text-(--gray-8)"),
    )
    mark = rx.match(field.mark, (EQUAL, "looked at, equal"), (DIFFERS, "differs"), "not looked at")
    line = (
        "grid grid-cols-[8rem_minmax(0,1fr)_auto] items-center gap-2 rounded-lg px-1"
        " max-[17.5rem]:grid-cols-[minmax(0,1fr)_auto] max-[17.5rem]:*:first:col-span-full"
    )
    return rx.el.div(
        rx.el.dt(field.label, class_name=f"{MUTED} text-sm"),
        rx.el.dd(
            rx.el.span(field.text, class_name="text-[15px] font-medium wrap-anywhere"),
            rx.cond(
                field.was,
                rx.el.span(
                    rx.el.span("Changed", class_name="mr-1.5 rounded-full bg-(--amber-a3) px-2 text-xs font-semibold"),
                    field.was,
                    class_name=f"{MUTED} block text-[13px]",
                ),
            ),
            rx.cond(
                field.note,
                rx.el.span(
                    field.note,
                    class_name=rx.cond(
                        field.differs,
                        "block text-[13px] font-medium text-(--amber-12) wrap-anywhere",
                        f"{MUTED} block text-[13px] wrap-anywhere",
                    ),
                ),
            ),
            class_name="min-w-0",
        ),
        rx.el.dd(
            rx.cond(
                field.paper,
                rx.el.button(
                    sign,
                    rx.el.span(field.label, ": ", mark, class_name="sr-only"),
                    type="button",
                    on_click=State.note_fact(field.name),
                    # The paper that proves a fact stands beside it.
                    on_focus=State.show_paper(field.number),
                    class_name=(
                        "grid size-9 max-md:size-11 cursor-pointer place-items-center rounded-full hover:bg-(--gray-a3)"
                    ),
                ),
            ),
        ),
        key=field.name,
        class_name=rx.cond((field.mark == DIFFERS) | field.differs, f"{line} bg-(--amber-a3)", line),
    )


def _decision(current: rx.Var[CurrentItemView]) -> rx.Component:
    """The reason and the buttons, whose places never change."""
    return rx.el.div(
        rx.el.label(current.reason_label, html_for=REASON, class_name=f"{MUTED} text-sm"),
        rx.el.textarea(
            id=REASON,
            key=f"reason-{State.reasons}",
            default_value=State.reason,
            on_blur=State.type_reason,
            max_length=1000,
            rows="2",
            class_name=INPUT,
            custom_attrs={
                "aria-invalid": rx.cond(State.error, "true", "false"),
                "aria-describedby": rx.cond(State.error, f"{REASON}-error", ""),
            },
        ),
        # Its line is always there: buttons that moved up when it goes would slip away from under a press.
        rx.el.p(State.error, id=f"{REASON}-error", class_name="min-h-5 text-sm text-(--red-11)"),
        # Beside a wide screen's facts there is room for two lines and a half of them.
        rx.el.div(
            rx.foreach(current.ready, _ready),
            class_name="mt-1 flex flex-wrap gap-1.5 lg:max-h-23 lg:overflow-y-auto",
            role="group",
            custom_attrs={"aria-label": "Reasons to choose"},
        ),
        # On a phone the buttons stay where the thumb is, also beside the papers.
        rx.el.div(
            rx.foreach(current.actions, lambda action: _button(action, current)),
            class_name=(
                "mt-3 flex flex-row-reverse gap-3 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-10 max-lg:mt-0"
                " max-lg:border-t max-lg:border-(--line) max-lg:bg-(--surface) max-lg:p-3 max-md:bottom-14"
                " md:max-lg:left-18"
            ),
        ),
        class_name="mt-auto border-t border-(--line) bg-(--surface) px-4 py-3 lg:sticky lg:bottom-0",
    )


def _ready(reason: rx.Var[ReadyReason]) -> rx.Component:
    """A reason to choose, red if it was found in the data; a second press takes it out of the box again."""
    is_said = rx.Var.create(State.reason).to(str).contains(reason.text)
    look = rx.match(
        rx.cond(is_said, "said", rx.cond(reason.is_finding, "found", "")),
        ("said", f"{_REASON} border-(--red-a7) bg-(--red-a3) text-(--red-12)"),
        ("found", f"{_REASON} border-(--red-a7) bg-(--surface) text-(--red-12)"),
        f"{_REASON} border-(--gray-a6) bg-(--surface) text-(--ink)",
    )
    return rx.el.button(
        rx.cond(is_said, rx.icon("x", size=14), rx.icon("plus", size=14)),
        reason.label,
        type="button",
        on_click=State.toggle_reason(reason.text),
        class_name=look,
        custom_attrs={"aria-pressed": rx.cond(is_said, "true", "false")},
        key=reason.text,
    )


def _button(action: rx.Var[ActionView], current: rx.Var[CurrentItemView]) -> rx.Component:
    """A decision; the button that the findings suggest is filled, unless every decision is given a reason."""
    size = "min-h-12 flex-1"
    against = State.reason & ~current.always_asked
    refuses = rx.cond(against, f"{REFUSE} {size}", f"{BUTTON} {size}")
    approves = rx.cond(against, f"{BUTTON} {size}", f"{FILLED} {size}")
    return rx.el.button(
        action.label,
        rx.el.kbd(action.key.upper(), class_name=f"{KEY} max-lg:hidden", custom_attrs={"aria-hidden": "true"}),
        type="button",
        on_click=State.decide(action.name, current.kind, current.id, current.seen, _TYPED),
        disabled=State.busy,
        class_name=rx.cond(action.danger, refuses, approves),
        custom_attrs={"data-key": action.key, "aria-keyshortcuts": action.key},
        key=action.name,
    )


def _paper_pane(current: rx.Var[CurrentItemView]) -> rx.Component:
    return rx.el.section(
        rx.cond(
            current.papers,
            rx.el.div(
                rx.foreach(current.papers, _paper_chip),
                class_name="flex min-h-14 flex-wrap items-center gap-2 border-b border-(--line) px-4 py-2.5",
            ),
        ),
        rx.el.div(
            rx.cond(
                State.paper,
                paper_of(State.paper),
                rx.el.p("There are no documents to look at.", class_name=MUTED),
            ),
            class_name="flex-1 bg-(--gray-a2) p-4",
        ),
        rx.el.p(
            _hint("next", "J", "K"),
            rx.cond(current.papers, _hint("documents", "1", "5")),
            rx.cond(current.papers, _hint("zoom", "Z")),
            _hint("its page", "O"),
            rx.el.span(_hint("all keys", "?"), class_name="ml-auto"),
            class_name=(
                f"{MUTED} sticky bottom-0 flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t border-(--line)"
                " bg-(--surface) px-4 py-3 text-sm max-lg:hidden"
            ),
        ),
        _keys(),
        class_name=rx.cond(current.papers, _PAPERS, f"{_PAPERS} max-lg:hidden"),
        custom_attrs={"aria-label": "Documents"},
    )


def _hint(text: str, *keys: str) -> rx.Component:
    return rx.el.span(*[_key(key) for key in keys], text, class_name="flex items-center gap-1.5")


def _key(name: str) -> rx.Component:
    return rx.el.kbd(name, class_name=KEY)


def _keys() -> rx.Component:
    """What only keys press, and the list of all keys."""
    lines = (
        ("A", "approve, or what stands in its place"),
        ("R", "refuse, with the reason in the box"),
        ("E", "refuse a document that shows a whole Aadhaar, and erase it"),
        ("J, K", "the next item, the one before"),
        ("1 to 5", "a paper"),
        ("Z", "a larger picture"),
        ("O", "the item's own page"),
        ("/", "search everything"),
    )
    hidden = "sr-only"
    return rx.fragment(
        rx.el.button("Next item", type="button", on_click=State.step(1), class_name=hidden, custom_attrs=on_key("j")),
        rx.el.button(
            "Item before", type="button", on_click=State.step(-1), class_name=hidden, custom_attrs=on_key("k")
        ),
        rx.el.button(
            "All keys",
            type="button",
            class_name=hidden,
            custom_attrs=on_key("?") | {"popoverTarget": "all-keys"},
        ),
        rx.el.div(
            rx.el.h2("Keys", class_name="px-3 py-1 font-semibold"),
            rx.el.dl(
                *[
                    rx.el.div(
                        rx.el.dt(_key(key), class_name="w-16"),
                        rx.el.dd(text),
                        class_name="flex items-center gap-3 px-3 py-1.5 text-sm",
                    )
                    for key, text in lines
                ]
            ),
            id="all-keys",
            class_name="person-menu",
            custom_attrs={"popover": "auto"},
        ),
    )


def _paper_chip(paper: rx.Var[PaperView]) -> rx.Component:
    is_it = State.paper & (State.paper.number == paper.number)
    return rx.el.button(
        paper.label,
        type="button",
        on_click=State.show_paper(paper.number),
        class_name=rx.cond(is_it, _ON, _OFF),
        custom_attrs={"data-key": paper.number, "aria-pressed": rx.cond(is_it, "true", "false")},
        key=paper.number,
    )
