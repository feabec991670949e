"""What both frames are built of."""

import reflex as rx

BAR = "sticky top-0 z-20"
_SKIP = "sr-only focus:not-sr-only focus:absolute focus:z-30 focus:bg-(--surface) focus:p-3"
_LOOK = "min-h-screen bg-(--page) text-(--ink)"


def frame(*parts: rx.Component, extra: rx.Var[str] | str) -> rx.Component:
    """The whole page; the keyboard's first stop leads past the navigation. `extra` classes are for one frame only."""
    # `rx.el.a` would be the router's link: it changes the address and leaves the focus behind.
    skip = rx.el.A.create("Skip to content", href="#content", class_name=_SKIP)
    return rx.el.div(skip, *parts, class_name=f"{_LOOK} {extra}")


def content(*parts: rx.Component, extra: str = "") -> rx.Component:
    """What a page is about, where `Skip to content` leads."""
    return rx.el.main(*parts, id="content", tab_index=-1, class_name=f"flex-1 outline-none {extra}".rstrip())


def is_here(href: str) -> rx.Var[bool]:
    """Whether a page is the one on show; when opened by its address, that has a slash at the end."""
    path = rx.State.router.url.path
    return (path == href) | (path == f"{href}/")
