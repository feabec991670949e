"""A map that is loaded when the user opens it: nothing else on the pages comes from a foreign host."""

import reflex as rx

from rental_app.components.theme import MAP

_SCRIPT = rx.asset("map.jsx", shared=True)


class _Map(rx.Component):
    library = _SCRIPT.importable_path
    tag = "MapOnDemand"

    src: rx.Var[str]
    title: rx.Var[str]


def map_on_demand(src: rx.Var[str], title: rx.Var[str] | str) -> rx.Component:
    """A button of the map's size, and in its place the map."""
    return _Map.create(src=src, title=title, class_name=MAP)
