"""The sizes of a picture, known by its path."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Picture:
    """A photo as it was re-encoded, or a drawing, by the path (or store key) of its full size."""

    full: str

    @property
    def card(self) -> str:
        """The small one beside a photo, for cards and rows; a drawing fits every size."""
        return self.full.removesuffix(".jpg") + ".webp" if self.full.endswith(".jpg") else self.full
