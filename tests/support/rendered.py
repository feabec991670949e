"""Parts of pages as HTML, in a state that a test makes up: what stands there, without a browser."""

import re
from typing import Any

import reflex as rx
from jinja2 import ChainableUndefined, Environment

from rental_app.ssr.translation.templates import Props, Rendered, Translator


class _Plain(Translator):
    """Leaves out icons and styles; of a component that needs scripts it shows what is inside."""

    def _element(self, node: Rendered, chosen: str) -> str:
        name = node["name"].strip('"')
        if name.startswith("Lucide"):
            return ""
        if re.fullmatch("[a-z][a-z0-9]*|ReactRouterLink|Fragment|", name):
            return super()._element(node, chosen)
        return self._all(node["children"], chosen)

    def _tag(self, name: str, props: Props, children: list[Rendered], chosen: str) -> str:
        return super()._tag(name, {key: value for key, value in props.items() if key != "css"}, children, chosen)


def rendered(component: rx.Component, **states: Any) -> str:
    """Return a component as it is shown in these states, named as in templates: `login_state`; others are empty."""
    template = _Plain({}).template(component.render())
    return Environment(autoescape=True, undefined=ChainableUndefined).from_string(template).render(states)
