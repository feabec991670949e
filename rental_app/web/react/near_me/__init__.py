"""Near me: the browser tells its position to this page alone, when a button is pressed."""

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.web.parts.theme import MUTED

_SCRIPT = rx.asset("near_me.jsx", shared=True)
rx.asset("nearest.js", shared=True)
_PLACES = "/api/pubilc/get_locations"
# A position further than this from all of our places is not in the city.
FAR_KM = 30
_LOOK = "min-h-10 cursor-pointer font-semibold text-(--accent-11) underline"


def _texts() -> dict[str, str]:
    """The messages; failures by the browser's codes for them: refused, not found, not found in time."""
    return {
        "label": "Near me",
        "note": "Your position stays in your browser.",
        "busy": "Looking for where you are…",
        "found": "Nearest to you:",
        "far": f"You seem to be outside {settings().city}. Choose a location instead.",
        "1": "Your browser did not share your location. Allow it there, or choose a location.",
        "2": "Your position could not be found. Choose a location instead.",
        "3": "Your position was not found in time. Try again, or choose a location.",
        "failed": "Your position could not be found. Choose a location instead.",
    }


class _NearMe(rx.Component):
    library = _SCRIPT.importable_path
    tag = "NearMe"

    places: rx.Var[str]
    far_km: rx.Var[int]
    texts: rx.Var[dict[str, str]]
    on_found: rx.EventHandler[rx.event.passthrough_event_spec(str)]


def near_me(on_found: rx.event.EventType[str]) -> rx.Component:
    """A button that finds the nearest locality, whose name is all that `on_found` gets."""
    button = _NearMe.create(places=_PLACES, far_km=FAR_KM, texts=_texts(), on_found=on_found, class_name=_LOOK)
    return rx.el.p(button, class_name=f"{MUTED} mt-1 flex flex-wrap items-center gap-x-3 text-sm noscript:hidden")
