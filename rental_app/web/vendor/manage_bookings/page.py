"""The vendor's page Manage Bookings."""

from typing import Any

import reflex as rx

from rental_app.domain.bookings import DECLINE_REASONS, BookingStatus
from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.badges import plate, status_badge
from rental_app.web.parts.button import button
from rental_app.web.parts.field import field, typed_input
from rental_app.web.parts.links import call_link, link_button
from rental_app.web.parts.notice import notice, out_of_date
from rental_app.web.parts.table import table
from rental_app.web.parts.theme import BUTTON, FIELD, MUTED, ROW_LINK, SKELETON, STAGE
from rental_app.web.react.date_time_picker import day_input
from rental_app.web.react.heartbeat import heartbeat
from rental_app.web.react.own_files import download
from rental_app.web.react.sheet import closes_sheet, opens_sheet, sheet
from rental_app.web.react.shortcuts import on_key, shortcuts
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.manage_bookings.filters_state import HERE, ORDERS, SEARCH, STATUSES
from rental_app.web.vendor.manage_bookings.presenter import BookingTableRow, PartTab
from rental_app.web.vendor.manage_bookings.state import LIST
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState as State

_SHEET = "booking-filters"


def manage_bookings() -> rx.Component:
    """The bookings of the vendor's vehicles: parts of the list, filters, table, pages, and the answers to requests."""
    count = rx.match(
        State.waiting,
        (0, "No requests are waiting for your answer."),
        (1, "1 request is waiting for your answer."),
        f"{State.waiting} requests are waiting for your answer.",
    )
    return vendor_layout(
        "Manage Bookings",
        shortcuts(),
        rx.el.p(rx.cond(State.loading | (State.problem & ~State.rows), "", count), role="status", class_name="sr-only"),
        rx.cond(State.problem & State.rows, out_of_date(State.problem, State.load)),
        rx.el.div(
            rx.cond(
                State.only_id,
                rx.el.div(
                    rx.el.p("Showing one booking."),
                    link_button("Show all bookings", f"{HERE}?part=all", "quiet"),
                    class_name="flex flex-wrap items-center justify-between gap-3 py-3 lg:px-5",
                ),
                _head(),
            ),
            rx.cond(State.loading, _skeleton(), rx.cond(State.rows, _bookings(), _nothing())),
            class_name="lg:rounded-2xl lg:border lg:border-(--line) lg:bg-(--surface)",
        ),
        heartbeat(State.refresh),
        waiting=_skeleton(),
        act=rx.el.a(
            rx.icon("plus", size=20),
            rx.el.span("New booking", class_name="max-sm:sr-only"),
            href="/vendor/new-booking",
            class_name=f"{BUTTON['primary']} max-sm:size-11 max-sm:rounded-full max-sm:px-0!",
        ),
    )


def _head() -> rx.Component:
    """Parts and filters, which stay in sight: below a phone's bar, and at the top of the list on a desk."""
    return rx.el.div(
        rx.el.nav(
            rx.foreach(State.tabs, _tab),
            class_name=(
                "flex gap-1 overflow-x-auto border-b border-(--line) max-lg:order-last max-lg:-mx-4 max-lg:px-2"
                " lg:gap-4 lg:px-5 [scrollbar-width:none]"
            ),
            tab_index=0,
            custom_attrs={"aria-label": "Parts of the list"},
        ),
        _filters(),
        class_name=(
            "sticky top-14 z-10 flex flex-col bg-(--page) max-sm:-mt-2 max-lg:mb-3 md:top-16 lg:rounded-t-2xl"
            " lg:bg-(--surface)"
        ),
    )


def _tab(tab: rx.Var[PartTab]) -> rx.Component:
    waits = (tab.name == "waiting") & (tab.count > 0)
    count = "rounded-full px-2 text-xs leading-5 font-semibold tabular-nums"
    return rx.el.a(
        tab.label,
        rx.el.span(
            tab.count,
            class_name=rx.cond(waits, f"{count} bg-(--amber-a4) text-(--amber-12)", f"{count} bg-(--gray-a3)"),
        ),
        href=tab.href,
        class_name=(
            "-mb-px inline-flex min-h-12 shrink-0 items-center gap-2 border-b-[3px] border-transparent px-2"
            " whitespace-nowrap text-(--muted) no-underline hover:text-(--ink) aria-[current=page]:border-(--accent-9)"
            " aria-[current=page]:font-semibold aria-[current=page]:text-(--ink)"
        ),
        custom_attrs={"aria-current": rx.cond(tab.name == State.part, "page", "false")},
        key=tab.name,
    )


# A filter that is set is tinted.
_CHIP = "min-h-(--press) rounded-full border px-3.5 text-sm font-medium cursor-pointer"
_UNSET = f"{_CHIP} border-(--gray-a7) bg-(--surface) text-(--ink)"
_SET = f"{_CHIP} border-(--accent-a6) bg-(--accent-a3) text-(--accent-12)"


def _look(is_set: rx.Var[Any]) -> rx.Var[str]:
    return rx.cond(is_set, _SET, _UNSET)


# On the button that opens the filters.
_DOT = "absolute top-2 right-2 size-2 rounded-full bg-(--accent-9)"


def _filters() -> rx.Component:
    shut = button("Show bookings", variant="primary", extra="sm:hidden", custom_attrs=closes_sheet(_SHEET))
    return rx.el.div(
        _search(),
        button(
            rx.icon("list-filter", size=20),
            rx.cond(
                State.filtered, rx.el.span(class_name="absolute top-2 right-2 size-2 rounded-full bg-(--accent-9)")
            ),
            class_name=(
                "relative inline-flex size-11 shrink-0 cursor-pointer items-center justify-center rounded-xl border"
                " border-(--gray-a7) bg-(--surface) text-(--ink) sm:hidden"
            ),
            label=rx.cond(State.filtered, "Filters, some are set", "Filters"),
            custom_attrs=opens_sheet(_SHEET),
        ),
        sheet(
            rx.el.div(
                rx.el.h2("Filters", tab_index=-1, class_name="w-full text-lg font-bold sm:sr-only"),
                _days(),
                _choice(
                    "Vehicle",
                    State.vehicle,
                    State.filter_vehicle,
                    rx.el.option("All vehicles", value=""),
                    rx.foreach(State.vehicles, lambda choice: rx.el.option(choice.label, value=choice.value)),
                ),
                _choice(
                    "Status",
                    State.status,
                    State.filter_status,
                    rx.el.option("Any status", value=""),
                    *[rx.el.option(status.capitalize(), value=status) for status in STATUSES],
                ),
                rx.cond(State.month, _removable(f"Pickup in {State.month_name}", State.drop_month)),
                rx.cond(State.due_name, _removable(State.due_name, State.drop_due)),
                rx.cond(
                    State.filtered,
                    button(
                        "Clear filters",
                        on_click=State.clear_filters,
                        class_name="min-h-(--press) cursor-pointer px-2 text-sm font-semibold text-(--accent-11)",
                    ),
                ),
                rx.el.span(class_name="flex-1 max-lg:hidden"),
                rx.el.select(
                    *[rx.el.option(label, value=order) for order, label in ORDERS.items()],
                    value=State.order,
                    on_change=State.choose_sorting,
                    class_name=_UNSET,
                    custom_attrs={"aria-label": "What comes first"},
                ),
                rx.cond(
                    SessionState.is_vendor,
                    download(
                        "CSV",
                        url=State.csv,
                        save_as="bookings.csv",
                        class_name=f"{_UNSET} inline-flex items-center justify-center",
                    ),
                ),
                shut,
                class_name=(
                    "flex flex-wrap items-start gap-2 max-sm:flex-col max-sm:items-stretch max-sm:gap-3 max-sm:pt-4"
                ),
            ),
            id=_SHEET,
            label="Filters",
        ),
        role="search",
        custom_attrs={"aria-label": "Filter bookings"},
        class_name=(
            "flex items-start gap-2 py-2 sm:flex-wrap lg:flex-nowrap lg:px-5 lg:py-3 lg:[&>.sheet-of-phone]:flex-1"
        ),
    )


def _search() -> rx.Component:
    return rx.el.div(
        field(
            "",
            SEARCH,
            control=typed_input,
            error=State.errors["q"],
            text=State.text,
            on_type=State.filter_text,
            type="search",
            placeholder="Name, mobile, RC number, reference",
            custom_attrs={"aria-label": "Search", "aria-keyshortcuts": "/"} | on_key("/"),
            class_name=(
                f"{FIELD} pr-3 pl-10 text-ellipsis max-sm:h-11 lg:pr-10 [&::-webkit-search-cancel-button]:hidden"
            ),
        ),
        rx.icon("search", size=18, class_name=f"{MUTED} pointer-events-none absolute top-3 left-3 sm:top-2.75"),
        rx.el.kbd(
            "/",
            class_name=f"{MUTED} pointer-events-none absolute top-2.5 right-3 rounded border border-(--line) px-1.5"
            " text-xs leading-4 max-lg:hidden",
            aria_hidden="true",
        ),
        class_name="relative min-w-0 flex-1 sm:max-lg:basis-full lg:w-64 lg:flex-none",
    )


def _choice(label: str, value: rx.Var[str], handler: rx.EventHandler, *options: rx.Component) -> rx.Component:
    """A chip that opens its choices; one that is set has a cross."""
    return rx.el.div(
        rx.el.select(
            *options,
            value=value,
            on_change=handler,
            class_name=rx.cond(value, f"{_SET} max-w-full pr-8", f"{_UNSET} max-w-full"),
            custom_attrs={"aria-label": label},
        ),
        rx.cond(value, _cross(f"Remove the filter: {label.lower()}", handler(""))),
        class_name="flex min-w-0 items-center max-sm:[&>select]:flex-1 sm:max-w-52",
    )


def _cross(label: rx.Var[str] | str, handler: Any) -> rx.Component:
    return button(
        rx.icon("x", size=16),
        on_click=handler,
        label=label,
        class_name="inline-flex size-(--press) shrink-0 cursor-pointer items-center justify-center text-(--accent-11)",
    )


def _removable(text: rx.Var[str] | str, handler: rx.EventHandler) -> rx.Component:
    """A filter that an address has set; pressing it removes it."""
    return button(
        text,
        rx.icon("x", size=16),
        on_click=handler,
        label=f"Remove the filter: {text}",
        class_name=f"{_SET} inline-flex items-center gap-1.5",
    )


def _days() -> rx.Component:
    """The days a vehicle is on the road, from and to; the browser opens and closes their fields."""
    return rx.el.div(
        rx.el.details(
            rx.el.summary(
                rx.icon("calendar", size=16),
                rx.cond(State.days_name, State.days_name, "Any dates"),
                class_name=rx.cond(
                    State.days_name,
                    f"{_SET} flex list-none items-center gap-2 [&::-webkit-details-marker]:hidden",
                    f"{_UNSET} flex list-none items-center gap-2 [&::-webkit-details-marker]:hidden",
                ),
            ),
            rx.el.div(
                _day("From", "from", State.first_day, State.filter_from),
                _day("To", "to", State.last_day, State.filter_to),
                class_name=(
                    "mt-2 grid gap-3 rounded-2xl border border-(--line) bg-(--surface) p-4 sm:absolute sm:z-20 sm:w-72"
                    " sm:shadow-lg"
                ),
            ),
            # What is wrong with them is not to be overlooked.
            open=rx.cond(State.errors["from"], True, rx.cond(State.errors["to"], True, False)),
            class_name="min-w-0 max-sm:flex-1",
        ),
        rx.cond(State.days_name, _cross("Remove the filter: dates", State.drop_days)),
        class_name="flex min-w-0 items-start",
    )


def _day(label: str, name: str, value: rx.Var[str], handler: rx.EventHandler) -> rx.Component:
    return field(
        label,
        f"filter-{name}",
        error=State.errors[name],
        # What is not a day leaves the field, too.
        key=f"{name}-{State.times_cleared}",
        control=day_input(label),
        default_value=value,
        on_change=handler,
        box="min-w-0",
    )


def _skeleton() -> rx.Component:
    return rx.el.div(
        *[rx.el.div(class_name=f"{SKELETON} h-44 lg:h-18") for _ in range(5)],
        class_name="flex flex-col gap-3 lg:gap-2 lg:p-5",
        custom_attrs={"aria-hidden": "true"},
    )


def _bookings() -> rx.Component:
    by_age = State.order == "created"
    return rx.fragment(
        booking_table(),
        rx.el.nav(
            rx.el.p(f"{State.first} to {State.last} of {State.total}", class_name=f"{MUTED} text-sm"),
            rx.el.div(
                _turn(rx.cond(by_age, "Newer", "Previous"), State.previous_page, State.first <= 1),
                _turn(rx.cond(by_age, "Older", "Next"), State.next_page, ~State.more),
                class_name="flex flex-wrap gap-3",
            ),
            custom_attrs={"aria-label": "Pages"},
            class_name="flex flex-wrap items-center justify-between gap-3 py-4 lg:px-5",
        ),
    )


def _turn(text: rx.Var[str], handler: rx.EventHandler, blocked: rx.Var[bool]) -> rx.Component:
    return button(text, on_click=handler, disabled=blocked)


def _nothing() -> rx.Component:
    retry = button("Try again", variant="primary", on_click=State.load)
    clear = button("Clear filters", variant="primary", on_click=State.clear_filters)
    none = rx.match(
        State.part,
        ("waiting", notice("Nothing to answer", "New requests appear here as soon as they are made.")),
        ("upcoming", notice("Nothing to hand over", "Confirmed bookings stand here until their vehicle goes out.")),
        ("out", notice("No vehicle is out", "Vehicles that were handed over stand here until they are back.")),
        ("to_settle", notice("Nothing to settle", "Trips that are over stand here while money is open.")),
        notice(
            "No bookings yet",
            "Requests for your vehicles appear here as soon as they are made.",
            rx.cond(SessionState.can_manage, link_button("Manage vehicles", "/vendor/manage-vehicles")),
        ),
    )
    return rx.cond(
        State.problem,
        notice("Your bookings could not be loaded", State.problem, retry),
        rx.cond(
            State.only_id,
            notice("There is no such booking", "It may belong to somebody else's vehicle."),
            rx.cond(
                State.filtered,
                notice("No bookings fit these filters", "Look into the other parts, or try other filters.", clear),
                none,
            ),
        ),
    )


_COLUMNS = ("Car", "Date Range", "Total", "Payment", "Actions")
_ROW = (
    "max-lg:mb-3 max-lg:grid max-lg:grid-cols-[auto_minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:gap-y-0.5"
    " max-lg:rounded-2xl max-lg:border max-lg:border-(--line) max-lg:bg-(--surface) max-lg:p-3.5"
    " max-lg:[grid-template-areas:'picture_name_total'_'picture_name_payment'_'days_days_days'_'who_who_who'"
    "_'act_act_act'] lg:border-b lg:border-(--line) lg:last:border-0 lg:[&>td]:px-2.5 lg:[&>td]:py-3"
    " max-[17.5rem]:grid-cols-1"
    " max-[17.5rem]:[grid-template-areas:'picture'_'name'_'total'_'payment'_'days'_'who'_'act']"
    " lg:[&>td:first-child]:pl-5 lg:[&>td:last-child]:pr-5"
)


def booking_table() -> rx.Component:
    """One row per booking, in the chosen order."""
    rows = rx.foreach(State.rows, _rows)
    bookings = table("Bookings of your vehicles", _COLUMNS, rows, id=LIST, tab_index=-1)
    return rx.el.div(bookings, class_name="lg:overflow-x-auto lg:[&_th:first-child]:pl-5")


def _rows(booking: rx.Var[BookingTableRow]) -> rx.Component:
    """A booking's row, and above it the heading of those answered today."""
    heading = rx.el.tr(
        rx.el.th(
            booking.heading,
            custom_attrs={"colSpan": "5", "scope": "rowgroup"},
            role="rowheader",
            class_name=f"{MUTED} py-2 text-left text-sm font-semibold lg:bg-(--gray-a2) lg:px-5",
        ),
        role="row",
        class_name="max-lg:block lg:border-b lg:border-(--line)",
    )
    return rx.fragment(rx.cond(booking.heading, heading), _row(booking), key=booking.id)


def _row(booking: rx.Var[BookingTableRow]) -> rx.Component:
    return rx.el.tr(
        _cell(_car(booking), look="max-lg:contents"),
        _cell(
            rx.el.span(booking.days, class_name="lg:block"),
            rx.el.span(booking.times, class_name=f"{MUTED} text-sm lg:block"),
            look="flex flex-wrap items-baseline gap-x-2 max-lg:mt-2 max-lg:[grid-area:days] lg:table-cell"
            " lg:whitespace-nowrap",
        ),
        _cell(
            booking.total,
            look="text-right text-[17px] font-bold tabular-nums max-lg:[grid-area:total] lg:text-left",
        ),
        _cell(
            "offline", look="text-right max-lg:text-sm max-lg:text-(--muted) max-lg:[grid-area:payment] lg:text-left"
        ),
        _cell(
            rx.cond(booking.status == BookingStatus.PENDING, _answer(booking), _verdict(booking)),
            look="max-lg:mt-3 max-lg:[grid-area:act] lg:w-60",
        ),
        role="row",
        class_name=_ROW,
    )


def _cell(*content: Any, look: str) -> rx.Component:
    return rx.el.td(*content, role="cell", class_name=look)


def _car(booking: rx.Var[BookingTableRow]) -> rx.Component:
    return rx.el.div(
        rx.el.img(
            src=booking.image,
            alt="",
            custom_attrs={"width": "640", "height": "400"},
            loading="lazy",
            class_name=f"h-15 w-20 shrink-0 rounded-lg object-cover max-lg:[grid-area:picture] lg:h-12 lg:w-16 {STAGE}",
        ),
        rx.el.div(
            rx.el.div(
                rx.el.a(booking.title, href=booking.href, class_name=f"{ROW_LINK} wrap-anywhere"),
                plate(booking.plate),
                class_name=(
                    "flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 max-lg:[grid-area:name] max-lg:content-start"
                ),
            ),
            rx.el.p(
                rx.el.span(booking.customer, class_name="wrap-anywhere"),
                rx.el.span(booking.reference, class_name=f"{MUTED} tabular-nums"),
                rx.cond(booking.rating, rx.el.span(booking.rating, class_name="font-medium")),
                rx.cond(booking.phone, call_link(booking.phone, booking.customer)),
                class_name="flex flex-wrap items-center gap-x-2 text-sm max-lg:[grid-area:who]",
            ),
            class_name="min-w-0 max-lg:contents",
        ),
        class_name="max-lg:contents lg:flex lg:items-center lg:gap-3",
    )


_TIME_LEFT = "flex items-center gap-1 text-sm"


def _answer(booking: rx.Var[BookingTableRow]) -> rx.Component:
    """The specification's select and, in a card, buttons; each acts at once."""
    # The reasons that were opened for other dates are closed for these.
    shown = booking.shown
    key = f"{booking.id} {shown.expected_pickup} {shown.expected_return} {shown.expected_total}"
    return rx.el.div(
        # Not the browser's own select: its arrow keys would choose, and so answer, on the way to another option.
        rx.el.div(
            rx.select.root(
                rx.select.trigger(
                    custom_attrs={"aria-label": f"Status of {booking.title}, {booking.plate} for {booking.customer}"},
                    class_name="w-full",
                ),
                rx.select.content(
                    rx.select.item("Pending", value="pending"),
                    rx.select.item("Cancelled", value="cancelled"),
                    rx.select.item("Confirmed", value="confirmed"),
                    position="popper",
                ),
                value="pending",
                on_change=lambda status: State.decide(booking.id, booking.shown, status, ""),
                disabled=State.busy,
                size="3",
            ),
            class_name="max-lg:hidden",
        ),
        rx.el.p(
            rx.icon("clock", size=14, class_name="shrink-0"),
            rx.el.span(f"{booking.time_left} left", rx.el.span(" to answer", class_name="sr-only")),
            class_name=rx.cond(booking.urgent, f"{_TIME_LEFT} font-semibold text-(--red-11)", f"{_TIME_LEFT} {MUTED}"),
        ),
        _buttons(booking, key),
        class_name="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 lg:block lg:space-y-1",
    )


def _buttons(booking: rx.Var[BookingTableRow], key: rx.Var[str]) -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(f"{booking.title}, {booking.plate} for {booking.customer}", class_name="sr-only"),
        rx.el.details(
            rx.el.summary("Decline", class_name=f"{BUTTON['quiet']} list-none [&::-webkit-details-marker]:hidden"),
            rx.el.p("Why? The customer is told, and the request is declined at once.", class_name="mt-3 text-sm"),
            rx.el.div(
                *[_press(booking, text, "cancelled", reason, "quiet") for reason, text in DECLINE_REASONS.items()],
                class_name="mt-2 flex flex-wrap gap-2",
            ),
            # The reasons have a line of their own: a second tap where Decline was must not accept.
            class_name="open:order-last open:basis-full",
        ),
        _press(booking, "Accept", "confirmed", "", "primary"),
        key=key,
        disabled=State.busy,
        class_name="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-2 border-0 p-0 lg:hidden"
        " has-[[open]]:basis-full",
    )


def _press(booking: rx.Var[BookingTableRow], label: str, status: str, reason: str, look: str) -> rx.Component:
    return button(label, variant=look, on_click=State.decide(booking.id, booking.shown, status, reason))


def _verdict(booking: rx.Var[BookingTableRow]) -> rx.Component:
    """How a booking stands, what is open, and the next step as a button."""
    return rx.el.div(
        rx.el.div(status_badge(booking.status)),
        rx.el.p(
            booking.stage,
            rx.cond(booking.stage & booking.money, ", ", ""),
            rx.el.strong(booking.money, class_name="font-semibold"),
            class_name="min-w-0 text-sm lg:order-last lg:col-span-full",
        ),
        rx.cond(
            booking.step,
            rx.el.a(
                booking.step,
                href=booking.step_href,
                class_name=f"{BUTTON['quiet']} shrink-0 px-4! text-sm! lg:min-h-9!",
                custom_attrs={"aria-label": f"{booking.step}: {booking.title}, {booking.plate} for {booking.customer}"},
            ),
        ),
        class_name=(
            "grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 max-lg:border-t"
            " max-lg:border-(--line) max-lg:pt-3 max-[17.5rem]:grid-cols-1 lg:grid-cols-[minmax(0,1fr)_auto]"
        ),
    )
