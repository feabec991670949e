"""Changes to generated files, each of which must find its place there."""

import shutil

from reflex.utils.frontend_skeleton import initialize_vite_config
from reflex.utils.prerequisites import get_web_dir
from reflex_base.constants import Templates


def replaced(source: str, old: str, new: str) -> str:
    """A file with one part changed; raises RuntimeError when that part is not there."""
    if old not in source:
        raise RuntimeError(f"Reflex's output has changed: {old!r} is not in it any more")
    return source.replace(old, new)


def extended(source: str, anchor: str, addition: str) -> str:
    """A file with something after an anchor."""
    return replaced(source, anchor, anchor + addition)


def renew() -> None:
    """Write anew what Reflex writes only into an empty folder: an earlier version's changes would stay in it."""
    folder = "utils"
    shutil.copytree(Templates.Dirs.WEB_TEMPLATE / folder, get_web_dir() / folder, dirs_exist_ok=True)
    initialize_vite_config()
