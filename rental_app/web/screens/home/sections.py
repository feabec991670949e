"""The home page below the featured vehicles: reasons, earning, services, what riders say."""

import reflex as rx

from rental_app.content import marketing
from rental_app.content.marketing import Point, Service, Testimonial
from rental_app.web.parts.links import vendor_link
from rental_app.web.parts.picture import picture
from rental_app.web.parts.presenters.texts import fill
from rental_app.web.parts.theme import BLOCK_TITLE, BUTTON, CONTAINER, HEADLINE, MUTED, PANEL, STAGE

SECTION = f"{CONTAINER} mt-10 sm:mt-28"
# Cards that are swiped through on a phone are side by side from tablets on.
_LEAVES = (
    "-mx-4 mt-5 flex list-none snap-x scroll-px-4 gap-4 overflow-x-auto px-4 pb-2 *:shrink-0 *:snap-start"
    " sm:mt-8 md:mx-0 md:grid md:gap-5 md:overflow-visible md:p-0 md:*:w-auto"
)
_WHY_ICONS = ("calendar-check", "wallet", "map-pin", "timer")
_EXAMPLE = (("3 days × ₹630", "₹1,890"), ("Fees", "₹0"))


def why() -> rx.Component:
    """The reasons, the price first."""
    reasons = [_reason(icon, point) for icon, point in zip(_WHY_ICONS, marketing.WHY, strict=True)]
    return rx.el.section(
        rx.el.h2(fill(marketing.WHY_TITLE), class_name=HEADLINE),
        rx.el.div(
            _receipt(),
            leaves(*reasons, label="More reasons", class_name="md:mt-0 md:grid-cols-2 lg:col-span-3"),
            class_name="mt-5 grid sm:mt-8 md:gap-5 lg:grid-cols-5",
        ),
        class_name=SECTION,
    )


def leaves(*items: rx.Component, label: str, class_name: str = "md:grid-cols-3", width: str = "*:w-72") -> rx.Component:
    """A list to go through sideways on a phone, by swiping or by keyboard."""
    return rx.el.ul(
        *items, tab_index=0, class_name=f"{width} {_LEAVES} {class_name}", custom_attrs={"aria-label": label}
    )


def _reason(icon: str, point: Point) -> rx.Component:
    return rx.el.li(
        rx.el.span(
            rx.icon(icon, size=24),
            class_name=(
                "flex size-12 shrink-0 items-center justify-center rounded-2xl bg-(--accent-a3) text-(--accent-11)"
            ),
        ),
        rx.el.div(
            rx.el.h3(point.title, class_name=f"{BLOCK_TITLE} md:mt-4"),
            rx.el.p(fill(point.text), class_name=f"{MUTED} mt-1 leading-6 md:leading-7"),
        ),
        class_name=f"{PANEL} flex gap-4 p-4 md:block md:p-6",
    )


def _receipt() -> rx.Component:
    return rx.el.div(
        rx.el.h3(marketing.RECEIPT.title, class_name="text-2xl font-bold tracking-tight text-balance text-white"),
        rx.el.p(marketing.RECEIPT.text, class_name="mt-3 leading-7 text-white/85"),
        rx.el.dl(
            *[_amount(label, amount) for label, amount in _EXAMPLE],
            _amount("You pay", "₹1,890", "mt-2 border-t border-dashed border-black/25 pt-3 text-lg font-bold"),
            _amount("Deposit, comes back", "₹1,500", "text-[#4a5654]"),
            class_name="mt-6 -rotate-1 rounded-xl bg-white p-5 text-[#16211f] shadow-xl",
        ),
        class_name="on-night flex flex-col justify-between rounded-3xl bg-(--night) p-6 sm:p-8 lg:col-span-2",
    )


def _amount(label: str, amount: str, class_name: str = "") -> rx.Component:
    return rx.el.div(
        rx.el.dt(label), rx.el.dd(amount, class_name="m-0"), class_name=f"flex justify-between gap-4 py-1 {class_name}"
    )


def lister() -> rx.Component:
    """What a vehicle can earn, for those who have one."""
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2(marketing.LISTER.title, class_name=f"{HEADLINE} text-white"),
                rx.el.p(marketing.LISTER.text, class_name="mt-4 max-w-xl text-lg text-white/85"),
                rx.el.ul(
                    *[_tick(text) for text in marketing.LISTER_POINTS],
                    class_name="mt-5 flex list-none flex-col gap-2 p-0 text-white",
                ),
                vendor_link("List your vehicle", f"{BUTTON['warm']} mt-7"),
                class_name="p-6 sm:p-10",
            ),
            rx.el.div(
                picture("sport", "orange", "hidden h-auto w-full sm:block"),
                rx.el.p(
                    rx.el.strong(marketing.LISTER_RANGE.title, class_name="block text-2xl font-extrabold sm:text-3xl"),
                    marketing.LISTER_RANGE.text,
                    class_name="rounded-2xl bg-(--marigold) p-5 sm:-mt-4 leading-6 text-[#2b1c00] shadow-lg",
                ),
                class_name="p-6 pt-0 sm:p-10 md:pl-0",
            ),
            class_name=(
                "on-night grid items-center overflow-hidden rounded-3xl bg-(--night)"
                " bg-[radial-gradient(circle_at_85%_20%,#1d7a71_0%,transparent_55%)] md:grid-cols-2"
                " lg:grid-cols-[3fr_2fr]"
            ),
        ),
        class_name=SECTION,
    )


def _tick(text: str) -> rx.Component:
    return rx.el.li(
        rx.icon("check", size=20, class_name="shrink-0 text-(--marigold)"), text, class_name="flex items-center gap-3"
    )


def services() -> rx.Component:
    """Rent or lease out, list and sell, float and buy."""
    return rx.el.section(
        rx.el.h2(marketing.SERVICES_TITLE, class_name=HEADLINE),
        leaves(*[_service(service) for service in marketing.SERVICES], label=marketing.SERVICES_TITLE),
        class_name=SECTION,
    )


def _service(service: Service) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            picture(
                service.shape,
                service.tint,
                "aspect-[8/5] h-auto w-full object-contain transition-transform group-hover:scale-105",
            ),
            class_name=f"hidden overflow-hidden rounded-t-2xl px-6 md:block {STAGE}",
        ),
        rx.el.div(
            rx.el.h3(service.title, class_name="text-xl font-bold text-(--ink)"),
            rx.el.p(fill(service.text), class_name=f"{MUTED} mb-4 leading-7"),
            vendor_link(service.action, f"{BUTTON['quiet']} mt-auto self-start"),
            class_name="flex flex-1 flex-col gap-2 p-4 md:p-6",
        ),
        class_name=f"{PANEL} group flex flex-col transition-shadow hover:shadow-lg",
    )


def testimonials() -> rx.Component:
    """Three riders."""
    return rx.el.section(
        rx.el.div(
            rx.el.h2(marketing.TESTIMONIALS_TITLE, class_name=HEADLINE),
            leaves(*[_testimonial(said) for said in marketing.TESTIMONIALS], label=marketing.TESTIMONIALS_TITLE),
            class_name=f"{CONTAINER} py-10 sm:py-16",
        ),
        class_name=f"mt-10 sm:mt-28 {STAGE}",
    )


def _testimonial(said: Testimonial) -> rx.Component:
    return rx.el.li(
        rx.el.figure(
            rx.icon("quote", size=28, class_name="text-(--marigold)"),
            rx.el.blockquote(said.quote, class_name="m-0 mt-3 text-(--ink) md:mt-4 md:text-lg md:leading-8"),
            rx.el.figcaption(
                rx.el.span(
                    said.name[0],
                    class_name=(
                        "inline-flex size-11 shrink-0 items-center justify-center rounded-full bg-(--accent-9) text-lg"
                        " font-bold text-(--accent-contrast)"
                    ),
                    custom_attrs={"aria-hidden": "true"},
                ),
                rx.el.span(
                    rx.el.strong(said.name, class_name="block text-(--ink)"),
                    rx.el.span(said.rode, class_name=f"{MUTED} text-sm"),
                ),
                class_name="mt-auto flex items-center gap-3 pt-4 md:pt-6",
            ),
            class_name="m-0 flex h-full flex-col",
        ),
        class_name=f"{PANEL} p-4 md:p-6",
    )
