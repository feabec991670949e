"""The sizes of a picture, derived from its path."""

from dataclasses import dataclass
from typing import Literal, get_args

# The drawings of models: what illustrations exist for, and what operators may choose.
Shape = Literal[
    "scooter",
    "commuter",
    "cruiser",
    "sport",
    "adventure",
    "electric-scooter",
    "hatchback",
    "sedan",
    "suv",
    "mpv",
    "electric-car",
]

DRAWINGS_PATH = "/media/art/"
PhotoSide = Literal["Front", "Left", "Right", "Back"]
SIDES: tuple[PhotoSide, ...] = get_args(PhotoSide)
# The name ending of a photo that has WebPs of these widths beside it.
WIDE, WIDTHS = "-w.jpg", (800, 1600)


@dataclass(frozen=True, slots=True)
class Picture:
    """A re-encoded photo, or a drawing, identified by the path (or store key) of its full size."""

    full: str

    @property
    def card(self) -> str:
        """The small version, for cards and rows; a drawing, or a photo that is not a JPEG, serves for every size."""
        return self.full.removesuffix(".jpg") + ".webp" if self.full.endswith(".jpg") else self.full

    @property
    def wide(self) -> list[str]:
        """The larger versions of a photo, ordered by width; older photos have none."""
        return [f"{self.full.removesuffix('.jpg')}{width}.webp" for width in WIDTHS if self.full.endswith(WIDE)]

    @property
    def sizes(self) -> str:
        """All sizes with their widths, for a browser to choose from."""
        if self.card == self.full:
            return f"{self.full} 960w"
        larger = zip(self.wide or [self.full], WIDTHS if self.wide else WIDTHS[-1:], strict=True)
        return ", ".join([f"{self.card} 640w", *(f"{path} {width}w" for path, width in larger)])

    @property
    def is_drawing(self) -> bool:
        """Whether it is the project's own illustration of a model, and not a photo of the vehicle."""
        return self.full.startswith(DRAWINGS_PATH)


@dataclass(frozen=True, slots=True)
class Photo(Picture):
    """A photo of one side of a vehicle."""

    side: str


def photos(noted: str, cover: str) -> list[Photo]:
    """The photos of a listing: first the one shown on cards, then from front to back, the oldest of a side first.

    `noted` lists them in any order, separated by commas, each as id, side and store key separated by spaces.
    """
    rows = [entry.split(" ") for entry in noted.split(",") if entry]
    rows.sort(key=lambda row: (f"/media/{row[2]}" != cover, SIDES.index(row[1]), int(row[0])))
    return [Photo(f"/media/{key}", side) for _, side, key in rows]


def from_the_side(noted: str, cover: str) -> str:
    """The first of those photos that is taken from a side; '' without one."""
    return next((photo.full for photo in photos(noted, cover) if photo.side in ("Left", "Right")), "")


def sides_first(shown: list[Photo]) -> list[Photo]:
    """The same photos, those from a side before the others: they show the whole vehicle."""
    return sorted(shown, key=lambda photo: photo.side not in ("Left", "Right"))
