"""Content for wide windows only, or for narrow ones: the other is not rendered at all, so that it costs nothing."""

import reflex as rx

_SCRIPT = rx.asset("by_width.jsx", shared=True)


class _ByWidth(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "ByWidth"

    is_wide: rx.Var[bool]


def wide_only(*content: rx.Component) -> rx.Component:
    """Content that is there from Tailwind's `md` on."""
    return _ByWidth.create(*content, is_wide=True)


def narrow_only(*content: rx.Component) -> rx.Component:
    """Content that is there below Tailwind's `md`."""
    return _ByWidth.create(*content, is_wide=False)
