"""Changes to what Reflex generates: made on its own files, once, and refused when these are not as expected."""

from collections.abc import Callable
from pathlib import Path

import pytest
import reflex_base

from rental_app.plugins import same_host, without_queue

CLIENT = (Path(reflex_base.__file__).parent / ".templates/web/utils/state.js").read_text()


@pytest.mark.parametrize("change", [same_host, without_queue])
def test_the_client_is_changed_once(change: Callable[[str], str]) -> None:
    changed = change(CLIENT)
    assert changed != CLIENT
    assert change(changed) == changed


@pytest.mark.parametrize("change", [same_host, without_queue])
def test_another_client_is_not_taken_for_the_known_one(change: Callable[[str], str]) -> None:
    with pytest.raises(RuntimeError, match="Reflex's output has changed"):
        change("export const state = {};")
