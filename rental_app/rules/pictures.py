"""The sizes of a picture, known by its path."""

from dataclasses import dataclass

DRAWINGS_PATH = "/media/art/"
SIDES = ("Front", "Left", "Right", "Back")


@dataclass(frozen=True, slots=True)
class Picture:
    """A photo as it was re-encoded, or a drawing, by the path (or store key) of its full size."""

    full: str

    @property
    def card(self) -> str:
        """The small one beside a photo, for cards and rows; a drawing, or a photo that is no JPEG, fits every size."""
        return self.full.removesuffix(".jpg") + ".webp" if self.full.endswith(".jpg") else self.full

    @property
    def sizes(self) -> str:
        """Both sizes with their widths, for a browser to choose from."""
        return f"{self.card} 640w, {self.full} 1600w" if self.card != self.full else f"{self.full} 960w"

    @property
    def is_drawing(self) -> bool:
        """Whether it is the project's own illustration of a model, and not a photo of the vehicle."""
        return self.full.startswith(DRAWINGS_PATH)


@dataclass(frozen=True, slots=True)
class Photo(Picture):
    """A photo of one side of a vehicle."""

    side: str


def photos(noted: str, cover: str) -> list[Photo]:
    """The photos that a listing notes: first the one that cards show, then from front to back, a side's oldest first.

    They are noted by commas as id, side and store key, by spaces, in any order.
    """
    rows = [entry.split(" ") for entry in noted.split(",") if entry]
    rows.sort(key=lambda row: (f"/media/{row[2]}" != cover, SIDES.index(row[1]), int(row[0])))
    return [Photo(f"/media/{key}", side) for _, side, key in rows]
