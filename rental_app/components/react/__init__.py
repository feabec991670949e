"""What has to be React: a folder a wrapper, with its script, its styles and the thin Python that places it."""

import reflex as rx

rx.asset("listen.js", shared=True)
rx.asset("patient.js", shared=True)
