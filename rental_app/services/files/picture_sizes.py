"""How large public pictures are, for those who show a link to a page."""

import io
from functools import lru_cache
from time import monotonic

import obstore
from PIL import Image, UnidentifiedImageError

from rental_app.infrastructure.settings import settings
from rental_app.services.files.storage import STORE_FAILURES, store

PUBLIC = "/media/public/"
# Our JPEGs carry no metadata: their size is in the first bytes.
HEADER_BYTES = 4096
PAUSE_SECONDS = 60
_paused_until: dict[str, float] = {}


def size_of(path: str) -> tuple[int, int] | None:
    """Width and height in pixels of a picture by its path; None for one that is not stored, or not to be reached.

    Pages can do without: while the store does not answer, it is tried once a minute.
    """
    where = settings().files_url
    if not path.startswith(PUBLIC) or monotonic() < _paused_until.get(where, 0.0):
        return None
    try:
        return _size(f"public/{path.removeprefix(PUBLIC)}")
    except (FileNotFoundError, ValueError, UnidentifiedImageError):
        return None
    except STORE_FAILURES:
        _paused_until[where] = monotonic() + PAUSE_SECONDS
        return None


# A name never refers to another picture later.
@lru_cache(maxsize=4096)
def _size(key: str) -> tuple[int, int]:
    head = obstore.get_range(store(), key, start=0, end=HEADER_BYTES)
    with Image.open(io.BytesIO(bytes(head))) as picture:
        return picture.size
