"""Pages under a browser's translation."""

import reflex as rx

# Imported by `connection.jsx`, which all pages have: it has to be there before React takes over.
rx.asset("translated.js", shared=True)
# The attributes of what is not to be translated: a plate, an offer's code, a key. Amounts and references are marked in
# the browser (translated.js), wherever they stand alone.
AS_WRITTEN = {"translate": "no"}
