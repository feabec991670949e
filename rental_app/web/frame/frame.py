"""The parts that both frames are built from."""

import reflex as rx

from rental_app.web.session.base import SessionState

BAR = "sticky top-0 z-20"
_SKIP = "sr-only focus:not-sr-only focus:absolute focus:z-30 focus:bg-(--surface) focus:p-3"
# Over all columns of a frame that is a grid.
_NOTE = "col-span-full bg-(--amber-3) px-4 py-3 text-center font-medium text-(--amber-12) wrap-anywhere"
_LOOK = "min-h-screen bg-(--page) text-(--ink)"


def frame(*parts: rx.Component, extra: rx.Var[str] | str) -> rx.Component:
    """The whole page; the first tab stop skips the navigation. `extra` classes are for one frame only."""
    # `rx.el.a` would be the router's link: it changes the address and leaves the focus behind.
    skip = rx.el.A.create("Skip to content", href="#content", class_name=_SKIP)
    return rx.el.div(skip, _read_only(), *parts, class_name=f"{_LOOK} {extra}")


def _read_only() -> rx.Component:
    """What everybody is told while the shop is read-only."""
    note = SessionState.read_only_note
    return rx.cond(note, rx.el.p(note, role="status", class_name=_NOTE))


def content(*parts: rx.Component, extra: str = "") -> rx.Component:
    """A page's main content, the target of `Skip to content`."""
    return rx.el.main(*parts, id="content", tab_index=-1, class_name=f"flex-1 outline-none {extra}".rstrip())


def is_here(href: str) -> rx.Var[bool]:
    """Whether a page is the one shown; when it was opened by its address, its path has a slash at the end."""
    path = rx.State.router.url.path
    return (path == href) | (path == f"{href}/")


def no_bar() -> rx.Component:
    """In place of the navigation, which shows it: whether it is known who is there."""
    return rx.el.div(hidden=True, custom_attrs={"data-known": rx.cond(SessionState.ready, "true", "false")})
