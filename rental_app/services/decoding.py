"""What processes that decode strangers' files are told of this one's environment."""

import os

# The rest stays here: keys to the database, the bucket and all signatures are among it, under names nobody can list.
_NEEDED = ("PATH", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
_KINDS = ("LC_", "PYTHON")


def environment() -> dict[str, str]:
    """What Python needs to start there, without the keys to everything."""
    return {name: value for name, value in os.environ.items() if name in _NEEDED or name.startswith(_KINDS)}
