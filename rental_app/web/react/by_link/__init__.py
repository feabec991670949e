"""What a page does with the token of the link it was opened by."""

import reflex as rx

_SCRIPT = rx.asset("by_link.jsx", shared=True)
# Of what is shown only where the page was not opened by a link: to paste it, or to ask for one.
UNLESS_LINKED = "group-data-linked:hidden"


class _ByLink(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "ByLink"

    done: rx.Var[bool]


def by_link(*content: rx.Component, done: rx.Var[bool], class_name: str = "") -> rx.Component:
    """Content with a field `token` unless it is `done`, filled from the page's address, which then loses it at once.

    The token stays in that field, and reaches the server only when the form is sent.
    """
    return _ByLink.create(*content, done=done, class_name=class_name)
