"""Form values that a browser's tab has kept: it may send anything."""

import json
from collections.abc import Mapping
from typing import Any

from rental_app.domain.characters import made_storable

MOST_FIELDS, LONGEST_NAME = 80, 60


def read_draft(kept: str | None) -> dict[str, str]:
    """The form values that a tab has kept; empty for anything that it cannot have kept."""
    try:
        draft = json.loads(kept or "{}")
    except (ValueError, RecursionError):
        return {}
    return read_form(draft) if isinstance(draft, dict) else {}


def read_form(form: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a form, for at most as many fields as a form can have."""
    pairs = [*form.items()][:MOST_FIELDS]
    # A lone surrogate would break the connection it is sent back on.
    return {name[:LONGEST_NAME]: made_storable(text) for name, text in pairs if isinstance(text, str)}
