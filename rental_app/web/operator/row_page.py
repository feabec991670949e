"""A row of the console: what it is, how it stands, what belongs to it, and what may be done."""

import reflex as rx

from rental_app.web.operator.action_presenter import ActionView
from rental_app.web.operator.cells_presenter import CellView
from rental_app.web.operator.parts import BUTTON, CARD, DANGER, LINK, badge, grid_of, paper_of, shown
from rental_app.web.operator.row_presenter import (
    DetailView,
    LatestActView,
    OwnBookingView,
    OwnPagesView,
    RelatedView,
    TabView,
)
from rental_app.web.operator.shell import console_page
from rental_app.web.operator.state import ConsoleState as State
from rental_app.web.parts.badges import plate
from rental_app.web.parts.notice import failure
from rental_app.web.parts.theme import BLOCK_TITLE, MUTED, PAGE_TITLE

_TAB = (
    "inline-flex min-h-12 shrink-0 items-center gap-2 border-b-3 border-transparent px-1 text-(--muted) no-underline"
    " aria-[current=page]:border-(--accent-9) aria-[current=page]:font-semibold aria-[current=page]:text-(--ink)"
)


def row_page() -> rx.Component:
    """A row: what it is, how it stands, what belongs to it, and what may be done."""
    return console_page(
        State.detail,
        _detail(State.detail),
        missing=("There is nothing at this address", "It may never have been there."),
        failed=failure("This page could not be loaded", State.problem, State.load_row),
    )


def _detail(detail: rx.Var[DetailView]) -> rx.Component:
    return rx.fragment(
        rx.el.a(
            rx.icon("chevron-left", size=16),
            detail.back_label,
            href=detail.back,
            class_name=f"{LINK} inline-flex min-h-8 items-center gap-1",
        ),
        rx.el.div(
            rx.cond(
                detail.initials,
                rx.el.span(
                    detail.initials,
                    class_name=(
                        "grid size-14 shrink-0 place-items-center rounded-full bg-(--accent-a4) text-lg font-semibold"
                        " text-(--accent-12) max-sm:hidden"
                    ),
                    custom_attrs={"aria-hidden": "true"},
                ),
            ),
            rx.el.div(
                rx.el.div(
                    rx.el.h1(detail.title, class_name=f"{PAGE_TITLE} wrap-anywhere"),
                    rx.foreach(detail.badges, lambda state: badge(state.text, state.tone)),
                    class_name="flex flex-wrap items-center gap-x-3 gap-y-1",
                ),
                rx.cond(
                    detail.under_href,
                    rx.el.a(detail.under, href=detail.under_href, class_name=LINK),
                    rx.cond(detail.under, rx.el.p(detail.under, class_name=f"{MUTED} wrap-anywhere")),
                ),
                rx.cond(detail.plate, rx.el.p(plate(detail.plate))),
                class_name="min-w-0 flex-[1_1_20rem]",
            ),
            rx.cond(
                detail.actions,
                rx.el.div(
                    rx.cond(
                        detail.own_pages,
                        rx.el.a(rx.icon("eye", size=16), "As they see it", href=detail.own_pages, class_name=BUTTON),
                    ),
                    rx.foreach(detail.actions, _action),
                    class_name="flex flex-wrap gap-2",
                    role="group",
                    custom_attrs={"aria-label": "What may be done"},
                ),
            ),
            class_name="mb-4 flex flex-wrap items-start gap-4",
        ),
        rx.cond(detail.figures, _figures(detail)),
        rx.cond(detail.tabs, _tabs(detail)),
        rx.cond(State.own_pages, _own_pages(State.own_pages), _parts(detail)),
    )


def _parts(detail: rx.Var[DetailView]) -> rx.Component:
    """What belongs to the row, its facts, and what was done to it lately."""
    return rx.el.div(
        rx.el.div(
            rx.cond(detail.papers, _documents(detail)),
            rx.foreach(detail.related, _related),
            rx.cond(detail.related, rx.fragment(), _facts(detail)),
            class_name="flex min-w-0 flex-col gap-5",
        ),
        rx.el.div(
            rx.cond(detail.related, _facts(detail)),
            rx.cond(
                detail.latest,
                rx.el.section(
                    rx.el.h2("Latest", class_name=f"{BLOCK_TITLE} px-4 py-3"),
                    rx.el.ul(rx.foreach(detail.latest, _act), class_name="list-none p-0 px-4 pb-3"),
                    class_name=CARD,
                ),
            ),
            class_name="flex min-w-0 flex-col gap-5",
        ),
        class_name="grid gap-5 lg:grid-cols-[minmax(0,1fr)_21rem]",
    )


def _own_pages(own_pages: rx.Var[OwnPagesView]) -> rx.Component:
    """What the person sees of their own pages: to be looked at alone."""
    return rx.el.section(
        rx.el.p(
            rx.icon("eye", size=20, class_name="shrink-0"),
            own_pages.band,
            class_name="flex items-center gap-3 rounded-2xl bg-(--marigold) px-4 py-3 font-semibold text-[#2b1c00]",
            role="status",
        ),
        rx.el.dl(rx.foreach(own_pages.facts, _fact), class_name=f"{CARD} overflow-hidden [&>:first-child]:border-0"),
        rx.foreach(
            own_pages.lists,
            lambda listed: rx.el.div(
                rx.el.h2(listed.title, class_name=f"{BLOCK_TITLE} px-4 py-3"),
                rx.cond(listed.empty, rx.el.p(listed.empty, class_name=f"{MUTED} px-4 pb-4")),
                rx.el.ul(rx.foreach(listed.lines, _own_line), class_name="list-none p-0"),
                class_name=CARD,
                key=listed.title,
            ),
        ),
        class_name="flex max-w-7xl flex-col gap-5",
        custom_attrs={"aria-label": "As they see it"},
    )


def _own_line(line: rx.Var[OwnBookingView]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.p(line.title, class_name="font-semibold wrap-anywhere"),
            rx.el.p(line.under, class_name=f"{MUTED} text-sm wrap-anywhere"),
        ),
        rx.el.p(line.when, class_name="text-sm"),
        rx.el.p(line.state, class_name="text-sm font-medium"),
        rx.el.p(line.money, class_name="text-sm tabular-nums sm:text-right"),
        class_name=(
            "grid gap-x-4 gap-y-1 border-t border-(--line) px-4 py-3 sm:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)"
            "_minmax(0,1fr)_minmax(0,1fr)] sm:items-center"
        ),
    )


def _action(action: rx.Var[ActionView]) -> rx.Component:
    return rx.el.button(
        action.label,
        type="button",
        on_click=State.ask(action.name),
        class_name=rx.cond(action.danger, DANGER, BUTTON),
        custom_attrs={"aria-haspopup": "dialog"},
        key=action.name,
    )


def _figures(detail: rx.Var[DetailView]) -> rx.Component:
    return rx.el.dl(
        rx.foreach(
            detail.figures,
            lambda figure: rx.el.div(
                rx.el.dt(figure.label, class_name=f"{MUTED} text-sm"),
                rx.el.dd(figure.text, class_name="text-xl font-bold tabular-nums"),
                class_name="px-4 py-2 lg:border-l lg:border-(--line) lg:first:border-0",
            ),
        ),
        class_name=(
            f"{CARD} mb-5 grid grid-cols-2 gap-y-2 py-1 sm:grid-cols-3 lg:auto-cols-fr lg:grid-flow-col"
            " max-[17.5rem]:grid-cols-1 lg:grid-cols-none"
        ),
    )


def _tabs(detail: rx.Var[DetailView]) -> rx.Component:
    return rx.el.nav(
        rx.foreach(detail.tabs, _tab),
        class_name=(
            "mb-5 flex gap-x-5 overflow-x-auto border-b border-(--line)"
            " *:aria-[current=page]:[scroll-initial-target:nearest]"
        ),
        custom_attrs={"aria-label": "Parts of this page"},
    )


def _tab(tab: rx.Var[TabView]) -> rx.Component:
    many = rx.el.span(tab.many, class_name="rounded-full bg-(--gray-a4) px-2 text-xs leading-5 font-semibold")
    return rx.el.a(
        tab.label,
        rx.cond(tab.many, many),
        href=tab.href,
        class_name=_TAB,
        custom_attrs={"aria-current": rx.cond(tab.here, "page", "false")},
    )


def _related(related: rx.Var[RelatedView]) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2(related.title, class_name=BLOCK_TITLE),
            rx.cond(related.whole, rx.el.a(related.whole_label, href=related.whole, class_name=LINK)),
            class_name="flex min-h-12 items-center justify-between gap-3 px-4",
        ),
        rx.cond(
            related.grid.rows,
            grid_of(related.title, related.grid),
            rx.el.p("There is nothing here yet", class_name=f"{MUTED} px-4 pb-4"),
        ),
        class_name=f"{CARD} overflow-hidden",
        custom_attrs={"aria-label": related.title},
    )


def _documents(detail: rx.Var[DetailView]) -> rx.Component:
    """The documents and photos of a listing: each is loaded, and the look recorded, when it is chosen."""
    return rx.el.section(
        rx.el.h2("Documents and photos", class_name=f"{BLOCK_TITLE} px-4 pt-3"),
        rx.cond(detail.papers[0].recorded, rx.el.p("Each look is recorded.", class_name=f"{MUTED} px-4 text-sm")),
        rx.el.div(
            rx.foreach(
                detail.papers,
                lambda one: rx.el.button(
                    one.label,
                    type="button",
                    on_click=State.show_paper(one.number),
                    class_name=BUTTON,
                    custom_attrs={
                        "data-key": one.number,
                        "aria-pressed": rx.cond(State.paper & (State.paper.number == one.number), "true", "false"),
                    },
                    key=one.number,
                ),
            ),
            class_name="flex flex-wrap gap-2 p-4",
        ),
        rx.cond(State.paper, rx.el.div(paper_of(State.paper), class_name="px-4 pb-4")),
        class_name=CARD,
        custom_attrs={"aria-label": "Documents and photos"},
    )


def _facts(detail: rx.Var[DetailView]) -> rx.Component:
    return rx.el.section(
        rx.el.h2("Details", class_name=f"{BLOCK_TITLE} px-4 py-3"),
        rx.el.dl(rx.foreach(detail.facts, _fact)),
        class_name=CARD,
    )


def _fact(fact: rx.Var[CellView]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(fact.label, class_name=f"{MUTED} text-sm"),
        # A chassis number fits beside its label.
        rx.el.dd(shown(fact, in_full=True), class_name="min-w-0 text-[15px] wrap-anywhere"),
        class_name=(
            "grid grid-cols-[6.75rem_minmax(0,1fr)] items-center gap-3 border-t border-(--line) px-4 py-2.5"
            " max-[17.5rem]:grid-cols-1"
        ),
    )


def _act(entry: rx.Var[LatestActView]) -> rx.Component:
    return rx.el.li(
        rx.el.p(entry.act, class_name="font-medium"),
        rx.el.p(entry.note, class_name=f"{MUTED} text-sm"),
        class_name="border-l-2 border-(--accent-9) py-1.5 pl-3",
    )
