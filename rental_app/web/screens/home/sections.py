"""The home page below the featured vehicles: reasons, earning, services, what riders say."""

import reflex as rx

from rental_app.content import marketing
from rental_app.content.marketing import Service, Testimonial
from rental_app.web.parts.links import vendor_link
from rental_app.web.parts.picture import picture
from rental_app.web.parts.presenters.texts import fill
from rental_app.web.parts.theme import BUTTON, CONTAINER, LINK, MUTED

SECTION = f"{CONTAINER} mt-5 sm:mt-20"
# Below the first screen of a phone.
BELOW = f"{SECTION} after-first-paint"
TITLE = "text-xl leading-6.5 sm:text-3xl sm:leading-9 font-bold tracking-tight text-balance text-(--ink)"
# Cards that are swiped through on a phone are side by side from tablets on.
_LEAVES = (
    "-mx-4 mt-2 flex list-none snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-1 [scrollbar-width:none] *:shrink-0"
    " *:snap-start sm:mt-6 md:mx-0 md:grid md:gap-5 md:overflow-visible md:p-0 md:*:w-auto"
)
_NAME = "leading-5 font-semibold text-(--ink)"
_WHY_ICONS = ("calendar-check", "wallet", "map-pin", "check")
_BILL = (
    "w-40 max-w-full shrink-0 -rotate-2 rounded-xl bg-white px-2 py-2.5 text-[13px] leading-5 text-[#16211f] shadow-xl"
    " sm:w-56 sm:text-base"
)
_FACE = "grid size-8 shrink-0 place-items-center rounded-full bg-(--accent-a3) font-bold text-(--accent-12)"
_EXAMPLE = (("3 days × ₹630", "₹1,890"), ("Fees", "₹0"))


def why() -> rx.Component:
    """The reasons, the price first."""
    reasons = [
        rx.el.li(
            rx.icon(icon, size=22, class_name="mt-0.5 shrink-0 text-(--accent-11)"),
            rx.el.div(
                rx.el.h3(point.title, class_name=_NAME),
                rx.el.p(fill(point.text), class_name=f"{MUTED} text-[13px] leading-4.5 sm:text-sm"),
            ),
            class_name="flex gap-3",
        )
        for icon, point in zip(_WHY_ICONS, marketing.WHY, strict=True)
    ]
    return rx.el.section(
        rx.el.h2(fill(marketing.WHY_TITLE), class_name=TITLE),
        rx.el.div(
            rx.el.div(
                rx.el.div(
                    rx.el.h3(
                        marketing.RECEIPT.title,
                        class_name="text-[17px] leading-5.5 font-bold text-white sm:text-2xl sm:leading-8",
                    ),
                    rx.el.p(marketing.RECEIPT.text, class_name="mt-1 text-sm leading-5 text-white/85"),
                    class_name="flex-1",
                ),
                rx.el.dl(
                    *[_amount(label, amount) for label, amount in _EXAMPLE],
                    _amount("You pay", "₹1,890", "mt-1 border-t border-dashed border-black/25 pt-1 font-bold"),
                    class_name=_BILL,
                ),
                class_name=(
                    "on-night flex flex-wrap items-center gap-3 rounded-2xl bg-(--night) px-4 py-3"
                    " min-[20rem]:flex-nowrap sm:gap-8 sm:p-8"
                ),
            ),
            rx.el.ul(*reasons, class_name="grid list-none content-center gap-1.5 p-0 md:grid-cols-2 md:gap-8"),
            class_name="mt-2.5 grid grid-cols-1 gap-4 sm:mt-6 lg:grid-cols-2 lg:gap-10",
        ),
        class_name=BELOW,
    )


def leaves(*items: rx.Component, label: str, class_name: str = "md:grid-cols-3", width: str = "*:w-72") -> rx.Component:
    """A list to go through sideways on a phone, by swiping or by keyboard."""
    return rx.el.ul(
        *items, tab_index=0, class_name=f"{width} {_LEAVES} {class_name}", custom_attrs={"aria-label": label}
    )


def _amount(label: str, amount: str, class_name: str = "") -> rx.Component:
    return rx.el.div(
        rx.el.dt(label),
        rx.el.dd(amount, class_name="m-0"),
        class_name=f"flex flex-wrap justify-between gap-x-2 whitespace-nowrap {class_name}",
    )


def lister() -> rx.Component:
    """What a vehicle can earn, for those who have one."""
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2(
                    marketing.LISTER.title,
                    class_name="text-xl leading-6.5 font-bold text-balance sm:text-3xl sm:leading-9",
                ),
                rx.el.p(
                    f"{marketing.LISTER.text} A well-kept bike brings ",
                    rx.el.strong(marketing.LISTER_RANGE.title),
                    ".",
                    class_name="mt-1 max-w-xl text-sm leading-5 sm:text-lg sm:leading-7",
                ),
                vendor_link("List your vehicle", f"{BUTTON['ink']} mt-3"),
            ),
            picture("sport", "navy", "hidden h-auto w-full sm:block"),
            class_name=(
                "grid items-center gap-8 rounded-2xl bg-(--marigold) px-4 py-3.5 text-[#2b1c00]"
                " sm:grid-cols-[3fr_2fr] sm:p-10"
            ),
        ),
        class_name=BELOW,
    )


def services() -> rx.Component:
    """Rent or lease out, list and sell, float and buy."""
    return rx.el.section(
        rx.el.h2(marketing.SERVICES_TITLE, class_name=TITLE),
        leaves(*[_service(each) for each in marketing.SERVICES], label=marketing.SERVICES_TITLE, width="*:w-79"),
        class_name=BELOW,
    )


def _service(service: Service) -> rx.Component:
    return rx.el.li(
        picture(service.shape, service.tint, "h-12 w-auto self-center sm:h-28 sm:self-start"),
        rx.el.div(
            rx.el.h3(service.title, class_name=_NAME),
            # On a phone the link is the last words of the text, on a desk a line of its own.
            rx.el.p(
                fill(service.text),
                " ",
                vendor_link(service.action, f"{LINK} max-sm:inline! sm:mt-1 sm:flex! sm:min-h-10"),
                class_name=f"{MUTED} text-[13px] leading-4.5 sm:text-sm sm:leading-5",
            ),
            class_name="flex flex-1 flex-col sm:gap-1",
        ),
        class_name="flex gap-3 rounded-2xl border border-(--line) bg-(--surface) px-3 py-2 sm:flex-col sm:gap-1 sm:p-6",
    )


def testimonials() -> rx.Component:
    """Three riders."""
    return rx.el.section(
        rx.el.h2(marketing.TESTIMONIALS_TITLE, class_name=TITLE),
        leaves(
            *[_testimonial(each) for each in marketing.TESTIMONIALS], label=marketing.TESTIMONIALS_TITLE, width="*:w-79"
        ),
        class_name=BELOW,
    )


def _testimonial(story: Testimonial) -> rx.Component:
    return rx.el.li(
        rx.el.figure(
            rx.el.blockquote(
                f"“{story.quote}”", class_name="m-0 text-[15px] leading-5.5 text-(--ink) sm:text-base sm:leading-6"
            ),
            rx.el.figcaption(
                rx.el.span(story.name[:1], class_name=_FACE, custom_attrs={"aria-hidden": "true"}),
                rx.el.span(rx.el.strong(story.name, class_name="block text-(--ink)"), story.rode),
                class_name=f"{MUTED} mt-auto flex items-center gap-2.5 pt-2 text-xs sm:text-sm sm:leading-5",
            ),
            class_name="m-0 flex h-full flex-col",
        ),
        class_name="rounded-2xl bg-(--gray-a2) px-4 py-2.5 sm:p-6",
    )
