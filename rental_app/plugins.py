"""Changes to what Reflex compiles: less of Radix Themes on the wire, and a websocket to whoever served the page."""

import re
from typing import Any

from reflex_base.plugins.base import Plugin

_WHOLE_SHEET = '@import "@radix-ui/themes/styles.css" layer(components);'
_PARTS = (
    "tokens/base.css",
    *(f"tokens/colors/{color}.css" for color in ("teal", "sand", "amber", "red", "green")),
    "components.css",
)
_WHOLE_LIBRARY = re.compile(r'^\s*"@radix-ui/themes": \(?\(\) => import\("@radix-ui/themes"\)\)?,?\n', re.MULTILINE)
_BACKEND = "const endpoint = new URL(url_str);"
_SAME_HOST = (
    _BACKEND
    + """
  if (typeof window !== "undefined") {
    endpoint.host = window.location.host;
    endpoint.protocol = endpoint.protocol.replace(/(?<=^ws|^http)s?/, window.location.protocol === "https:" ? "s" : "");
    return endpoint;
  }"""
)


def _replaced(source: str, old: str, new: str) -> str:
    if old not in source:
        raise RuntimeError(f"Reflex's output has changed: {old!r} is not in it any more")
    return source.replace(old, new)


def trim_sheet(source: str) -> str:
    """Import the parts of Radix Themes' sheet that are used; the whole is twice their size."""
    parts = "\n".join(f'@import "@radix-ui/themes/{part}" layer(components);' for part in _PARTS)
    return _replaced(source, _WHOLE_SHEET, parts)


def trim_root(source: str) -> str:
    """Drop the import of the whole library: nothing here makes components at run time."""
    trimmed, count = _WHOLE_LIBRARY.subn("", source)
    if not count:
        raise RuntimeError("Reflex's output has changed: the whole of Radix Themes is not imported as it was")
    return trimmed


def same_host(source: str) -> str:
    """Talk to the host and port the page came from, so that one build serves anywhere."""
    # Unlike compiled pages this file stays from one build to the next.
    return source if _SAME_HOST in source else _replaced(source, _BACKEND, _SAME_HOST)


class TrimRadix(Plugin):
    """Cuts Radix Themes down to what the pages use; comes after the Tailwind plugin."""

    def pre_compile(self, **context: Any) -> None:
        """Register the changes with the compiler."""
        context["add_modify_task"]("styles/tailwind.css", trim_sheet)
        context["add_modify_task"]("app/root.jsx", trim_root)


class OwnHost(Plugin):
    """Points pages at the host they came from, which serves the websocket too."""

    def pre_compile(self, **context: Any) -> None:
        """Register the change with the compiler."""
        context["add_modify_task"]("utils/state.js", same_host)
