"""Items of which one is open at a time; the browser does this by itself, without a round trip."""

import reflex as rx

from rental_app.web.parts.presenters.words import FaqView
from rental_app.web.parts.theme import MUTED

_SUMMARY = (
    "flex min-h-10 cursor-pointer list-none items-center gap-4 py-1 text-left sm:min-h-12"
    " [&::-webkit-details-marker]:hidden"
)
_LINE = "flex cursor-pointer list-none items-center gap-3 rounded-2xl border py-1 [&::-webkit-details-marker]:hidden"
_PANEL_LINE = "min-h-10 mb-3 px-4 border-(--line) bg-(--surface) shadow-sm"
BARE_LINE = "min-h-10 border-x-0 border-transparent"
# A line of a list that folds out; the parts of a desk stand in panels instead, and so does a long one that is folded.
_LISTED = "rounded-none border-x-0 border-b-0 border-(--line) min-h-13"
_ITEM = "fold group border-b border-(--line)"


def fold(
    group: str, summary: rx.Component, *content: rx.Component, opened: bool | rx.Var[bool] = False
) -> rx.Component:
    """An item of a group: opening it closes the group's others, a click on the open one closes it."""
    return rx.el.details(
        rx.el.summary(
            summary,
            rx.icon(
                "plus",
                size=20,
                class_name="ml-auto shrink-0 text-(--accent-11) transition-transform group-open:rotate-45",
            ),
            class_name=_SUMMARY,
        ),
        rx.el.div(*content, class_name=f"{MUTED} pb-2.5 leading-6 sm:pb-4"),
        open=opened,
        custom_attrs={"name": group},
        class_name=_ITEM,
    )


def phone_fold(summary: rx.Component, *content: rx.Component, look: str = _PANEL_LINE) -> rx.Component:
    """Content that is folded into one line on a phone, and open on everything wider (assets/site.css)."""
    return rx.el.details(rx.el.summary(summary, class_name=f"{_LINE} {look}"), *content, class_name="phone-fold")


def folded(
    title: str, value: rx.Var[str] | str, *content: rx.Component, icon: str = "", long: bool = False
) -> rx.Component:
    """A part of a trip's page that is one line on a phone until it is opened; a `long` one is on every screen."""
    line = rx.fragment(
        rx.icon(icon, size=20, class_name="shrink-0 text-(--accent-11)") if icon else rx.fragment(),
        rx.el.span(title, class_name="font-semibold text-(--ink)"),
        rx.el.span(value, class_name=f"{MUTED} ml-auto min-w-0 text-right text-sm tabular-nums"),
        fold_arrow(),
    )
    if not long:
        return phone_fold(line, *content, look=_LISTED)
    summary = rx.el.summary(line, class_name=f"{_LINE} {_LISTED}")
    return rx.el.details(summary, *content, class_name="phone-fold long-fold")


def fold_arrow(class_name: str = "") -> rx.Component:
    """The arrow at the end of such a line: down, and up while it is open."""
    return rx.icon("chevron-left", size=18, class_name=f"shrink-0 -rotate-90 [[open]>summary>&]:rotate-90 {class_name}")


def faq(questions: rx.Var[list[FaqView]]) -> rx.Component:
    """Questions whose answers fold out."""
    return rx.el.div(rx.foreach(questions, _question))


def long_faq(questions: rx.Var[list[FaqView]], others: rx.Var[list[FaqView]], line: rx.Var[str]) -> rx.Component:
    """The same, with others that a phone shows only when its `line` is pressed; '' if there are none."""
    shown = rx.el.span(line, class_name="font-semibold text-(--accent-11) underline")
    return rx.el.div(faq(questions), rx.cond(line, phone_fold(shown, faq(others), look=BARE_LINE)))


def _question(question: rx.Var[FaqView]) -> rx.Component:
    points = rx.foreach(question.points, rx.el.li)
    return fold(
        "faq",
        rx.el.h3(question.text, class_name="font-semibold text-(--ink)"),
        # An answer may have several lines.
        rx.el.p(question.answer, class_name="whitespace-pre-line"),
        rx.cond(question.points, rx.el.ul(points, class_name="mt-2 list-disc space-y-1 pl-5")),
    )
