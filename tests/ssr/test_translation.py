"""From components to templates: a template renders values as the page would show them."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import reflex as rx
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from rental_app.ssr.translation.expressions import NoCounterpartError, expression
from rental_app.ssr.translation.templates import Translator
from rental_app.web.parts.presenters.texts import Fact

ENVIRONMENT = Environment(autoescape=True, undefined=StrictUndefined)


class ShelfState(rx.State):  # type: ignore[misc]  # Reflex is untyped to the checker
    """Something to show."""

    title: str = ""
    count: int = 0
    facts: list[Fact] = []
    open: bool = False
    note: str | None = None


# To the type checker, a state's Vars are the values they stand for.
SHELF: Any = ShelfState


@rx.memo
def fact_line(fact: rx.Var[Fact]) -> rx.Component:
    """A fact on a line."""
    line: rx.Component = rx.el.p(fact.label, ": ", fact.value)
    return line


def shown(component: rx.Component, **values: Any) -> str:
    """Render a component's template with values in its state."""
    template = Translator({}, icons=Path("/nowhere")).template(component.render())
    state = {"title": "Shelf", "count": 2, "facts": [], "open": False, "note": None} | values
    return ENVIRONMENT.from_string(template).render(shelf_state=SimpleNamespace(**state))


FACTS = [Fact(label="Seats", value="2"), Fact(label="Engine", value="<Petrol>")]


@pytest.mark.parametrize(
    ("var", "value", "text"),
    [
        (SHELF.title, "A & B", "A &amp; B"),
        (f"{SHELF.count} of {SHELF.title} · all", 7, "7 of Shelf · all"),
        (rx.cond(SHELF.open, "yes", "no"), True, "yes"),
        (rx.cond(SHELF.open & (SHELF.count > 1), "both", "not both"), True, "both"),
        (rx.cond(SHELF.open | (SHELF.count == 2), "one", "none"), False, "one"),
        (rx.cond(SHELF.count != 2, "other", "two"), 2, "two"),
        (rx.cond(~SHELF.open, "shut", "open"), False, "shut"),
        (rx.cond(SHELF.note, "noted", "nothing"), None, "nothing"),
        (rx.cond(SHELF.facts.length() > 1, "many", "few"), FACTS, "many"),
        (rx.cond(SHELF.facts, "some", "none"), [], "none"),
        (SHELF.facts[1].label, FACTS, "Engine"),
    ],
)
def test_expressions(var: Any, value: Any, text: str) -> None:
    name = {bool: "open", int: "count", str: "title", list: "facts", type(None): "note"}[type(value)]
    assert shown(rx.el.p(var), **{name: value}) == f"<p>{text}</p>"


def test_lists_memos_and_conditions() -> None:
    component = rx.el.ul(
        rx.foreach(SHELF.facts, lambda fact: rx.el.li(fact_line(fact=fact), key=fact.label)),
        rx.cond(SHELF.open, rx.el.b("open"), rx.el.i("shut")),
    )
    lines = "<li><p>Seats: 2</p></li><li><p>Engine: &lt;Petrol&gt;</p></li>"
    assert shown(component, facts=FACTS) == f"<ul>{lines}<i>shut</i></ul>"


def test_html_stays_html_only_where_the_value_says_that_it_is_some() -> None:
    html = rx.html(SHELF.title, class_name="written")
    assert shown(html, title=Markup("<b>A</b>")) == '<div class="rx-Html written"><b>A</b></div>'
    assert shown(html, title="<b>A</b>") == '<div class="rx-Html written">&lt;b&gt;A&lt;/b&gt;</div>'


def test_attributes_lose_what_needs_scripts() -> None:
    button = rx.el.button("Go", type="button", disabled=SHELF.open, on_click=rx.console_log("x"), class_name="wide")
    assert shown(button, open=True) == '<button class="wide" disabled type="button">Go</button>'
    assert shown(button, open=False) == '<button class="wide" type="button">Go</button>'
    link = rx.el.a("On", href=SHELF.title, custom_attrs={"aria-label": 'a "b"'})
    assert shown(link, title='"><b>') == '<a aria-label="a &quot;b&quot;" href="&#34;&gt;&lt;b&gt;">On</a>'


def test_a_drop_down_shows_what_is_chosen() -> None:
    select = rx.el.select(
        rx.el.option("Any", value=""),
        rx.foreach(SHELF.facts, lambda fact: rx.el.option(fact.label, value=fact.value)),
        value=SHELF.title,
        on_change=rx.console_log("x"),
    )
    chosen = shown(select, title="2", facts=FACTS[:1])
    assert chosen == '<select><option value="">Any</option><option value="2" selected>Seats</option></select>'


def test_braces_are_text() -> None:
    assert shown(rx.el.p("{{ 7 * 7 }} {% raw %}")) == "<p>{{ 7 * 7 }} {% raw %}</p>"


def test_an_icon_is_drawn_as_its_package_does(tmp_path: Path) -> None:
    lines = '["path", { d: "M1 2", key: "a" }], ["circle", { cx: "1", cy: "2", r: "3", key: "b" }]'
    (tmp_path / "share-2.mjs").write_text(f"const __iconNode = [\n{lines}\n];\n")
    icon = rx.icon("share-2", size=16, class_name="shrink-0")
    drawn = Translator({}, icons=tmp_path).template(icon.render())
    assert 'width="16" height="16"' in drawn
    assert 'class="lucide lucide-share2 lucide-share-2 shrink-0"' in drawn
    assert '<path d="M1 2"></path><circle cx="1" cy="2" r="3"></circle>' in drawn
    with pytest.raises(NoCounterpartError, match="map-pin"):
        Translator({}, icons=tmp_path).template(rx.icon("map-pin").render())


def test_a_stand_in_takes_the_place_of_what_needs_scripts() -> None:
    class Needy(rx.Component):
        library = "needy"
        tag = "Needy"
        value: rx.Var[str]

    component = Needy.create(value=SHELF.title, on_click=rx.console_log("x"))
    template = Translator({"Needy": lambda props: f"<i>{props['value']}</i>"}).template(component.render())
    assert ENVIRONMENT.from_string(template).render(shelf_state={"title": "<b>"}) == "<i>&lt;b&gt;</i>"
    with pytest.raises(NoCounterpartError, match="Needy"):
        Translator({}).template(component.render())


@pytest.mark.parametrize("javascript", ["f(a)", "a =>", "a ? b", "-a", "new Date()", "[a, b]"])
def test_what_has_no_counterpart_is_refused(javascript: str) -> None:
    with pytest.raises(NoCounterpartError):
        expression(javascript)
