"""A map that is loaded when the user opens it: nothing else on the pages comes from another host."""

import reflex as rx

from rental_app.web.parts.theme import MAP, MUTED

_SCRIPT = rx.asset("map.jsx", shared=True)
_LABEL = "Show the street map"
_NOTE = "It comes from Google Maps, which then sees your address on the network."
_LOOK = (
    f"{MUTED} mt-1 flex min-h-11 w-full cursor-pointer flex-wrap items-center gap-x-2 border-0 bg-transparent p-0"
    " text-left text-sm"
)


def plain_map(props: dict[str, str]) -> str:
    """What takes the button's place until its scripts run: a link that opens the map beside the page."""
    label, note = f'<span class="font-semibold underline">{props["label"]}</span>', f"<span>{props['note']}</span>"
    return (
        f'<a data-map class="{props["look"]}" href="{props["link"]}" target="_blank" rel="noopener">{label}{note}</a>'
    )


class _Map(rx.Component):
    library = _SCRIPT.importable_path
    tag = "MapOnDemand"

    src: rx.Var[str]
    link: rx.Var[str]
    title: rx.Var[str]
    look: rx.Var[str]
    label: rx.Var[str]
    note: rx.Var[str]


def map_on_demand(src: rx.Var[str], link: rx.Var[str], title: rx.Var[str] | str) -> rx.Component:
    """A button, replaced by the map at `src` on click; `link` opens the place on its own."""
    return _Map.create(src=src, link=link, title=title, label=_LABEL, note=_NOTE, look=_LOOK, class_name=MAP)
