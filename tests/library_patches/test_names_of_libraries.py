"""A start fails, and says why, when a library no longer has a name that we rely on, or no longer uses it."""

import pytest
from reflex.istate.manager.memory import StateManagerMemory
from reflex_base.utils import log

from rental_app.library_patches import (
    Name,
    compression,
    gunicorn_master,
    reflex_app,
    reflex_assets,
    reflex_states,
    require,
    socket_io,
    uvicorn_protocols,
)
from tests.support.rows import each

MODULES = (compression, gunicorn_master, reflex_app, reflex_assets, reflex_states, socket_io, uvicorn_protocols)
NAMES = [name for module in MODULES for name in module.NAMES]


def _does_something_else() -> None: ...


@each("name", NAMES)
def test_a_name_that_is_gone_or_does_something_else_ends_the_start(name: Name) -> None:
    require(name)
    with pytest.MonkeyPatch.context() as patch:
        # Where a class above it has one too, that one would be found.
        patch.setattr(name.owner, name.name, None)
        with pytest.raises(RuntimeError, match=rf"{name.name} is gone"):
            require(name)
        if name.uses:
            patch.setattr(name.owner, name.name, _does_something_else)
            with pytest.raises(RuntimeError, match="no longer uses"):
                require(name)


def test_a_switch_that_has_another_name_ends_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "_MANAGED_ENV_VAR", "REFLEX_OWN_LOGGING")
    with pytest.raises(RuntimeError, match="REFLEX_OWN_LOGGING"):
        reflex_app.require_switches()


def test_a_name_that_a_library_does_not_have_is_gone() -> None:
    with pytest.raises(RuntimeError, match=r"_purge_all is gone\. See docs/reflex\.md"):
        require(Name(StateManagerMemory, "_purge_all"))
