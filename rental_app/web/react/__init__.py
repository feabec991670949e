"""What has to be React: one folder per wrapper, with its script, its styles and the thin Python that places it."""

import inspect
import sys
from types import SimpleNamespace

import reflex as rx
from reflex import assets


def _callers() -> list[inspect.FrameInfo]:
    """The frames that `rx.asset` reads of `inspect.stack()`, its own and its caller's: all take a fifth of a second."""
    asset = sys._getframe(1)
    frames = (asset, asset.f_back or asset)
    return [inspect.FrameInfo(frame, frame.f_code.co_filename, frame.f_lineno, "", None, None) for frame in frames]


# With two dozen scripts that was more than half of the CPU time of a start.
vars(assets)["inspect"] = SimpleNamespace(stack=_callers, getmodule=inspect.getmodule)

rx.asset("listen.js", shared=True)
rx.asset("patient.js", shared=True)
# Fetched by the pages when somebody uses a passkey (`session.events.ask_authenticator`).
rx.asset("passkeys.js", shared=True)
