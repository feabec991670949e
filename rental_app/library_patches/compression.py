"""How the compressing middleware reads what a client accepts: cached pages are found by the same reading."""

from starlette_compress import _utils

from rental_app.library_patches import Name, require

NAMES = (Name(_utils, "parse_accept_encoding", "split partition"),)
require(*NAMES)


def accepted_encodings(header: str) -> frozenset[str]:
    """The encodings that an Accept-Encoding header accepts, of those that the middleware can make."""
    return _utils.parse_accept_encoding(header)
