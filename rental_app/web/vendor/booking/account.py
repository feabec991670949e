"""The account of a booking, and what is still to change hands."""

from collections.abc import Callable

import reflex as rx

from rental_app.content.account_words import METHODS
from rental_app.domain.account import PaymentMethod
from rental_app.web.parts.block import panel
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.field import field
from rental_app.web.parts.presenters.trip import AccountLine
from rental_app.web.parts.theme import BUTTON, LIST, MUTED
from rental_app.web.react.browser_draft import drafted
from rental_app.web.react.date_time_picker import day_input
from rental_app.web.react.own_files import download, photo
from rental_app.web.vendor.booking.presenter import Due, VendorTrip
from rental_app.web.vendor.booking.readings_state import ReadingState
from rental_app.web.vendor.booking.state import PAYMENTS, field_id
from rental_app.web.vendor.booking.state import VendorTripState as State

PAID_ON = "Paid on, if not today"
_RECEIVED: dict[str, str] = {PaymentMethod.CASH: "in cash", PaymentMethod.UPI: "by UPI", PaymentMethod.CARD: "by card"}


def payments(trip: rx.Var[VendorTrip]) -> rx.Component:
    """What is still to be paid, taken or given back, each recorded on its own."""
    dues = trip.payments
    return panel(
        "Payments",
        rx.cond(
            dues.all,
            rx.fragment(
                _due("all", dues.all),
                rx.el.p("Or each on its own: the rent is paid first.", class_name=f"{MUTED} mt-4 text-sm"),
            ),
        ),
        rx.el.div(
            rx.cond(dues.rent, _due("rent", dues.rent)),
            rx.cond(dues.deposit, _due("deposit", dues.deposit)),
            class_name="mt-3 grid gap-6 sm:grid-cols-2",
        ),
        rx.cond(dues.rent, rx.fragment(), rx.cond(dues.deposit, rx.fragment(), rx.el.p("Nothing is due now."))),
        gap="mb-2",
        id=PAYMENTS,
        tab_index=-1,
    )


def due_now(trip: rx.Var[VendorTrip], button: Callable[..., rx.Component]) -> rx.Component:
    """All that is to be taken, in one form; its button, which stands in the foot below it, says what it records."""

    def payment(of: str, due: rx.Var[Due]) -> rx.Component:
        label = rx.cond(State.typed[of], State.typed[of], due.amount)
        record = submit(
            label,
            " received ",
            rx.match(State.methods[of], *_RECEIVED.items(), "in cash"),
            form=_form_id(of),
            disabled=State.busy,
        )
        return rx.fragment(_due(of, due, is_step=True), button(record))

    rent, deposit = trip.payments.rent, trip.payments.deposit
    each = rx.cond(
        rent.bool() & (rent.direction == "in"),
        payment("rent", rent),
        rx.cond(deposit.bool() & (deposit.direction == "in"), payment("deposit", deposit), button()),
    )
    return rx.cond(trip.payments.all, payment("all", trip.payments.all), each)


def _form_id(of: str) -> str:
    return f"pay-{of}"


def _due(of: str, due: rx.Var[Due], *, is_step: bool = False) -> rx.Component:
    # One button is the purpose: all that is due, where it can be recorded at once.
    look = BUTTON["primary"] if of == "all" else rx.cond(State.trip.payments.all, BUTTON["quiet"], BUTTON["primary"])
    record = submit(due.button, disabled=State.busy, class_name=look)
    return rx.el.form(
        rx.fragment() if is_step else rx.el.h3(due.label, ": ", rx.el.span(due.amount), class_name="font-semibold"),
        rx.el.input(type="hidden", name="of", value=of, read_only=True),
        rx.el.input(type="hidden", name="direction", value=due.direction, read_only=True),
        rx.el.input(type="hidden", name="key", value=State.payment_keys[of], read_only=True),
        _methods(of),
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
            PAID_ON,
            "paidOn",
            id=f"paid-on-{of}",
            control=day_input(PAID_ON),
            error=State.errors[f"{of}.paidOn"],
            auto_complete="off",
        ),
        rx.cond(due.split & ~State.typed[of], rx.el.p(due.split, class_name=f"{MUTED} -mt-2 text-sm")),
        rx.cond(
            due.upi_paise & (State.methods[of] == PaymentMethod.UPI), rx.cond(State.codes[of], _code(of), _no_code())
        ),
        rx.fragment() if is_step else record,
        id=_form_id(of),
        # Another amount makes another form: what was typed into the previous one is done with.
        key=f"{of}-{due.direction}-{due.rupees}",
        on_submit=[State.pay, ReadingState.paid] if is_step else State.pay,
        no_validate=True,
        custom_attrs=drafted(f"payment {of} {due.direction} {due.rupees}") | {"aria-label": due.label},
        class_name="flex min-w-0 flex-col gap-3",
    )


_ICONS: dict[str, str] = {
    PaymentMethod.CASH: "banknote",
    PaymentMethod.UPI: "qr-code",
    PaymentMethod.CARD: "credit-card",
}


def _methods(of: str) -> rx.Component:
    """How it is paid: the methods are few, so all are shown; the code appears for UPI."""
    return rx.el.fieldset(
        rx.el.legend("How", class_name="sr-only"),
        *[
            rx.el.label(
                rx.el.input(
                    type="radio",
                    name="method",
                    value=name,
                    default_checked=State.methods[of] == name,
                    on_change=State.choose_method(of, name),
                    class_name="sr-only",
                ),
                rx.icon(_ICONS[name], size=18, custom_attrs={"aria-hidden": "true"}),
                label,
                class_name=(
                    "flex min-h-12 flex-1 cursor-pointer items-center justify-center gap-2 rounded-[10px] font-medium"
                    " has-checked:bg-(--raised) has-checked:shadow-sm has-focus-visible:outline-2"
                    " has-focus-visible:outline-(--accent-9)"
                ),
            )
            for name, label in METHODS.items()
        ],
        class_name="m-0 flex gap-1 rounded-[14px] border-0 bg-(--gray-a3) p-1 max-[17.5rem]:flex-col",
    )


def _code(of: str) -> rx.Component:
    """The code, white in the dark theme too, because not every app reads another one. Enlarged, it fills the screen."""
    large = f"large-{of}"
    picture = {"src": State.codes[of], "alt": f"UPI code for {State.asked_by_upi[of]}"}
    payments = State.trip.payments
    return rx.el.div(
        rx.el.img(**picture, custom_attrs={"width": "148", "height": "148"}, class_name="size-37 shrink-0 rounded-lg"),
        rx.el.div(
            rx.el.p(State.asked_by_upi[of], class_name="text-xl font-bold text-(--ink)"),
            rx.el.p("to ", payments.payee, class_name=f"{MUTED} text-sm wrap-anywhere"),
            rx.el.p(payments.upi_id, class_name=f"{MUTED} text-sm wrap-anywhere"),
            button(rx.icon("maximize-2", size=16), "Show large", extra="mt-2", custom_attrs={"popoverTarget": large}),
            class_name="min-w-0",
        ),
        rx.el.div(
            button(
                rx.el.img(**picture, class_name="h-auto w-[min(84vw,66dvh)] max-w-none"),
                rx.el.span(State.asked_by_upi[of], class_name="text-[44px]/[46px] font-bold"),
                rx.el.span("to ", payments.payee, class_name="text-lg wrap-anywhere"),
                rx.el.span("Press to close", class_name="text-sm text-[#4a5957]"),
                class_name="flex size-full cursor-pointer flex-col items-center justify-center gap-3",
                custom_attrs={"popoverTarget": large, "popoverTargetAction": "hide"},
            ),
            id=large,
            custom_attrs={"popover": "auto", "aria-label": "UPI code"},
            class_name="inset-0 m-0 h-dvh max-h-none w-screen max-w-none border-0 bg-white p-4 text-[#12201e]",
        ),
        rx.el.p(
            "The customer scans it with any UPI app. Note it as received once your own app says so.",
            class_name=f"{MUTED} basis-full text-sm",
        ),
        class_name="flex flex-wrap items-center gap-4 rounded-2xl border border-(--line) p-4",
    )


def _no_code() -> rx.Component:
    return rx.el.p("Enter an amount above 0: the code asks for it.", role="status", class_name=f"{MUTED} text-sm")


def account(trip: rx.Var[VendorTrip]) -> rx.Component:
    """Every line, both balances and the papers."""
    return panel(
        "Account",
        rx.el.ul(rx.foreach(trip.facts.account, _line), class_name=f"mt-3 {LIST}"),
        rx.el.dl(
            _balance("Rent", trip.facts.rent),
            _balance("Deposit", trip.facts.deposit),
            class_name="mt-3 border-t border-(--gray-a7) pt-3",
        ),
        rx.el.div(
            _paper("Receipt", trip.facts.receipt, f"receipt-{trip.facts.reference}.pdf"),
            rx.foreach(trip.facts.papers, lambda one: _paper(one.label, one.url, one.file)),
            class_name="mt-4 flex flex-wrap gap-2",
        ),
    )


def _paper(label: str | rx.Var[str], url: rx.Var[str], file: str | rx.Var[str]) -> rx.Component:
    look = f"{BUTTON['quiet']} max-[17.5rem]:px-3"
    return download(rx.icon("file-down", size=18), label, url=url, save_as=file, class_name=look)


def _balance(label: str, text: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(label),
        rx.el.dd(text, class_name="font-semibold"),
        class_name="flex justify-between gap-3 py-1",
    )


def _line(line: rx.Var[AccountLine]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.span(
                rx.el.span(line.label, class_name="font-medium"),
                rx.cond(line.objected, rx.badge("Objection", color_scheme="amber", size="2", high_contrast=True)),
                class_name="flex min-w-0 flex-wrap items-center gap-2",
            ),
            rx.el.span(line.amount, class_name="shrink-0 font-semibold"),
            class_name="flex items-baseline justify-between gap-3",
        ),
        rx.cond(line.note, rx.el.p(line.note, class_name="text-sm wrap-anywhere")),
        rx.cond(line.photo, rx.el.div(photo(line.photo, f"Damage: {line.note}"), class_name="my-2 w-40")),
        rx.el.div(
            rx.el.span(line.about, class_name=f"{MUTED} text-sm"),
            rx.cond(
                line.may_act,
                button(
                    "Reverse",
                    rx.el.span(f" {line.label}, {line.amount}", class_name="sr-only"),
                    on_click=State.ask_about_line(line.id),
                    class_name=_SMALL,
                ),
            ),
            class_name="flex items-center justify-between gap-3",
        ),
        key=line.id,
        class_name="py-2",
    )


_SMALL = "min-h-(--press) cursor-pointer px-2 text-sm font-medium text-(--accent-11) underline underline-offset-2"
