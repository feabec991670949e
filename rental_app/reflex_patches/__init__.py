"""Changes to what Reflex compiles; `docs/reflex.md` says what to check when Reflex is upgraded."""

from rental_app.reflex_patches.client import OwnClient
from rental_app.reflex_patches.documents import TEMPLATES, ApiDocs, Templates
from rental_app.reflex_patches.radix import RADIX_USED, OwnRadix
from rental_app.reflex_patches.stand_ins import StandIns

__all__ = [
    "RADIX_USED",
    "TEMPLATES",
    "ApiDocs",
    "OwnClient",
    "OwnRadix",
    "StandIns",
    "Templates",
]
