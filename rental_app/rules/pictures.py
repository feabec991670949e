"""The sizes of a picture, known by its path."""

from dataclasses import dataclass

DRAWINGS_PATH = "/media/art/"


@dataclass(frozen=True, slots=True)
class Picture:
    """A photo as it was re-encoded, or a drawing, by the path (or store key) of its full size."""

    full: str

    @property
    def card(self) -> str:
        """The small one beside a photo, for cards and rows; a drawing, or a photo that is no JPEG, fits every size."""
        return self.full.removesuffix(".jpg") + ".webp" if self.full.endswith(".jpg") else self.full

    @property
    def is_drawing(self) -> bool:
        """Whether it is the project's own illustration of a model, and not a photo of the vehicle."""
        return self.full.startswith(DRAWINGS_PATH)
