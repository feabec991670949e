"""The request that a tab has just sent: its page begins with that, and reads it out."""

import reflex as rx


class SentRequestState(rx.State):
    """Its reference, until its page has been shown."""

    _reference: str = ""

    def _note(self, reference: str) -> None:
        self._reference = reference

    def _take(self) -> str:
        """The reference, once; '' if nothing was sent since."""
        reference, self._reference = self._reference, ""
        return reference
