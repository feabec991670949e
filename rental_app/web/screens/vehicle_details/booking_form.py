"""The booking form of a vehicle's page: dates, extras, an offer's code, and what all of it costs."""

import reflex as rx

from rental_app.schemas.quotes import MAX_CODE
from rental_app.web.parts.block import in_row
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.field import field
from rental_app.web.parts.notice import retry_strip
from rental_app.web.parts.theme import BARE_ON_PHONE, BUTTON, CHECKBOX, FIELD, LABEL, MUTED, PANEL
from rental_app.web.parts.window_pickers.pickers import window_pickers
from rental_app.web.react.translated import AS_WRITTEN
from rental_app.web.screens.vehicle_details.presenter import ExtraChoice
from rental_app.web.screens.vehicle_details.state import DetailState
from rental_app.web.session.events import press

# What this page shows on click is sent along: by then the server may have lost it.
BOOK = DetailState.book(DetailState.pickup, DetailState.return_at)
_LINK = "inline-flex min-h-9 cursor-pointer items-center border-0 bg-transparent p-0 text-left underline"
_FINAL = f"{BUTTON['primary']} min-h-12 flex-1 max-[17.5rem]:px-2"
# On a phone the button and the total stay at the foot of the screen (site.css keeps room for them).
_BAR = (
    "flex items-center gap-4 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-20 max-lg:border-t"
    " max-lg:border-(--line) max-lg:bg-(--surface) max-lg:px-4 max-lg:py-3 sm:max-lg:px-6 lg:sticky lg:bottom-0 lg:z-10"
    " lg:-mx-5 lg:bg-(--surface) lg:px-5 lg:py-2"
)


def booking_form() -> rx.Component:
    """The form, and beside it, in a form of its own, an offer's code."""
    price = DetailState.price
    summary = rx.cond(price, f"{price.total} total · {price.kms} included. {price.next_step}", "")
    return rx.el.div(
        rx.el.form(
            # A price for another time is none for these dates.
            rx.cond(
                DetailState.nearest,
                None,
                rx.el.p(
                    rx.el.span(DetailState.car.daily, class_name="text-[26px] font-bold"),
                    rx.el.span(" / day", class_name=MUTED),
                ),
            ),
            rx.el.div(
                *window_pickers(DetailState, DetailState.car, "booking", "Pickup", "Return", summary),
                class_name="both-dates flex flex-col gap-4",
            ),
            rx.el.div(_verdict(), role="status", class_name="empty:hidden"),
            rx.cond(DetailState.nearest, None, _extras()),
            rx.cond(DetailState.price, _offered()),
            rx.el.div(
                rx.cond(DetailState.nearest, None, _price()),
                rx.cond(DetailState.price, rx.cond(DetailState.price.cheaper, _cheaper())),
                role="status",
                class_name=rx.cond(DetailState.nearest, "", "min-h-24"),
            ),
            _bar(),
            # For a page whose scripts have not run: the code is entered in a form of its own.
            rx.cond(DetailState.offer, _hidden("offer", DetailState.offer)),
            on_submit=BOOK.prevent_default,
            action=f"/vehicle-details/{DetailState.car.id}/review",
            method="get",
            class_name="flex flex-col gap-4",
            custom_attrs={"aria-label": "Book this vehicle"},
        ),
        _offer(),
        rx.el.p(
            "Book Now shows the whole request first: nothing is booked yet. The deposit is collected at pickup.",
            class_name=f"{MUTED} text-center text-sm",
        ),
        class_name=f"{PANEL} {BARE_ON_PHONE} flex flex-col gap-4 p-5",
    )


def _verdict() -> rx.Component:
    """Whether the vehicle is free on the dates, and if not, when it is."""
    free = rx.el.p(
        rx.icon("check", size=18, class_name="shrink-0"),
        "Free for your dates",
        class_name="flex items-center gap-2 text-sm font-semibold text-(--green-12)",
    )
    return rx.cond(
        DetailState.nearest,
        rx.fragment(
            _refusal(),
            rx.el.p("Free dates nearby:", class_name="mt-3 text-sm font-semibold"),
            rx.foreach(
                DetailState.nearest,
                lambda window: button(
                    window.text,
                    extra="mt-2 w-full py-2 text-sm text-balance",
                    on_click=DetailState.take_window(window.pickup, window.return_at),
                ),
            ),
        ),
        rx.cond(DetailState.price.bool() & (DetailState.refusal == ""), free),
    )


def _extras() -> rx.Component:
    return rx.cond(
        DetailState.choices,
        rx.el.fieldset(
            rx.el.legend("Extras", class_name=LABEL),
            rx.foreach(DetailState.choices, _extra),
            # Check boxes that are already there would not follow what is taken over.
            key=f"extras-{DetailState.times_taken}",
            class_name="m-0 flex flex-col gap-1 border-0 p-0",
        ),
    )


def _extra(extra: rx.Var[ExtraChoice]) -> rx.Component:
    return rx.el.label(
        rx.el.input(
            type="checkbox",
            name="extras",
            custom_attrs={"value": extra.name},
            default_checked=extra.chosen,
            on_change=lambda wanted: DetailState.choose_extra(extra.name, wanted),
            class_name=CHECKBOX,
        ),
        rx.el.span(extra.label, class_name="whitespace-nowrap"),
        rx.el.span(extra.price, class_name=f"{MUTED} ml-auto min-w-0 text-right text-[13px] text-balance"),
        class_name="flex min-h-10 cursor-pointer items-center gap-x-3 max-[17.5rem]:flex-wrap",
    )


def _offered() -> rx.Component:
    """The offer that is applied, or one that fits."""
    fits = DetailState.fits
    return rx.cond(
        (DetailState.offer != "") & (DetailState.offer_problem == ""),
        _coupon(DetailState.offer, " applied", "Remove", DetailState.remove_offer),
        rx.cond(fits, _coupon(fits.code, f" fits: {fits.text}", "Use it", DetailState.use_offer({"offer": fits.code}))),
    )


def _coupon(code: rx.Var[str], text: rx.Var[str] | str, act: str, on_click: rx.event.EventType[()]) -> rx.Component:
    return rx.el.p(
        rx.el.span(
            rx.el.strong(code, custom_attrs=AS_WRITTEN, class_name="uppercase"),
            text,
            class_name="min-w-0 flex-1 wrap-anywhere",
        ),
        button(act, on_click=on_click, class_name=f"{_LINK} min-h-10 font-semibold"),
        class_name="flex items-center gap-3 rounded-xl bg-(--amber-a3) px-3 text-sm text-(--amber-12)",
    )


def _offer() -> rx.Component:
    # Sent before scripts run, it leads back to the same dates.
    dates = {"pickupDate": DetailState.pickup, "returnDate": DetailState.return_at}
    return rx.el.form(
        *[_hidden(name, value) for name, value in dates.items()],
        field(
            "Offer code",
            "offer",
            error=DetailState.offer_problem,
            box="flex-1",
            default_value=DetailState.offer,
            auto_complete="off",
            max_length=MAX_CODE,
            class_name=f"{FIELD} uppercase",
        ),
        # Moved down by the height of the label.
        submit("Apply", variant="quiet", extra="mt-6"),
        on_submit=DetailState.use_offer,
        class_name="flex items-start gap-2",
        custom_attrs={"aria-label": "Offer"},
    )


def _hidden(name: str, value: rx.Var[str]) -> rx.Component:
    return rx.el.input(type="hidden", name=name, custom_attrs={"value": value})


def _bar() -> rx.Component:
    has_dates = (DetailState.return_at != "") & ~rx.Var.create(DetailState.nearest).bool()
    return rx.el.div(
        rx.cond(
            DetailState.price,
            rx.el.p(
                rx.el.span(DetailState.price.total, class_name="text-xl font-bold"),
                rx.el.span(" total", class_name=f"{MUTED} text-sm"),
                class_name="lg:hidden",
            ),
            # A price for another time is none for these dates.
            rx.cond(
                DetailState.nearest,
                rx.el.p("Not free on these dates", class_name="text-sm font-semibold text-(--red-11) lg:hidden"),
                rx.el.p(
                    rx.el.span(DetailState.car.daily, class_name="text-xl font-bold"),
                    rx.el.span(" / day", class_name=f"{MUTED} text-sm"),
                    class_name="lg:hidden",
                ),
            ),
        ),
        # On a phone the dates are elsewhere on the page, so without any that are free the bar leads there.
        rx.cond(
            has_dates,
            "",
            button("Choose dates", on_click=press("booking-pickup"), class_name=f"{_FINAL} lg:hidden"),
        ),
        submit(
            "Book Now",
            disabled=DetailState.busy,
            class_name=rx.cond(has_dates, _FINAL, f"{_FINAL} max-lg:hidden"),
        ),
        class_name=f"booking-bar {_BAR}",
    )


def _price() -> rx.Component:
    """The live price, or in its place why there is none."""
    return rx.cond(
        DetailState.price,
        rx.fragment(
            rx.el.dl(
                rx.foreach(DetailState.price.lines, in_row),
                _total("Total", DetailState.price.total, "text-xl font-bold"),
                _total("Security deposit, at pickup", DetailState.price.deposit),
                _total("Due at pickup", DetailState.price.due),
                _total("Kms included", DetailState.price.kms),
            ),
            rx.cond(
                DetailState.price.saving,
                rx.el.p(DetailState.price.saving, class_name="mt-1 text-sm font-semibold text-(--accent-11)"),
            ),
            rx.el.p("A request: ", DetailState.price.answer, class_name=f"{MUTED} mt-1 text-sm"),
            _refusal(),
        ),
        rx.cond(
            DetailState.refusal,
            rx.cond(DetailState.unavailable, retry_strip(DetailState.refusal, DetailState.load), _refusal()),
            rx.fragment(
                rx.el.dl(
                    _total("Per day", DetailState.car.daily),
                    _total("Security deposit, at pickup", DetailState.car.deposit),
                ),
                rx.el.p("Choose pickup and return to see the price.", class_name=f"{MUTED} text-sm"),
            ),
        ),
    )


def _refusal() -> rx.Component:
    return rx.cond(
        DetailState.refusal,
        rx.el.p(
            DetailState.refusal,
            class_name="rounded-xl bg-(--red-a4) p-3 text-sm font-semibold text-(--red-11)",
        ),
    )


def _cheaper() -> rx.Component:
    return button(
        DetailState.price.cheaper,
        on_click=DetailState.take_window(DetailState.pickup, DetailState.price.cheaper_return),
        class_name=f"{_LINK} text-sm font-medium text-(--accent-11)",
    )


def _total(label: str, value: rx.Var[str], look: str = "") -> rx.Component:
    return rx.el.div(
        rx.el.dt(label, class_name="font-bold" if look else MUTED),
        rx.el.dd(value, class_name=look or MUTED),
        class_name="flex items-baseline justify-between gap-4 py-1",
    )
