"""What has to be React: one folder per wrapper, with its script, its styles and the thin Python that places it."""

import reflex as rx

from rental_app.library_patches.reflex_assets import find_callers_quickly

find_callers_quickly()
rx.asset("listen.js", shared=True)
rx.asset("patient.js", shared=True)
# Fetched by the pages when somebody uses a passkey (`session.events.ask_authenticator`).
rx.asset("passkeys.js", shared=True)
