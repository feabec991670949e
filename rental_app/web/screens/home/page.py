"""The home page."""

import reflex as rx

from rental_app.content import marketing
from rental_app.content.marketing import CITIES_TITLE, Service
from rental_app.infrastructure.settings import settings
from rental_app.web.frame.public import layout
from rental_app.web.parts.fold import BARE_LINE, fold, long_faq, phone_fold
from rental_app.web.parts.links import vendor_link
from rental_app.web.parts.notice import failure, notice
from rental_app.web.parts.picture import picture
from rental_app.web.parts.presenters.texts import Link, fill
from rental_app.web.parts.presenters.words import PointView, TestimonialView
from rental_app.web.parts.search_form.form import search_form
from rental_app.web.parts.theme import BUTTON, CONTAINER, LINK, MUTED
from rental_app.web.parts.vehicle_card.card import THREE, card_skeletons, vehicle_row
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.screens.home.presenter import FEATURED, ModelLink
from rental_app.web.screens.home.state import CityLinksState, HomeState

SHOWN, WORDS = HomeState.shown, HomeState.words
_MODEL = (
    "flex h-full items-center gap-2.5 rounded-2xl border border-(--line) bg-(--surface) px-2.5 py-1.5 no-underline"
    " hover:bg-(--gray-a3) sm:px-4 sm:py-3"
)
_MODEL_NAME = "block text-sm leading-5 font-semibold text-(--ink) max-md:whitespace-nowrap"
_HEADLINE = "text-[28px] leading-8 font-extrabold tracking-tight text-balance sm:text-5xl sm:leading-tight"
_TYPES = (
    ("Scooter", "Scooters", "scooter", "blue"),
    ("Motorcycle", "Motorcycles", "classic", "red"),
    ("Electric", "Electric", "ather", "grey"),
    ("Car", "Cars", "hatchback", "teal"),
)


def home() -> rx.Component:
    """Hero with the search form, featured vehicles, why to rent here, and how it works."""
    city = settings().city
    tiles = rx.el.ul(
        *[_type(*each) for each in _TYPES],
        class_name="grid list-none grid-cols-4 gap-2 p-0 max-[17.5rem]:grid-cols-2 sm:gap-5",
    )
    return layout(
        rx.el.section(
            rx.el.h1(
                f"Rent a ride in {city}, by the day",
                class_name=_HEADLINE,
            ),
            rx.el.img(
                src="/hero.svg",
                alt=f"A scooter and a car on a road through {city}",
                class_name="hidden h-auto w-full lg:block",
                # Lazy: a phone, which does not show it, does not fetch it either.
                loading="lazy",
                custom_attrs={"fetchpriority": "high", "width": "1200", "height": "540"},
            ),
            rx.el.div(search_form(), class_name="mt-3 min-w-0 sm:mt-8 lg:col-span-2"),
            class_name=f"{CONTAINER} grid items-center gap-x-8 pt-4 sm:pt-10 lg:grid-cols-2",
        ),
        rx.el.nav(
            server_rendered("types", ~HomeState.loading, tiles, tiles),
            class_name=f"{CONTAINER} mt-4 sm:mt-10",
            custom_attrs={"aria-label": "Types of vehicles"},
        ),
        _featured(),
        _popular(),
        why(),
        lister(),
        how_to(),
        services(),
        testimonials(),
        questions(),
        light=True,
        footer_top=city_links(),
    )


def _type(name: str, label: str, shape: str, tint: str) -> rx.Component:
    tile = rx.el.li(
        rx.el.a(
            picture(shape, tint, "h-10 w-auto sm:h-24"),
            rx.el.span(label, class_name="text-xs font-semibold text-(--ink) sm:text-base"),
            rx.el.span(SHOWN.counts[name], class_name=f"{MUTED} h-4 text-xs leading-4"),
            href=f"/vehicles?type={name}",
            class_name=(
                "flex flex-col items-center rounded-xl bg-(--gray-a2) px-1 py-2 no-underline hover:bg-(--gray-a3)"
                " sm:p-4"
            ),
        )
    )
    # The catalogue's types can be renamed, and nothing is found by a name that is gone.
    return rx.cond(HomeState.loading | (SHOWN.counts[name] != ""), tile)


def _featured() -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Featured vehicles", class_name=TITLE),
            rx.el.a("See all vehicles", href="/vehicles", class_name=LINK),
            class_name="mb-2 flex flex-wrap items-baseline justify-between gap-x-3 sm:mb-5",
        ),
        server_rendered(
            "featured",
            ~HomeState.loading,
            rx.cond(
                SHOWN.featured,
                vehicle_row(SHOWN.featured, "Featured vehicles"),
                rx.cond(
                    HomeState.problem,
                    failure("The vehicles could not be loaded", HomeState.problem, HomeState.load),
                    notice(
                        "No vehicles yet",
                        "They appear here as soon as vendors list them.",
                        vendor_link("List your vehicle", BUTTON["primary"]),
                    ),
                ),
            ),
            card_skeletons(FEATURED, THREE),
        ),
        class_name=SECTION,
    )


def _popular() -> rx.Component:
    models = leaves(
        rx.foreach(SHOWN.models, _model),
        label="Popular models",
        class_name="min-h-15 md:grid-cols-4",
        width="*:w-auto",
    )
    section = rx.el.section(rx.el.h2("Popular models", class_name=TITLE), models, class_name=SECTION)
    shown = rx.cond(HomeState.loading | rx.Var.create(SHOWN.models).bool(), section)
    return server_rendered("models", ~HomeState.loading, shown, shown)


def _model(model: rx.Var[ModelLink]) -> rx.Component:
    """A model with its drawing and the lowest price of a day."""
    drawing = {"width": "960", "height": "600"}
    return rx.el.li(
        rx.el.a(
            rx.el.img(src=model.drawing, alt="", loading="lazy", class_name="h-10 w-16 shrink-0", custom_attrs=drawing),
            rx.el.span(
                rx.el.span(model.text, class_name=_MODEL_NAME),
                rx.el.span(model.note, class_name=f"{MUTED} block text-[13px] leading-5 text-balance"),
                class_name="min-w-0",
            ),
            href=model.href,
            class_name=_MODEL,
        ),
        key=model.href,
    )


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
    # An icon each, which is known when the pages are built.
    reasons = [
        rx.cond(rx.Var.create(WORDS.why).length() > place, _reason(icon, WORDS.why[place]))
        for place, icon in enumerate(_WHY_ICONS)
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
            server_rendered(
                "why",
                rx.Var.create(WORDS.why).bool(),
                rx.el.ul(*reasons, class_name="grid list-none content-center gap-1.5 p-0 md:grid-cols-2 md:gap-8"),
            ),
            class_name="mt-2.5 grid grid-cols-1 gap-4 sm:mt-6 lg:grid-cols-2 lg:gap-10",
        ),
        class_name=BELOW,
    )


def _reason(icon: str, point: rx.Var[PointView]) -> rx.Component:
    return rx.el.li(
        rx.icon(icon, size=22, class_name="mt-0.5 shrink-0 text-(--accent-11)"),
        rx.el.div(
            rx.el.h3(point.title, class_name=_NAME),
            rx.el.p(point.text, class_name=f"{MUTED} text-[13px] leading-4.5 sm:text-sm"),
        ),
        class_name="flex gap-3",
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
    """What riders say."""
    return rx.el.section(
        rx.el.h2(marketing.TESTIMONIALS_TITLE, class_name=TITLE),
        server_rendered(
            "stories",
            rx.Var.create(WORDS.stories).bool(),
            leaves(rx.foreach(WORDS.stories, _testimonial), label=marketing.TESTIMONIALS_TITLE, width="*:w-79"),
        ),
        class_name=BELOW,
    )


def _testimonial(story: rx.Var[TestimonialView]) -> rx.Component:
    return rx.el.li(
        rx.el.figure(
            rx.el.blockquote(
                f"“{story.quote}”", class_name="m-0 text-[15px] leading-5.5 text-(--ink) sm:text-base sm:leading-6"
            ),
            rx.el.figcaption(
                rx.el.span(story.initial, class_name=_FACE, custom_attrs={"aria-hidden": "true"}),
                rx.el.span(rx.el.strong(story.name, class_name="block text-(--ink)"), story.rode),
                class_name=f"{MUTED} mt-auto flex items-center gap-2.5 pt-2 text-xs sm:text-sm sm:leading-5",
            ),
            class_name="m-0 flex h-full flex-col",
        ),
        class_name="rounded-2xl bg-(--gray-a2) px-4 py-2.5 sm:p-6",
    )


_COLUMNS = "grid gap-1 sm:gap-3 lg:grid-cols-[2fr_3fr] lg:gap-14"


def how_to() -> rx.Component:
    """The steps, the first one open."""
    return rx.el.section(
        rx.el.div(
            rx.el.h2(marketing.HOW_TITLE, class_name=TITLE),
            rx.el.div(server_rendered("how", rx.Var.create(WORDS.how).bool(), rx.el.div(rx.foreach(WORDS.how, _step)))),
            class_name=_COLUMNS,
        ),
        class_name=BELOW,
    )


def _step(point: rx.Var[PointView]) -> rx.Component:
    return fold(
        "how-to",
        rx.el.h3(
            rx.el.span(
                point.number,
                class_name=(
                    "inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-(--accent-a3) text-sm"
                    " font-bold text-(--accent-11) group-open:bg-(--marigold) group-open:text-[#2b1c00]"
                ),
            ),
            point.title,
            class_name="flex items-center gap-3 font-semibold text-(--ink)",
        ),
        rx.el.p(point.text, class_name="pl-10 text-sm leading-5"),
        opened=point.number == 1,
    )


def questions() -> rx.Component:
    """The long FAQ."""
    return rx.el.section(
        rx.el.div(
            rx.el.h2(marketing.FAQ_TITLE, class_name=TITLE),
            rx.el.div(
                server_rendered(
                    "questions",
                    rx.Var.create(WORDS.questions).bool(),
                    long_faq(WORDS.questions, WORDS.more_questions, WORDS.fold_line),
                )
            ),
            class_name=_COLUMNS,
        ),
        class_name=BELOW,
    )


_LINK = "inline-block py-0.5 text-white/80 no-underline hover:text-white hover:underline"
_CITY_COLUMNS = "grid list-none grid-cols-2 content-start gap-x-3 p-0 text-[13px] sm:grid-cols-4 sm:gap-y-1 sm:text-sm"
# As tall as the grid of a dozen localities, so that nothing moves when they arrive.
_HEIGHT = "min-h-28 sm:min-h-40 lg:min-h-27"


def city_links() -> rx.Component:
    """Four columns of 'Bike on rent in ...'."""
    links = CityLinksState.links
    line = rx.el.span(links.fold_line, class_name="text-sm font-semibold")
    folded = phone_fold(line, _grid(links.folded, "mt-1 "), look=f"on-night {BARE_LINE} text-(--marigold)")
    return rx.el.nav(
        rx.el.h2(CITIES_TITLE, class_name="text-xl leading-6.5 font-bold text-white"),
        server_rendered(
            "cities",
            rx.Var.create(links.shown).length() > 0,
            rx.el.div(
                _grid(links.shown),
                rx.cond(rx.Var.create(links.folded).length() > 0, folded),
                class_name="mt-1 sm:mt-4",
            ),
            rx.el.div(class_name=f"{_HEIGHT} mt-2 sm:mt-4"),
        ),
        class_name=f"{CONTAINER} pt-3 sm:pt-12",
        custom_attrs={"aria-label": CITIES_TITLE},
    )


def _grid(links: rx.Var[list[Link]], extra: str = "") -> rx.Component:
    return rx.el.ul(
        rx.foreach(links, lambda link: rx.el.li(rx.el.a(link.text, href=link.href, class_name=_LINK), key=link.href)),
        class_name=f"{extra}{_CITY_COLUMNS}",
    )
