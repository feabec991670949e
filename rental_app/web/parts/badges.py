"""A vehicle's number plate, and how a booking stands."""

import reflex as rx

from rental_app.domain.bookings import BookingStatus
from rental_app.library_patches.reflex_states import read_by_script
from rental_app.web.react.translated import AS_WRITTEN

_LOOK = (
    "inline-block w-fit max-w-full rounded-[5px] border-[1.5px] border-[#b9c4c0] bg-white font-[650] tracking-wide"
    " whitespace-nowrap text-[#12201e] tabular-nums *:not-last:mr-[.4em] max-[17.5rem]:inline-flex"
    " max-[17.5rem]:flex-wrap"
)
# As high as the badges beside it; and on steps, where it is compared with the plate of the vehicle.
_ROW = f"{_LOOK} px-1.5 text-[12.5px]/[19px]"
_LARGE = f"{_LOOK} px-2 text-[17px]/[27px]"
_PILL = "inline-block shrink-0 whitespace-nowrap rounded-md px-2 py-0.5 text-[13px] font-semibold capitalize"


def plate(number: rx.Var[str], *, large: bool = False) -> rx.Component:
    """The number in its groups (TG 07 KC 7092). It stays light in the dark: it is a thing.

    The gaps are margins, so that copying and searching find the number as it is written; screen readers say it letter
    by letter.
    """
    return rx.cond(
        number,
        rx.el.span(
            rx.foreach(read_by_script(f"{number}.match(/[A-Z]+|[^A-Z]+/g) ?? []", list[str], number), rx.el.span),
            role="img",
            custom_attrs=AS_WRITTEN | {"aria-label": read_by_script(f"[...{number}].join(' ')", str, number)},
            class_name=_LARGE if large else _ROW,
        ),
    )


def status_badge(status: rx.Var[str]) -> rx.Component:
    """Green when confirmed, red otherwise."""
    return rx.el.span(
        status,
        class_name=rx.cond(
            status == BookingStatus.CONFIRMED,
            f"{_PILL} bg-(--green-a4) text-(--green-12)",
            f"{_PILL} bg-(--red-a4) text-(--red-12)",
        ),
    )


_DOCUMENT = "shrink-0 rounded-full px-2.5 py-0.5 text-[13px] font-semibold"


def document_badge(word: rx.Var[str], state: rx.Var[str]) -> rx.Component:
    """How a document stands: green when accepted, amber while it waits, red when refused."""
    ended = rx.cond(
        state == "refused",
        f"{_DOCUMENT} bg-(--red-a4) text-(--red-12)",
        f"{_DOCUMENT} bg-(--gray-a4) text-(--gray-12)",
    )
    waits = rx.cond(state == "sent", f"{_DOCUMENT} bg-(--amber-a4) text-(--amber-12)", ended)
    return rx.el.span(
        word, class_name=rx.cond(state == "accepted", f"{_DOCUMENT} bg-(--green-a4) text-(--green-12)", waits)
    )
