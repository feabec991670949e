"""A vehicle's photos as its page shows them."""

from pydantic import BaseModel

from rental_app.domain.pictures import sides_first
from rental_app.models import Listing

_SHOWN = {"Front": "front", "Left": "left side", "Right": "right side", "Back": "back"}


class PhotoView(BaseModel):
    """A photo: in full, small, in the `sizes` a browser chooses from; its `place` in the row, and how it is loaded."""

    src: str
    card: str
    sizes: str
    alt: str
    place: int
    loading: str
    priority: str


def card_and_gallery_photos(car: Listing) -> list[PhotoView]:
    """A vehicle's photos, from its sides first; only the first is loaded before it is seen."""
    return [
        PhotoView(
            src=photo.full,
            card=photo.card,
            sizes=photo.sizes,
            alt=f"{car.title}, {_SHOWN[photo.side]}",
            place=place,
            loading="lazy" if place else "eager",
            priority="auto" if place else "high",
        )
        for place, photo in enumerate(sides_first(car.photos))
    ]
