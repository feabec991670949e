"""Rendered components as Jinja templates."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from reflex_base.components.memo import MEMOS

from rental_app.ssr.translation.expressions import NoCounterpartError, expression, hole

Rendered = Mapping[str, Any]
Props = dict[str, str]
StandIn = Callable[[Props], str]

ICONS = Path(".web/node_modules/lucide-react/dist/esm/icons")
# SVG shapes are not among them: left unclosed, one would swallow all that follows.
_VOID = {"img", "input", "br", "hr"}
_NAMES = {"ReactRouterLink": "a", "Fragment": "", "": ""}
_ATTRIBUTES = {
    "className": "class",
    "htmlFor": "for",
    "to": "href",
    "tabIndex": "tabindex",
    "defaultValue": "value",
    "inputMode": "inputmode",
    "maxLength": "maxlength",
    "autoComplete": "autocomplete",
    "fetchPriority": "fetchpriority",
    "referrerPolicy": "referrerpolicy",
}
_SWITCHES = {"disabled", "required", "readOnly", "checked", "defaultChecked", "selected", "open"}
_HTML = re.compile(r'\(\{ \["__html"\] : (.*) \}\)')
_CLIENT_ONLY = re.compile(
    r"on[A-Z]|(key|suppressHydrationWarning|ref|limits|marked|answered|ends|replace|preventScrollReset|reloadDocument)$"
)
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 24 24" fill="none"'
    ' stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" class="{classes}"'
    ' aria-hidden="true">{lines}</svg>'
)


class Translator:
    """Writes rendered components as templates; `stand_ins` take the place of components that need scripts."""

    def __init__(self, stand_ins: Mapping[str, StandIn], icons: Path = ICONS) -> None:
        self.stand_ins = stand_ins
        self.icons = icons

    def template(self, node: Rendered, chosen: str = "") -> str:
        """A render tree as a Jinja template; in a drop-down `chosen` is its value in JavaScript.

        Raises NoCounterpartError.
        """
        if "contents" in node:
            return hole(str(node["contents"]))
        if "cond_state" in node:
            test = expression(str(node["cond_state"]))
            yes, no = (self.template(node[name], chosen) for name in ("true_value", "false_value"))
            return f"{{% if {test} %}}{yes}" + (f"{{% else %}}{no}" if no else "") + "{% endif %}"
        if "iterable" in node:
            name = node["arg_name"].removesuffix("_rx_state_")
            body = self._all(node["children"], chosen)
            return f"{{% for {name} in {expression(str(node['iterable']))} %}}{body}{{% endfor %}}"
        return self._element(node, chosen)

    def _all(self, nodes: Iterable[Rendered], chosen: str) -> str:
        return "".join(self.template(node, chosen) for node in nodes)

    def _element(self, node: Rendered, chosen: str) -> str:
        name = node["name"].strip('"')
        pairs = (prop.split(":", 1) for prop in node["props"])
        props = {key.strip('"'): value for key, value in pairs}
        if stand_in := self.stand_ins.get(name):
            attributes = {key: hole(value) for key, value in props.items() if not _CLIENT_ONLY.match(key)}
            return stand_in(attributes | {"children": self._all(node["children"], chosen)})
        if name.startswith("Lucide"):
            return self._icon(name, props)
        memos: Iterable[Any] = MEMOS.values()
        if memo := next((memo for memo in memos if re.fullmatch(rf"{memo.export_name}(_\w+)?", name)), None):
            bindings = {key: expression(value) for key, value in props.items() if not _CLIENT_ONLY.match(key)}
            body = self.template(memo.component.render())
            named = [f"{{% with {key} = {value} %}}" for key, value in bindings.items() if key != value]
            return "".join(named) + body + "{% endwith %}" * len(named)
        if not (name := _NAMES.get(name, name)):
            return self._all(node["children"], chosen)
        if not re.fullmatch("[a-z][a-z0-9]*", name):
            raise NoCounterpartError(f"the component {name}")
        return self._tag(name, props, node["children"], chosen)

    def _tag(self, name: str, props: Props, children: list[Rendered], chosen: str) -> str:
        if name == "select":
            chosen = props.pop("value", "")
        if name == "option" and chosen:
            props["selected"] = f"{props['value']} === {chosen}"
        # HTML stays HTML if the page's value says that it is some (`Markup`); a text is escaped.
        if html := _HTML.fullmatch(props.pop("dangerouslySetInnerHTML", "")):
            children = [{"contents": html[1]}]
        # Its text is no attribute; the line break before it is not part of the text.
        text = "\n" + hole(props.pop("defaultValue")) if name == "textarea" and "defaultValue" in props else ""
        opened = f"<{name}{''.join(_attribute(key, value) for key, value in props.items())}>"
        return opened if name in _VOID else f"{opened}{text}{self._all(children, chosen)}</{name}>"

    def _icon(self, name: str, props: Props) -> str:
        """An icon as its package draws it; its lines are `[tag, attributes]` in the package's own file."""
        own_name = name.removeprefix("Lucide")
        label = "-".join(re.findall(r"[A-Z][a-z]*|\d+", own_name)).lower()
        file = self.icons / f"{label}.mjs"
        if not file.exists():
            raise NoCounterpartError(f"the icon {label}")
        drawn = re.search(r"__iconNode = (\[.*?\n\]|\[.*?\]\]);", file.read_text(), re.DOTALL)
        if drawn is None:
            raise NoCounterpartError(f"the drawing of the icon {label}")
        lines = "".join(_line(*shape) for shape in json.loads(_as_json(drawn[1])))
        own = json.loads(props.get("className", '""'))
        # The package names it by its component and by its file, once if both are one: `lucide-share2 lucide-share-2`.
        of_component = re.sub(r"([a-z0-9])([A-Z])", r"\1-\2", own_name).lower()
        classes = " ".join(dict.fromkeys(["lucide", f"lucide-{of_component}", f"lucide-{label}", own])).strip()
        return _SVG.format(size=props.get("size", "24"), classes=classes, lines=lines)


def _attribute(name: str, value: str) -> str:
    if _CLIENT_ONLY.match(name):
        return ""
    if name == "css":
        raise NoCounterpartError(f"styles made by scripts: {value}")
    if name in _SWITCHES:
        word = name.removeprefix("default").lower()
        return {"true": f" {word}", "false": ""}.get(value) or f"{{% if {expression(value)} %}} {word}{{% endif %}}"
    return f' {_ATTRIBUTES.get(name, name)}="{hole(value)}"'


def _as_json(literal: str) -> str:
    """A literal of arrays and objects with bare keys as JSON."""
    return re.sub(r"([{,]\s*)(\w+):", r'\1"\2":', literal)


def _line(tag: str, attributes: dict[str, str]) -> str:
    drawn = "".join(f' {name}="{value}"' for name, value in attributes.items() if name != "key")
    return f"<{tag}{drawn}></{tag}>"
