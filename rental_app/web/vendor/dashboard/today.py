"""The first part of the dashboard: what to answer, what is due today, and the days after."""

from typing import Any

import reflex as rx

from rental_app.domain.bookings import DECLINE_REASONS
from rental_app.web.parts.badges import plate
from rental_app.web.parts.button import button
from rental_app.web.parts.links import call_link
from rental_app.web.parts.presenters.texts import fill
from rental_app.web.parts.theme import BLOCK_TITLE, BUTTON, LIST, MUTED, PANEL, ROW_LINK, STAGE
from rental_app.web.vendor.dashboard.state import REQUESTS, DashboardState
from rental_app.web.vendor.dashboard.today_presenter import (
    DayPage,
    MovementLine,
    PaperLine,
    RefundLine,
    RequestCard,
    WeekDay,
)

FLEET = "/vendor/manage-vehicles"
_SECTION = f"{PANEL} p-4 sm:p-6"
_LINES = f"mt-3 {LIST} empty:hidden"
# On the narrowest phones it has a line of its own: beside it there is room for one button only.
_TIME_LEFT = "mr-auto flex items-center gap-1 text-sm max-[24rem]:basis-full"


def day(page: rx.Var[DayPage]) -> rx.Component:
    """Requests by their deadline, today's handovers and returns, what is out, and the week."""
    # The days on which something goes out or comes back; lines for the other days would only make it long.
    planned = rx.foreach(page.week, lambda each: rx.cond(each.movements, rx.el.li(_week_day(each), key=each.date)))
    return rx.fragment(
        _answer_now(page.requests),
        rx.el.div(
            rx.el.div(
                _section("Today", page.today_note, _movements(page.today)),
                _section("Out now", page.out_note, _movements(page.out)),
                class_name="flex min-w-0 flex-col gap-5",
            ),
            _section("Tomorrow and the week", page.week_note, rx.el.ol(planned, class_name=_LINES)),
            class_name="grid grid-cols-1 items-start gap-5 xl:grid-cols-2",
        ),
        rx.cond(
            page.refunds, _section("Money to give back", "Bookings you cancelled; the oldest first", _refunds(page))
        ),
        rx.cond(
            page.papers,
            _section("Documents", fill("Expired, or expiring within {warning_days} days"), _papers(page)),
        ),
    )


def _refunds(page: rx.Var[DayPage]) -> rx.Component:
    return rx.el.ul(
        rx.foreach(page.refunds, lambda line: rx.el.li(_refund(line), class_name="py-3")),
        class_name=_LINES,
    )


def _refund(line: rx.Var[RefundLine]) -> rx.Component:
    return rx.fragment(
        _named(line.vehicle, line.plate, line.href),
        rx.el.p(line.note, class_name="text-sm wrap-anywhere"),
    )


def _papers(page: rx.Var[DayPage]) -> rx.Component:
    return rx.el.ul(
        rx.foreach(page.papers, lambda line: rx.el.li(_paper(line), class_name="py-3")),
        rx.cond(
            page.more_papers, rx.el.li(rx.el.a(page.more_papers, href=FLEET, class_name=ROW_LINK), class_name="py-3")
        ),
        class_name=_LINES,
    )


def _paper(line: rx.Var[PaperLine]) -> rx.Component:
    return rx.fragment(
        _named(line.vehicle, line.plate, FLEET),
        rx.el.p(line.note, class_name="text-sm wrap-anywhere"),
    )


def _named(vehicle: rx.Var[str], number: rx.Var[str], href: rx.Var[str] | str) -> rx.Component:
    return rx.el.p(
        rx.el.a(vehicle, href=href, class_name=ROW_LINK),
        plate(number),
        class_name="flex flex-wrap items-center gap-x-2 gap-y-1",
    )


def _section(title: str, note: rx.Var[str] | str, *content: rx.Component, **props: Any) -> rx.Component:
    return rx.el.section(
        rx.el.h2(title, class_name=BLOCK_TITLE),
        rx.el.p(note, class_name=MUTED),
        *content,
        class_name=_SECTION,
        custom_attrs={"aria-label": title},
        tab_index=-1,
        **props,
    )


def _answer_now(requests: rx.Var[list[RequestCard]]) -> rx.Component:
    return _section(
        "Answer now",
        rx.cond(requests, "Customers are waiting; the first to expire comes first", "All requests are answered"),
        rx.cond(
            requests,
            rx.fragment(
                rx.el.ul(rx.foreach(requests, _waiting), class_name=_LINES, custom_attrs={"aria-label": "Requests"}),
                rx.el.p("An answer is final, and the customer sees it at once.", class_name=f"{MUTED} mt-4 text-sm"),
            ),
        ),
        id=REQUESTS,
    )


def _waiting(request: rx.Var[RequestCard]) -> rx.Component:
    # The reasons that were opened for other dates are closed for these.
    shown = request.shown
    key = f"{request.id} {shown.expected_pickup} {shown.expected_return} {shown.expected_total}"
    return rx.el.li(_request(request), key=key)


def _request(request: rx.Var[RequestCard]) -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(f"{request.title}, {request.plate} for {request.customer}", class_name="sr-only"),
        rx.el.div(
            rx.el.img(
                src=request.image,
                alt="",
                custom_attrs={"width": "96", "height": "60"},
                loading="lazy",
                class_name=f"h-15 w-24 shrink-0 self-start rounded-lg object-contain {STAGE}",
            ),
            rx.el.div(
                rx.el.div(
                    rx.el.a(request.title, href=request.href, class_name=f"{ROW_LINK} wrap-anywhere"),
                    rx.el.span(request.price, class_name="shrink-0 text-[17px] font-bold tabular-nums"),
                    class_name="flex items-baseline justify-between gap-3",
                ),
                rx.el.p(plate(request.plate), class_name="mb-1"),
                rx.el.p(request.dates, class_name="text-sm text-balance"),
                rx.el.p(request.customer, class_name="text-sm wrap-anywhere"),
                rx.cond(request.rating, rx.el.p(request.rating, class_name=f"{MUTED} text-sm")),
                class_name="min-w-0 flex-1 max-[17.5rem]:basis-full",
            ),
            class_name="flex min-w-0 gap-3 max-[17.5rem]:flex-wrap",
        ),
        rx.el.div(
            rx.el.p(
                rx.icon("clock", size=14, class_name="shrink-0"),
                rx.el.span(f"{request.time_left} left", rx.el.span(" to answer", class_name="sr-only")),
                class_name=rx.cond(
                    request.urgent,
                    f"{_TIME_LEFT} font-semibold text-(--red-11)",
                    f"{_TIME_LEFT} {MUTED}",
                ),
            ),
            rx.el.details(
                rx.el.summary(
                    "Decline",
                    class_name=f"{BUTTON['quiet']} list-none [&::-webkit-details-marker]:hidden",
                ),
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
            class_name="flex w-full flex-wrap items-center justify-end gap-2",
        ),
        class_name="m-0 flex min-w-0 flex-col gap-3 border-0 px-0 py-4",
        # There is nobody behind a request of the sample.
        disabled=DashboardState.busy | DashboardState.sample,
    )


def _press(request: rx.Var[RequestCard], label: str, reason: str, look: str, **props: Any) -> rx.Component:
    """A button that answers a request: it acts at the press."""
    return button(label, variant=look, on_click=DashboardState.answer(request.id, request.shown, reason), **props)


def _movements(lines: rx.Var[list[MovementLine]]) -> rx.Component:
    return rx.el.ul(rx.foreach(lines, lambda line: rx.el.li(_movement(line), class_name="py-3")), class_name=_LINES)


def _movement(line: rx.Var[MovementLine]) -> rx.Component:
    return rx.el.div(
        rx.badge(line.kind, color_scheme=rx.cond(line.is_pickup, "teal", "amber"), size="2", high_contrast=True),
        rx.el.span(line.when, class_name="font-medium"),
        rx.cond(line.late, rx.el.span(line.late, class_name="text-sm font-semibold text-(--red-11)")),
        rx.el.div(
            _named(line.vehicle, line.plate, line.href),
            rx.el.div(
                rx.el.span(line.customer, class_name=f"{MUTED} wrap-anywhere"),
                rx.cond(line.phone, call_link(line.phone, line.customer)),
                class_name="flex flex-wrap items-center gap-x-3 text-sm",
            ),
            class_name="min-w-0 basis-full",
        ),
        class_name="flex flex-wrap items-baseline gap-x-2 gap-y-1",
    )


def _week_day(day: rx.Var[WeekDay]) -> rx.Component:
    return rx.el.div(
        rx.el.h3(
            rx.el.span(day.name, class_name="block text-sm font-semibold"),
            rx.el.span(day.date, class_name=f"{MUTED} block text-sm"),
            class_name="w-24 shrink-0 font-normal",
        ),
        rx.el.ul(
            rx.foreach(day.movements, lambda line: rx.el.li(_movement(line))),
            rx.cond(day.more, rx.el.li(rx.el.a(day.more, href="/vendor/manage-bookings", class_name=ROW_LINK))),
            class_name="flex min-w-0 flex-1 list-none flex-col gap-3 p-0 text-sm",
        ),
        class_name="flex gap-x-3 gap-y-1 py-3 max-[17.5rem]:flex-col",
    )
