"""The first part of the dashboard: what to answer, to hand over, to take back and to square today."""

import reflex as rx

from rental_app.domain.bookings import DECLINE_REASONS
from rental_app.web.parts.badges import plate
from rental_app.web.parts.button import button
from rental_app.web.parts.theme import BLOCK_TITLE, BUTTON, LINK, LIST, MUTED, PANEL, ROW_LINK, STAGE
from rental_app.web.react.news import news
from rental_app.web.vendor.dashboard.state import REQUESTS, DashboardState
from rental_app.web.vendor.dashboard.today_presenter import (
    DayPage,
    DueLine,
    DuePart,
    RequestCard,
    StepLine,
    VehicleLine,
)

FLEET = "/vendor/manage-vehicles"
OVERDUE = "/vendor/manage-bookings?part=all&due=overdue&sort=return"
_BOX = f"{PANEL} overflow-hidden"
_LINES = f"{LIST} empty:hidden"
_PRESS = "shrink-0 px-3 text-[15px] md:px-4 md:text-base"
_ROW = "flex items-center gap-3 px-3.5 py-2 md:px-5 md:py-3"
_STACK = "flex flex-col gap-3 md:gap-5"
# On a phone their parts stand in one column, in the order of the day.
_COLUMN = "max-xl:contents xl:flex xl:min-w-0 xl:flex-col xl:gap-5"
_TIME_LEFT = "ml-auto flex shrink-0 items-center gap-1"
_LATE = "text-sm font-semibold text-(--red-11)"
# Names end early where there is no room, never a price, a plate or a time.
_MAY_BE_CUT = {"data-may-be-cut": ""}
_NAME = "block max-w-full truncate leading-6 font-semibold text-(--ink) no-underline hover:underline"


def day(page: rx.Var[DayPage]) -> rx.Component:
    """Requests by their deadline, then what goes out and comes back, money, objections and papers."""
    return rx.fragment(
        rx.cond(page.steps, _first_steps(page)),
        rx.el.div(
            rx.el.div(
                _answer_now(page),
                _money(page),
                class_name=_COLUMN,
            ),
            rx.el.div(
                _section("Going out", page.going_out, _trip),
                _coming_back(page),
                class_name=_COLUMN,
            ),
            # On a phone they stand in the order of the day, on a desk in two columns.
            class_name=rx.cond(page.has_trips, f"{_STACK} xl:grid xl:grid-cols-[1.4fr_1fr] xl:items-start", _STACK),
        ),
        _section("Objections", page.objections, _objection),
        _of_vehicles("Documents", page.papers, page.papers_count, "Renew", page.papers_href),
        _of_vehicles("Maintenance", page.maintenance, page.maintenance_count, "Note", ""),
    )


def _heading(title: str, count: rx.Var[int], *beside: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.h2(
            title,
            rx.cond(count > 0, rx.el.span(" ", count, class_name=f"{MUTED} text-base font-semibold tabular-nums")),
            class_name=BLOCK_TITLE,
        ),
        *beside,
        class_name="flex min-h-7 items-center justify-between gap-3 px-1 md:min-h-8 md:px-0",
    )


def _all(href: rx.Var[str]) -> rx.Component:
    """The way to what is not shown."""
    return rx.cond(href, rx.el.a("See all", href=href, class_name=LINK))


def _section(title: str, part: rx.Var[DuePart], line: object) -> rx.Component:
    """A list of Today, left out while it is empty."""
    return rx.cond(part.count > 0, _listed(title, part, line))


def _listed(title: str, part: rx.Var[DuePart], line: object, *above: rx.Component) -> rx.Component:
    return rx.el.section(
        _heading(title, part.count, *above, _all(part.all_href)),
        rx.el.div(
            rx.el.ul(rx.foreach(part.lines, line), class_name=_LINES),
            class_name=f"{_BOX} mt-1 md:mt-1.5",
        ),
        custom_attrs={"aria-label": title},
        class_name=_ORDER[title],
    )


# On a phone: what goes out and comes back stands before the money.
_ORDER = {"Going out": "max-xl:order-2", "Coming back": "max-xl:order-3", "Objections": ""}


def _coming_back(page: rx.Var[DayPage]) -> rx.Component:
    overdue = rx.el.a(
        page.overdue,
        href="/vendor/manage-bookings?part=all&due=overdue&sort=return",
        class_name=f"{_LATE} mr-auto min-h-6",
    )
    part = page.coming_back
    return rx.cond(part.count > 0, _listed("Coming back", part, _trip, rx.cond(page.overdue, overdue)))


def _trip(line: rx.Var[DueLine]) -> rx.Component:
    call = rx.el.a(
        rx.icon("phone", size=18),
        rx.el.span(f"Call {line.customer}, {line.phone}", class_name="sr-only"),
        href=f"tel:{line.phone}",
        title="Call",
        class_name="inline-grid size-10 shrink-0 place-items-center rounded-full text-(--accent-11) max-md:hidden",
    )
    return rx.el.li(
        rx.el.div(
            rx.el.p(line.when, class_name="font-semibold"),
            rx.cond(line.note, rx.el.p(line.note, class_name=rx.cond(line.late, "text-(--red-11)", MUTED))),
            # On a phone what is late says by how much instead.
            rx.cond(
                line.money,
                rx.el.p(line.money, class_name=rx.cond(line.late, "tabular-nums max-md:hidden", "tabular-nums")),
            ),
            class_name="w-21 shrink-0 text-[13px]/[18px] tracking-tight md:w-24",
        ),
        rx.el.div(
            _name(line.vehicle, line.href),
            rx.el.p(
                plate(line.plate),
                # A phone has no room for it beside the button.
                rx.el.span(
                    line.customer,
                    class_name=f"{MUTED} min-w-0 truncate text-sm max-md:sr-only",
                    custom_attrs=_MAY_BE_CUT,
                ),
                class_name="flex min-w-0 items-center gap-x-2",
            ),
            class_name="min-w-0 flex-1",
        ),
        rx.cond(line.phone, call),
        _act(line),
        class_name=_ROW,
        key=line.act_href,
    )


def _name(text: rx.Var[str], href: rx.Var[str]) -> rx.Component:
    """What a row is about, which leads to its booking."""
    return rx.el.a(text, href=href, class_name=_NAME, custom_attrs=_MAY_BE_CUT)


def _act(line: rx.Var[DueLine]) -> rx.Component:
    """The button that leads to doing it, filled for what is next."""
    look = rx.cond(line.is_next, f"{BUTTON['primary']} {_PRESS}", f"{BUTTON['quiet']} {_PRESS}")
    about = rx.el.span(f" {line.vehicle}, {line.plate}", class_name="sr-only")
    return rx.el.a(line.act, about, href=line.act_href, class_name=look)


def _money(page: rx.Var[DayPage]) -> rx.Component:
    part = page.money
    return rx.cond(
        part.count > 0,
        rx.el.section(
            _heading("Money due tonight", part.count, _all(part.all_href)),
            rx.el.div(
                rx.el.dl(
                    _sum("Give back", page.give_back),
                    _sum("To collect", page.collect),
                    class_name="grid grid-cols-2 divide-x divide-(--line) border-b border-(--line)",
                ),
                rx.el.ul(rx.foreach(part.lines, _owed), class_name=_LINES),
                class_name=f"{_BOX} mt-1 md:mt-1.5",
            ),
            custom_attrs={"aria-label": "Money due tonight"},
            class_name="max-xl:order-4",
        ),
    )


def _sum(label: str, amount: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(label, class_name=f"{MUTED} text-sm"),
        rx.el.dd(amount, class_name="text-xl font-bold tabular-nums"),
        class_name="px-3.5 py-2 md:px-5 md:py-3",
    )


def _owed(line: rx.Var[DueLine]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.div(
                rx.el.p(_name(line.customer, line.href), class_name="min-w-0"),
                rx.el.p(
                    line.note,
                    rx.el.span(", ", line.when, class_name="max-md:sr-only"),
                    class_name=f"{MUTED} shrink-0 text-sm",
                ),
                class_name="flex min-w-0 items-baseline gap-x-2",
            ),
            rx.el.p(plate(line.plate)),
            class_name="min-w-0 flex-1",
        ),
        rx.el.a(line.act, href=line.act_href, class_name=f"{BUTTON['quiet']} shrink-0 px-3 text-sm tabular-nums"),
        class_name=_ROW,
        key=line.href,
    )


def _named(name: rx.Component, number: rx.Var[str]) -> rx.Component:
    """A name, which ends early where there is no room, and the plate beside it."""
    return rx.el.div(
        rx.el.p(name, class_name="min-w-0"),
        rx.el.p(plate(number), class_name="shrink-0"),
        class_name="flex min-w-0 items-center gap-x-2",
    )


def _objection(line: rx.Var[DueLine]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            _named(_name(line.customer, line.href), line.plate),
            rx.el.p(line.note, class_name=f"{MUTED} text-sm"),
            class_name="min-w-0 flex-1",
        ),
        _act(line),
        class_name=_ROW,
        key=line.href,
    )


def _of_vehicles(
    title: str, lines: rx.Var[list[VehicleLine]], count: rx.Var[int], act: str, all_href: rx.Var[str] | str
) -> rx.Component:
    """What is to be done about vehicles; each row leads to doing it."""
    rows = rx.foreach(lines, lambda line: _vehicle(line, act))
    return rx.cond(
        lines,
        rx.el.section(
            _heading(title, count, _all(rx.Var.create(all_href))),
            rx.el.ul(rows, class_name=f"{_BOX} {LIST} mt-1 md:mt-1.5"),
            custom_attrs={"aria-label": title},
        ),
    )


def _vehicle(line: rx.Var[VehicleLine], act: str) -> rx.Component:
    bad, waits = "bg-(--red-a4) text-(--red-12)", "bg-(--amber-a4) text-(--amber-12)"
    badge = "w-fit rounded-md px-2 text-[12.5px]/[22px] font-semibold"
    return rx.el.li(
        rx.el.div(
            _named(
                rx.el.span(line.vehicle, class_name="block truncate font-semibold", custom_attrs=_MAY_BE_CUT),
                line.plate,
            ),
            rx.el.p(line.note, class_name=rx.cond(line.overdue, f"{badge} {bad}", f"{badge} {waits}")),
            class_name="min-w-0 flex-1",
        ),
        rx.el.a(
            act,
            rx.el.span(f" {line.vehicle}, {line.plate}: {line.note}", class_name="sr-only"),
            href=line.href,
            class_name=f"{BUTTON['quiet']} shrink-0 px-4",
        ),
        class_name=_ROW,
        key=f"{line.href} {line.note}",
    )


def _first_steps(page: rx.Var[DayPage]) -> rx.Component:
    return rx.el.section(
        rx.el.h2("Your first days", class_name=BLOCK_TITLE),
        rx.el.p(page.steps_note, class_name=f"{MUTED} text-sm"),
        rx.el.ol(rx.foreach(page.steps, _step), class_name="mt-2 list-none p-0"),
        class_name=f"{PANEL} p-4 sm:p-6",
        custom_attrs={"aria-label": "Your first days"},
    )


def _step(step: rx.Var[StepLine]) -> rx.Component:
    return rx.el.li(
        rx.cond(
            step.is_done,
            rx.icon("circle-check", size=20, class_name="shrink-0 text-(--good)"),
            rx.icon("circle", size=20, class_name=f"{MUTED} shrink-0"),
        ),
        rx.cond(
            step.is_done,
            rx.el.span(step.text, rx.el.span(", done", class_name="sr-only"), class_name=MUTED),
            rx.el.a(step.text, href=step.href, class_name=LINK),
        ),
        class_name="flex min-h-11 items-center gap-3",
        key=step.text,
    )


def _answer_now(page: rx.Var[DayPage]) -> rx.Component:
    return rx.el.section(
        _heading(
            "Answer now",
            page.requests_count,
            rx.el.div(
                _all(page.requests_href),
                news(DashboardState.look, DashboardState.waiting, DashboardState.newest),
                class_name="ml-auto flex items-center gap-3",
            ),
        ),
        rx.cond(
            page.requests,
            rx.el.ul(
                rx.foreach(page.requests, _waiting),
                class_name=f"{_BOX} {LIST} mt-1 md:mt-1.5",
                custom_attrs={"aria-label": "Requests"},
            ),
            rx.el.p(rx.cond(page.nothing, "Nothing to do right now", "Nothing to answer"), class_name=f"{MUTED} px-1"),
        ),
        id=REQUESTS,
        tab_index=-1,
        custom_attrs={"aria-label": "Answer now"},
        class_name="outline-none max-xl:order-1",
    )


def _waiting(request: rx.Var[RequestCard]) -> rx.Component:
    # The reasons that were opened for other dates are closed for these.
    shown = request.shown
    key = f"{request.id} {shown.expected_pickup} {shown.expected_return} {shown.expected_total}"
    return rx.el.li(
        # What was answered keeps its place for a moment: nothing else comes under a finger that presses twice.
        rx.cond(
            request.outcome,
            rx.el.p(request.outcome, class_name="flex min-h-13.5 items-center bg-(--accent-a3) px-3.5 text-sm md:px-5"),
            _request(request),
        ),
        class_name="row-in",
        key=key,
    )


def _request(request: rx.Var[RequestCard]) -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(f"{request.title}, {request.plate} for {request.customer}", class_name="sr-only"),
        rx.el.img(
            src=request.image,
            alt="",
            custom_attrs={"width": "96", "height": "60"},
            loading="lazy",
            class_name=f"h-11 w-17.5 shrink-0 self-start rounded-lg object-contain md:h-15 md:w-24 {STAGE}",
        ),
        rx.el.div(
            rx.el.a(request.title, href=request.href, class_name=f"{ROW_LINK} wrap-anywhere"),
            rx.el.p(plate(request.plate)),
            class_name="min-w-0 flex-1 max-[17.5rem]:basis-full md:w-52 md:flex-none",
        ),
        rx.el.div(
            rx.el.p(request.price, class_name="text-[17px] font-bold tabular-nums"),
            rx.el.p(request.days, class_name=f"{MUTED} text-sm"),
            class_name="shrink-0 text-right md:order-2",
        ),
        rx.el.div(
            rx.el.p(request.dates),
            rx.el.p(
                rx.el.span(request.customer, class_name="min-w-0 truncate", custom_attrs=_MAY_BE_CUT),
                rx.cond(
                    request.rating,
                    rx.el.span(
                        rx.icon("star", size=14, class_name="fill-(--marigold) text-(--marigold)"),
                        request.rating,
                        rx.el.span(" from vendors", class_name="sr-only"),
                        class_name="inline-flex shrink-0 items-center gap-1 tabular-nums",
                    ),
                ),
                _time_left(request),
                class_name=f"{MUTED} flex min-w-0 gap-x-2",
            ),
            class_name="min-w-0 basis-full text-sm md:flex-1 md:basis-60",
        ),
        _answers(request),
        class_name="m-0 flex min-w-0 flex-wrap gap-x-3 gap-y-1 border-0 px-3.5 py-2 md:px-5 md:py-3",
        # There is nobody behind a request of the sample.
        disabled=DashboardState.sample,
    )


def _time_left(request: rx.Var[RequestCard]) -> rx.Component:
    return rx.el.span(
        rx.icon("clock", size=14, class_name="shrink-0"),
        rx.el.span(f"{request.time_left} left", rx.el.span(" to answer", class_name="sr-only")),
        class_name=rx.cond(request.urgent, f"{_TIME_LEFT} font-semibold text-(--red-11)", _TIME_LEFT),
    )


def _answers(request: rx.Var[RequestCard]) -> rx.Component:
    return rx.el.div(
        rx.el.details(
            rx.el.summary("Decline", class_name=f"{BUTTON['quiet']} list-none [&::-webkit-details-marker]:hidden"),
            rx.el.p("Why? The customer is told, and the request is declined at once.", class_name="mt-3 text-sm"),
            rx.el.div(
                *[_press(request, text, reason, "quiet") for reason, text in DECLINE_REASONS.items()],
                class_name="mt-2 flex flex-wrap gap-2",
            ),
            # The reasons have a line of their own, below the buttons.
            class_name="open:order-last open:basis-full",
        ),
        _press(request, "Accept", "", "primary"),
        # Accept stays at the edge once the reasons are open: a second tap where Decline was must not accept.
        class_name=(
            "flex w-full flex-wrap items-center justify-end gap-2 md:order-3 md:ml-auto"
            " md:not-has-[details[open]]:w-auto"
        ),
    )


def _press(request: rx.Var[RequestCard], label: str, reason: str, look: str) -> rx.Component:
    """A button that answers a request: it acts at the press."""
    return button(label, variant=look, on_click=DashboardState.answer(request.id, request.shown, reason))
