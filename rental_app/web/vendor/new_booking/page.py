"""The vendor's page New booking: one page, made for a phone at the counter."""

import reflex as rx

from rental_app.domain.clock import HORIZON
from rental_app.domain.handover import WITH_REASON
from rental_app.schemas.wire import MAX_TEXT
from rental_app.web.frame.frame import content, frame, no_bar
from rental_app.web.parts.badges import plate
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.field import field, field_error, typed_input
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import notice, once_loaded, skeleton, unless_unknown
from rental_app.web.parts.presenters.texts import Choice, Fact
from rental_app.web.parts.theme import BLOCK_TITLE, CHECKBOX, COLUMN, FIELD, LABEL, MUTED, PANEL, STAGE
from rental_app.web.react.browser_draft import drafted, page_drafts
from rental_app.web.react.date_time_picker import date_time_picker
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.new_booking.presenter import DISCOUNT_REASONS, LENGTHS, CounterVehicle
from rental_app.web.vendor.new_booking.state import NewBookingState as State

# From edge to edge on a phone.
_SECTION = f"{PANEL} p-4 max-sm:-mx-4 max-sm:rounded-none max-sm:border-x-0 sm:p-6"
_CHIP = (
    "inline-flex min-h-11 cursor-pointer items-center rounded-full border border-(--gray-a7) px-4 font-medium"
    " aria-pressed:bg-(--chosen) aria-pressed:text-(--surface) has-checked:bg-(--chosen)"
    " has-checked:text-(--surface)"
)
_CARD = (
    "flex min-w-0 cursor-pointer items-center gap-3 rounded-2xl border border-(--gray-a7) p-3 text-left"
    " max-[17.5rem]:flex-wrap has-checked:border-(--accent-9) has-checked:bg-(--accent-a2)"
)


def new_booking() -> rx.Component:
    """When, which vehicle, for whom, and at what price."""
    waiting = skeleton("h-144")
    shown = once_loaded(State.listed, _form(), State, "Your vehicles", waiting)
    return frame(
        page_drafts(),
        no_bar(),
        content(
            rx.el.header(
                rx.el.a(
                    rx.icon("x", size=24),
                    href="/vendor",
                    class_name="absolute top-2 left-0 grid size-12 place-items-center rounded-full"
                    " hover:bg-(--gray-a3)",
                    custom_attrs={"aria-label": "Close"},
                ),
                rx.el.h1("New booking", class_name="text-lg font-semibold"),
                class_name="relative grid min-h-16 place-items-center",
            ),
            rx.cond(SessionState.is_staff, shown, unless_unknown(waiting)),
            extra=COLUMN,
        ),
        extra="on-cards",
    )


def _form() -> rx.Component:
    costs = rx.cond(State.continued, " for ₹0", State.costs)
    ready = rx.cond(State.vehicle, f"Book {State.vehicle.title}{costs}", "Book")
    return rx.el.form(
        _section(
            "When",
            rx.fragment(
                rx.el.div(
                    _picker("Pickup", "pickupDate", State.pickup, State.choose_pickup),
                    _picker("Return", "returnDate", State.return_at, State.choose_return),
                    class_name="mt-3 grid gap-3 sm:grid-cols-2",
                ),
                rx.el.div(
                    *[
                        button(
                            label,
                            on_click=State.choose_length(hours),
                            class_name=_CHIP,
                            custom_attrs={"aria-pressed": rx.cond(State.length == hours, "true", "false")},
                        )
                        for hours, label in LENGTHS.items()
                    ],
                    class_name="mt-3 flex flex-wrap gap-2",
                ),
                rx.cond(State.asks_late, _why_late()),
            ),
        ),
        rx.cond(State.has_none, _no_vehicle(), _rest(ready)),
        on_submit=State.book,
        no_validate=True,
        auto_complete="off",
        custom_attrs=drafted("new booking") | {"aria-label": "New booking"},
        class_name="flex flex-col gap-4",
    )


def _rest(ready: rx.Var[str]) -> rx.Component:
    return rx.fragment(
        _section("Vehicle", _vehicles()),
        rx.cond(State.continued, _section("Going on", _continued()), _section("Customer", _customer())),
        rx.cond(State.price & ~State.continued.bool(), _section("Price", _price())),
        rx.el.div(
            submit(ready, extra="min-h-13 w-full truncate", disabled=State.busy),
            class_name=(
                "sticky bottom-0 z-10 -mx-4 border-t border-(--line) bg-(--page) px-4 pt-3"
                " pb-[calc(0.75rem+env(safe-area-inset-bottom))] sm:mx-0 sm:px-0"
            ),
        ),
    )


def _no_vehicle() -> rx.Component:
    return notice(
        "No vehicle to book",
        "A vehicle is here as soon as it is listed, with a price and with documents that are valid on these days.",
        rx.cond(SessionState.can_manage, link_button("Add Vehicle", "/vendor/add-vehicle")),
    )


def _section(title: str, *content: rx.Component) -> rx.Component:
    return rx.el.section(
        rx.el.h2(title, class_name=BLOCK_TITLE), *content, class_name=_SECTION, custom_attrs={"aria-label": title}
    )


def _why_late() -> rx.Component:
    """Why it is noted only now, asked of what began long ago or is over."""
    return field(
        "Why it is noted only now",
        "lateReason",
        note=State.asks_late,
        max_length=MAX_TEXT,
        auto_complete="off",
        error=State.errors["lateReason"],
        box="mt-3",
    )


def _picker(label: str, name: str, value: rx.Var[str], handler: rx.EventHandler) -> rx.Component:
    return date_time_picker(
        id=name,
        name=name,
        label=label,
        value=value,
        on_change=handler,
        days_back=WITH_REASON.days,
        days_ahead=HORIZON.days,
        error=State.errors[name],
    )


def _vehicles() -> rx.Component:
    listed = State.listed
    return rx.fragment(
        rx.el.p(listed.note, role="status", class_name=f"{MUTED} text-sm"),
        field(
            "Model or RC number",
            "search",
            control=typed_input,
            text="",
            on_type=State.search,
            auto_complete="off",
            max_length=MAX_TEXT,
            box="mt-2",
        ),
        rx.el.fieldset(
            rx.el.legend("Vehicle", class_name="sr-only"),
            # Above the list, whose end may be out of sight.
            field_error("vehicle", State.errors["vehicle"]),
            rx.foreach(listed.vehicles, _vehicle),
            id="vehicle",
            class_name="mt-3 flex min-w-0 flex-col gap-2 border-0 p-0",
            custom_attrs=_refused_as("vehicle"),
        ),
        rx.cond(
            listed.more,
            button(listed.more, on_click=State.show_all, class_name="min-h-11 w-full text-(--accent-11)"),
        ),
    )


def _vehicle(one: rx.Var[CounterVehicle]) -> rx.Component:
    return rx.el.label(
        rx.el.img(
            src=one.image,
            alt="",
            custom_attrs={"width": "96", "height": "60"},
            loading="lazy",
            class_name=f"h-12 w-17 shrink-0 rounded-lg object-cover sm:w-19 {STAGE}",
        ),
        rx.el.span(
            rx.el.span(
                rx.el.span(one.title, class_name="min-w-0 truncate font-semibold"),
                # What goes on with another trip costs nothing.
                rx.el.span(rx.cond(State.continued, "₹0", one.total), class_name="shrink-0 font-bold tabular-nums"),
                class_name="flex justify-between gap-2",
            ),
            rx.el.span(
                plate(one.plate),
                rx.el.span(one.until, class_name=rx.cond(one.taken, "text-(--red-11)", MUTED)),
                class_name="mt-1 flex flex-wrap gap-2 text-sm",
            ),
            class_name="min-w-0 flex-1",
        ),
        rx.el.input(
            type="radio",
            name="vehicle",
            value=one.id.to_string(),
            checked=State.vehicle.id == one.id,
            on_change=State.choose(one.id),
            class_name=CHECKBOX,
        ),
        key=one.id,
        class_name=_CARD,
    )


def _customer() -> rx.Component:
    return rx.el.div(
        field(
            "Mobile Number",
            "phone",
            type="tel",
            input_mode="tel",
            max_length=20,
            auto_complete="off",
            error=State.errors["phone"],
        ),
        field("Name", "name", max_length=MAX_TEXT, auto_complete="off", error=State.errors["name"]),
        rx.el.details(
            rx.el.summary("Email or note", class_name="min-h-11 cursor-pointer py-2 font-medium text-(--accent-11)"),
            field("Email", "email", type="email", max_length=320, auto_complete="off", error=State.errors["email"]),
            field("Note, for both of you", "note", max_length=MAX_TEXT, auto_complete="off"),
            # An error that is not there is no text at all.
            open=rx.cond(State.errors["email"], True, False),
            class_name="[&>div]:mb-3",
        ),
        class_name="mt-3 flex flex-col gap-3",
    )


def _continued() -> rx.Component:
    """Whose trip goes on: they have paid for it already."""
    trip = State.continued
    return rx.fragment(
        rx.el.p("Continues ", rx.el.strong(trip.reference), class_name="mt-2"),
        rx.el.p(trip.text),
        rx.el.p("It costs nothing extra, and the deposit you hold moves with it.", class_name=f"{MUTED} mb-3"),
        field("Note, for both of you", "note", max_length=MAX_TEXT, auto_complete="off"),
    )


def _price() -> rx.Component:
    price = State.price
    return rx.fragment(
        rx.el.dl(rx.foreach(price.lines, _line), class_name="mt-2"),
        rx.foreach(State.vehicle.extras, _extra),
        rx.el.div(
            rx.el.div(
                rx.el.label("Total (₹)", html_for="total", class_name=LABEL),
                rx.el.p(f"Computed {price.total}", class_name=f"{MUTED} text-sm"),
            ),
            typed_input(
                text=price.rupees,
                on_type=State.type_total,
                # Another vehicle has another total.
                key=f"{State.vehicle.id} {price.rupees}",
                id="total",
                name="total",
                input_mode="decimal",
                max_length=12,
                auto_complete="off",
                class_name=f"{FIELD} max-w-32 text-right font-bold",
                custom_attrs={"aria-invalid": rx.cond(State.errors["total"], "true", "false")},
            ),
            class_name="mt-2 flex items-center justify-between gap-3 border-t border-(--line) pt-3",
        ),
        field_error("total", State.errors["total"]),
        rx.cond(State.asks_why, _why()),
        rx.el.p(
            rx.el.span("Security deposit, at the handover"),
            rx.el.span(price.deposit, class_name="tabular-nums"),
            class_name="mt-3 flex justify-between gap-3 border-t border-(--line) pt-3",
        ),
    )


def _line(line: rx.Var[Fact]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(line.label),
        rx.el.dd(line.value, class_name="tabular-nums"),
        class_name="flex justify-between gap-3 py-1",
    )


def _extra(extra: rx.Var[Choice]) -> rx.Component:
    return rx.el.label(
        extra.label,
        rx.el.input(
            type="checkbox",
            checked=rx.Var.create(State.extras).contains(extra.value),
            on_change=State.toggle_extra(extra.value),
            class_name=CHECKBOX,
        ),
        class_name="flex min-h-11 items-center justify-between gap-3",
    )


def _why() -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(State.asks_why, class_name="text-sm font-medium"),
        *[
            rx.el.label(
                rx.el.input(type="radio", name="reason", value=reason, class_name="sr-only"), reason, class_name=_CHIP
            )
            for reason in DISCOUNT_REASONS
        ],
        rx.el.input(
            name="other",
            max_length=MAX_TEXT,
            auto_complete="off",
            class_name=f"{FIELD} mt-2",
            custom_attrs={"aria-label": "Another reason", "placeholder": "Another reason"},
        ),
        field_error("reason", State.errors["reason"]),
        id="reason",
        class_name="mt-2 flex flex-wrap gap-2 border-0 p-0",
        custom_attrs=_refused_as("reason"),
    )


def _refused_as(name: str) -> dict[str, rx.Var[str] | str | int]:
    """The attributes of a group that gets the focus when it is refused; Reflex has no `tab_index` for one."""
    return {"tabIndex": -1, "aria-describedby": rx.cond(State.errors[name], f"{name}-error", "")}
