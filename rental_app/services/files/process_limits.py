"""The environment and the limits of processes decoding strangers' files.

It imports only what it needs, as those processes are started anew for every request.
"""

import os
import resource
import sys

# The rest is withheld: it has the keys to the database, the bucket and all signatures, under names nobody can list.
_NEEDED = ("PATH", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
_KINDS = ("LC_", "PYTHON")


def environment() -> dict[str, str]:
    """What Python needs to start there, without any secret keys."""
    return {name: value for name, value in os.environ.items() if name in _NEEDED or name.startswith(_KINDS)}


def limit(cpu_seconds: int) -> None:
    """Let everything else go first, leave no core dump, and end after that much CPU time."""
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))


def limit_memory(most: int) -> None:
    """Limit this process to so many bytes from now on; another limit can follow for its next file."""
    # Outside Linux the limit is refused or has no effect; time is limited there too.
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
