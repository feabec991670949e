"""Pictures of customers' documents as others see them: who looks, and when, is written over them."""

from dataclasses import dataclass

from rental_app.infrastructure.db import run
from rental_app.services.files import checks, storage


@dataclass(frozen=True, slots=True)
class WatermarkedPicture:
    """A picture that may be looked at: its key in the store, and the text to write over it."""

    key: str
    text: str


async def drawn(picture: WatermarkedPicture) -> bytes:
    """The picture as a JPEG with its text all over it; the stored one leaves to nobody but its owner.

    Raises NotFoundError and UnavailableError.
    """
    return await checks.watermark(await run(storage.content_of, picture.key), picture.text)
