"""The head of a trip's page: the time left, how to reach the vendor, and the stages in one line."""

from typing import Any

import reflex as rx

from rental_app.web.parts.presenters.progress import AHEAD, CURRENT, ENDED, Countdown, Step
from rental_app.web.parts.presenters.trip import ContactLinks, TripFacts
from rental_app.web.parts.theme import CONTAINER, MUTED, PANEL, STAGE

TRIP_TITLE = "min-w-0 text-xl leading-6.5 font-bold tracking-tight wrap-anywhere text-(--ink) outline-none sm:text-3xl"
_LINK = "inline-flex min-h-10 w-full items-center gap-2 font-medium text-(--accent-11) underline"
# The line of the stages, from one dot to the next.
_THREAD = (
    "relative flex min-w-0 flex-1 flex-col items-center px-0.5 text-center before:absolute before:top-2.5 before:-z-10"
    " before:-left-1/2 before:h-0.5 before:w-full before:bg-(--gray-a6) first:before:hidden"
)
_DOT = "relative grid size-5 place-items-center rounded-full"
_LABEL = "mt-1.5 text-[11.5px] leading-4 wrap-anywhere sm:text-sm"


def time_left(time: rx.Var[Countdown], facts: rx.Var[TripFacts]) -> rx.Component:
    """The largest thing of a confirmed booking: the time left, or how late the return is."""
    inside = rx.el.div(
        rx.el.p(
            rx.el.span(time.label, class_name="rounded-md bg-white/15 px-2 py-0.5 text-sm font-semibold"),
            # In the colours of the light theme: on the night it is the same in both.
            rx.cond(
                time.on_road,
                rx.el.span(
                    facts.status,
                    class_name="rounded-md bg-[#e2f4e9] px-2 py-0.5 text-sm font-semibold text-[#12713f] capitalize",
                ),
            ),
            class_name="flex items-center justify-between gap-4",
        ),
        rx.el.p(
            rx.el.strong(
                time.left,
                class_name="mr-2 text-[44px] leading-[46px] font-extrabold tracking-tight",
            ),
            rx.el.span(time.what),
            class_name="mt-2 tabular-nums",
        ),
        rx.cond(
            time.share >= 0,
            rx.el.svg(
                rx.el.rect(width=f"{time.share}%", height="100%", class_name="fill-(--marigold)"),
                class_name="mt-2 block h-1.5 w-full overflow-hidden rounded-full bg-white/15",
                custom_attrs={"aria-hidden": "true"},
            ),
        ),
        rx.el.p(
            rx.el.span(time.begins),
            rx.el.strong(time.ends),
            class_name="mt-2 flex flex-wrap justify-between gap-x-4 text-sm",
        ),
        class_name=f"{CONTAINER} pt-2 pb-12",
    )
    return rx.el.div(
        inside,
        class_name=rx.cond(time.late, "on-night bg-[#7a1a10] text-white", "on-night bg-(--night) text-white"),
    )


def ways_to_vendor(time: rx.Var[Countdown], facts: rx.Var[TripFacts]) -> rx.Component:
    """What somebody on the way needs within reach: tiles in a row below the time left."""
    contact = facts.contact
    ways = rx.el.nav(
        _tile("phone", "Call", f"tel:{contact.phone}"),
        _tile("message-square", "WhatsApp", contact.whatsapp, opens_tab=True),
        _tile("navigation", "Directions", contact.maps, opens_tab=True),
        rx.cond(time.on_road, _tile("triangle-alert", "Breakdown", f"tel:{contact.phone}", "text-(--red-11)")),
        # Half over the time above it.
        class_name=f"{PANEL} relative -mt-8 mb-4 flex justify-around p-2 print:hidden",
        custom_attrs={"aria-label": "Reach the vendor"},
    )
    return rx.cond(time & contact, ways)


def _tile(icon: str, label: str, href: rx.Var[str] | str, look: str = "", *, opens_tab: bool = False) -> rx.Component:
    return _away(
        rx.icon(icon, size=20, class_name=look or "text-(--accent-11)"),
        rx.el.span(label, class_name=look or "text-(--ink)"),
        href=href,
        look="flex min-h-14 flex-1 flex-col items-center justify-center gap-1 text-xs font-semibold",
        opens_tab=opens_tab,
    )


def links_to_vendor(contact: rx.Var[ContactLinks], time: rx.Var[Countdown]) -> rx.Component:
    """The same ways as links in a list; a phone needs none below the tiles of `ways_to_vendor`."""

    def way(icon: str, label: rx.Var[str] | str, href: rx.Var[str] | str, *, opens_tab: bool = False) -> rx.Component:
        return _away(rx.icon(icon, size=18), label, href=href, look=_LINK, opens_tab=opens_tab)

    return rx.el.div(
        way("phone", f"Call {contact.phone_shown}", f"tel:{contact.phone}"),
        way("message-square", "WhatsApp", contact.whatsapp, opens_tab=True),
        way("navigation", "Directions", contact.maps, opens_tab=True),
        class_name=rx.cond(time, "max-sm:hidden", ""),
    )


def _away(*content: rx.Component | rx.Var[str] | str, href: Any, look: str, opens_tab: bool) -> rx.Component:
    """A link that calls, or leads to another site in a new tab and says so."""
    if not opens_tab:
        return rx.el.a(*content, href=href, class_name=look)
    note = rx.el.span("(opens in a new tab)", class_name="sr-only")
    return rx.el.a(*content, note, href=href, class_name=look, target="_blank", rel="noopener")


def vehicle_picture(address: rx.Var[str]) -> rx.Component:
    """The vehicle, beside its name."""
    return rx.el.img(
        src=address,
        alt="",
        custom_attrs={"width": "640", "height": "400"},
        class_name=f"aspect-[8/5] h-auto w-28 shrink-0 self-start rounded-2xl object-cover sm:w-48 {STAGE}",
    )


def stages(steps: rx.Var[list[Step]], time: rx.Var[Countdown]) -> rx.Component:
    """The stages in one line; their times are left to the history where there is no room."""
    return rx.el.section(
        rx.el.h2("Progress", class_name="sr-only"),
        rx.el.ol(rx.foreach(steps, _step), class_name="isolate my-5 flex list-none p-0"),
        # On the road the time left says it.
        class_name=rx.cond(time.bool() & time.on_road, "max-sm:sr-only", ""),
    )


def _step(step: rx.Var[Step]) -> rx.Component:
    is_ahead, is_ended, is_now = (step.state == state for state in (AHEAD, ENDED, CURRENT))
    done = rx.el.span(rx.icon("check", size=14), class_name=f"{_DOT} bg-(--accent-9) text-(--accent-contrast)")
    now = rx.el.span(class_name=f"{_DOT} bg-(--marigold) ring-4 ring-(--amber-a4)")
    ended = rx.el.span(rx.icon("x", size=14), class_name=f"{_DOT} bg-(--refuse) text-white")
    ahead = rx.el.span(class_name=f"{_DOT} border-2 border-(--gray-a7) bg-(--page)")
    return rx.el.li(
        rx.cond(is_ahead, ahead, rx.cond(is_ended, ended, rx.cond(is_now, now, done))),
        rx.el.p(
            step.label,
            rx.el.span(rx.cond(is_ahead, ", still to come", ""), class_name="sr-only"),
            class_name=rx.cond(is_ahead, f"{_LABEL} text-(--muted)", f"{_LABEL} font-semibold"),
        ),
        rx.cond(step.at, rx.el.p(step.at, class_name=f"{MUTED} hidden text-sm text-balance sm:block")),
        custom_attrs={"aria-current": rx.cond(is_now | is_ended, "step", "false")},
        class_name=_THREAD,
    )
