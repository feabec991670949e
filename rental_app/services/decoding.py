"""The part of the environment that is passed to processes decoding strangers' files."""

import os

# The rest is withheld: it has the keys to the database, the bucket and all signatures, under names nobody can list.
_NEEDED = ("PATH", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
_KINDS = ("LC_", "PYTHON")


def environment() -> dict[str, str]:
    """What Python needs to start there, without any secret keys."""
    return {name: value for name, value in os.environ.items() if name in _NEEDED or name.startswith(_KINDS)}
