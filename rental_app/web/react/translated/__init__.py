"""Pages under a browser's translation."""

from pathlib import Path

import reflex as rx

from rental_app.web.react import inline

# The attributes of what is not to be translated: a plate, an offer's code, a key. Amounts and references are marked in
# the browser (translated.js), wherever they stand alone.
AS_WRITTEN = {"translate": "no"}


def survives_translation() -> rx.Component:
    """The script that the head of every page needs to go on while a browser translates it."""
    return inline(Path(__file__).with_name("translated.js"))
