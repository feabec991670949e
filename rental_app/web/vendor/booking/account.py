"""The account of a booking, and what is still to change hands."""

import reflex as rx

from rental_app.web.parts.field import field
from rental_app.web.parts.presenters.trip_words import METHODS
from rental_app.web.parts.theme import BLOCK_TITLE, BUTTON, LIST, MUTED, PANEL
from rental_app.web.react.browser_draft import drafted
from rental_app.web.react.own_files import download, photo
from rental_app.web.vendor.booking.account_presenter import Due, VendorAccountLine
from rental_app.web.vendor.booking.presenter import TripPage
from rental_app.web.vendor.booking.readings_state import ReadingState
from rental_app.web.vendor.booking.state import PAYMENTS, field_id, method_id
from rental_app.web.vendor.booking.state import VendorTripState as State


def payments(trip: rx.Var[TripPage]) -> rx.Component:
    """What is still to be paid, taken or given back, each recorded on its own."""
    return rx.el.section(
        rx.el.h2("Payments", class_name=BLOCK_TITLE),
        rx.cond(
            trip.all_due,
            rx.fragment(
                _due("all", trip.all_due),
                rx.el.p("Or each on its own: the rent is paid first.", class_name=f"{MUTED} mt-4 text-sm"),
            ),
        ),
        rx.el.div(
            rx.cond(trip.rent_due, _due("rent", trip.rent_due)),
            rx.cond(trip.deposit_due, _due("deposit", trip.deposit_due)),
            class_name="mt-3 grid gap-6 sm:grid-cols-2",
        ),
        rx.cond(trip.rent_due, rx.fragment(), rx.cond(trip.deposit_due, rx.fragment(), rx.el.p("Nothing is due now."))),
        id=PAYMENTS,
        tab_index=-1,
        class_name=f"{PANEL} p-4 sm:p-6",
        custom_attrs={"aria-label": "Payments"},
    )


def due_now(trip: rx.Var[TripPage]) -> rx.Component:
    """All that is to be taken, in one form whose button says what it records."""
    rent, deposit = trip.rent_due, trip.deposit_due
    each = rx.cond(
        rent.bool() & (rent.direction == "in"),
        _due("rent", rent, as_fact=True),
        rx.cond(deposit.bool() & (deposit.direction == "in"), _due("deposit", deposit, as_fact=True)),
    )
    return rx.cond(trip.all_due, _due("all", trip.all_due, as_fact=True), each)


def _fact(of: str, due: rx.Var[Due]) -> rx.Component:
    amount = rx.cond(State.typed[of], State.typed[of], due.amount)
    way = rx.match(State.methods[of], *METHODS.items(), "Cash")
    return rx.fragment(amount, " received by ", way)


def _due(of: str, due: rx.Var[Due], *, as_fact: bool = False) -> rx.Component:
    return rx.el.form(
        rx.el.h3(due.label, ": ", due.amount, class_name="font-semibold"),
        rx.cond(due.upi_paise, _qr(of)),
        rx.el.input(type="hidden", name="of", value=of, read_only=True),
        rx.el.input(type="hidden", name="direction", value=due.direction, read_only=True),
        rx.el.input(type="hidden", name="key", value=State.payment_keys[of], read_only=True),
        field(
            "Amount (₹)",
            "amount",
            id=field_id(of),
            error=State.errors[of],
            default_value=due.rupees,
            on_change=lambda amount: State.type_amount(of, amount),
            input_mode="decimal",
            auto_complete="off",
            max_length=12,
        ),
        field(
            "How",
            "method",
            *[rx.el.option(label, value=name) for name, label in METHODS.items()],
            control=rx.el.select,
            id=method_id(of),
            on_change=lambda method: State.choose_method(of, method),
        ),
        rx.el.button(
            _fact(of, due) if as_fact else due.button, type="submit", disabled=State.busy, class_name=BUTTON["primary"]
        ),
        # Another amount makes another form: what was typed into the previous one is done with.
        key=f"{of}-{due.direction}-{due.rupees}",
        on_submit=[State.pay, ReadingState.paid] if as_fact else State.pay,
        no_validate=True,
        custom_attrs=drafted(f"payment {of} {due.direction} {due.rupees}") | {"aria-label": due.label},
        class_name="flex flex-col gap-3",
    )


def _qr(of: str) -> rx.Component:
    is_shown = State.code_of == of
    return rx.el.div(
        rx.el.button(
            rx.icon("qr-code", size=18),
            "UPI code",
            rx.icon("chevron-down", size=18, class_name=rx.cond(is_shown, "rotate-180", "")),
            type="button",
            on_click=State.show_code(of),
            class_name="flex min-h-10 w-fit cursor-pointer items-center gap-2 font-medium text-(--accent-11)",
            custom_attrs={"aria-expanded": rx.cond(is_shown, "true", "false")},
        ),
        rx.cond(is_shown, rx.cond(State.codes[of], _code(of), _no_code())),
    )


def _code(of: str) -> rx.Component:
    return rx.fragment(
        rx.el.img(
            src=State.codes[of],
            alt=f"UPI code for {State.asked_by_upi[of]}",
            custom_attrs={"width": "240", "height": "240"},
            class_name="mt-2 size-60 rounded-xl",
        ),
        rx.el.p(State.asked_by_upi[of], class_name="mt-1 font-semibold"),
        rx.el.p(
            "The customer scans it with any UPI app. Note it as received once your own app says so.",
            class_name=f"{MUTED} mt-1 text-sm",
        ),
    )


def _no_code() -> rx.Component:
    return rx.el.p("Enter an amount: the code asks for it.", role="status", class_name=f"{MUTED} mt-1 text-sm")


def account(trip: rx.Var[TripPage]) -> rx.Component:
    """Every line, both balances and the receipt."""
    return rx.el.section(
        rx.el.h2("Account", class_name=BLOCK_TITLE),
        rx.el.ul(rx.foreach(trip.lines, _line), class_name=f"mt-3 {LIST}"),
        rx.el.dl(
            _balance("Rent", trip.rent),
            _balance("Deposit", trip.deposit),
            class_name="mt-3 border-t border-(--gray-a7) pt-3",
        ),
        download(
            rx.icon("file-down", size=18),
            "Receipt",
            url=f"/api/bookings/{trip.reference}/receipt.pdf",
            save_as=f"receipt-{trip.reference}.pdf",
            class_name=f"{BUTTON['quiet']} mt-4",
        ),
        class_name=f"{PANEL} p-4 sm:p-6",
        custom_attrs={"aria-label": "Account"},
    )


def _balance(label: str, text: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(label),
        rx.el.dd(text, class_name="font-semibold"),
        class_name="flex justify-between gap-3 py-1",
    )


def _line(line: rx.Var[VendorAccountLine]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.span(
                rx.el.span(line.what, class_name="font-medium"),
                rx.cond(line.open, rx.badge("Objection", color_scheme="amber", size="2", high_contrast=True)),
                class_name="flex min-w-0 flex-wrap items-center gap-2",
            ),
            rx.el.span(line.amount, class_name="shrink-0 font-semibold"),
            class_name="flex items-baseline justify-between gap-3",
        ),
        rx.cond(line.note, rx.el.p(line.note, class_name="text-sm wrap-anywhere")),
        rx.cond(line.photo, rx.el.div(photo(line.photo, f"Damage: {line.note}"), class_name="my-2 w-40")),
        rx.el.div(
            rx.el.span(line.when, rx.cond(line.how, f", {line.how}", ""), class_name=f"{MUTED} text-sm"),
            rx.cond(
                line.reversible,
                rx.el.button(
                    "Reverse",
                    rx.el.span(f" {line.what}, {line.amount}", class_name="sr-only"),
                    type="button",
                    on_click=State.ask_about_line(line.id),
                    class_name=_SMALL,
                ),
            ),
            class_name="flex items-center justify-between gap-3",
        ),
        key=line.id,
        class_name="py-2",
    )


_SMALL = "min-h-10 cursor-pointer px-2 text-sm font-medium text-(--accent-11) underline underline-offset-2"
