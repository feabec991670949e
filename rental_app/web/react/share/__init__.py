"""A button that passes a page on to somebody; nothing of it goes over the server."""

import reflex as rx

_SCRIPT = rx.asset("share.jsx", shared=True)
_COPIED, _FAILED = "Link copied", "Copy this link:"


def plain_share(props: dict[str, str]) -> str:
    """The same until its scripts run: a press is repeated once they do."""
    named = f'class="{props["className"]}" aria-label="{props["aria-label"]}"'
    return f'<button {named} type="button">{props["children"]}</button>'


class _Share(rx.Component):
    library = _SCRIPT.importable_path
    tag = "Share"

    path: rx.Var[str]
    title: rx.Var[str]
    copied: rx.Var[str]
    failed: rx.Var[str]


def share(
    *content: rx.Component | str,
    path: rx.Var[str] | str,
    title: rx.Var[str] | str,
    label: rx.Var[str] | str,
    class_name: str,
) -> rx.Component:
    """A button that shares the page at a path, or copies its address where the browser cannot share."""
    return _Share.create(
        *content,
        path=path,
        title=title,
        copied=_COPIED,
        failed=_FAILED,
        class_name=class_name,
        custom_attrs={"aria-label": label},
    )
