"""Photos look in the shop as they looked where they were taken, whatever the camera or program wrote."""

import io

import pytest
from PIL import Image

from rental_app.domain.errors import TooLargeError
from rental_app.services.files import check_client, pictures
from rental_app.services.files.check_client import Job
from tests.support.pictures import declaring, display_p3, photo, saved

SIZE = (48, 40)
RED, WHITE = (255, 0, 0), (255, 255, 255)
# The red of sRGB in the numbers of Display P3.
RED_IN_P3 = (234, 51, 35)
RED_IN_BT_2020 = (208, 74, 35)
TRANSPARENT = {
    "RGBA": saved(Image.new("RGBA", SIZE, (9, 9, 9, 0)), "PNG"),
    "LA": saved(Image.new("LA", SIZE, (9, 0)), "PNG"),
    "palette": saved(Image.new("RGBA", SIZE, (9, 9, 9, 0)).quantize(4), "PNG"),
    "clear colour": saved(Image.new("RGB", SIZE, (9, 9, 9)), "PNG", transparency=(9, 9, 9)),
    "clear grey": saved(Image.new("L", SIZE, 9), "PNG", transparency=9),
    "clear grey of 16 bits": saved(Image.new("I;16", SIZE, 9 * 257), "PNG", transparency=9 * 257),
    "WebP": saved(Image.new("RGBA", SIZE, (9, 9, 9, 0)), "WEBP", exact=True),
    "HEIC": saved(Image.new("RGBA", SIZE, (9, 9, 9, 0)), "HEIF"),
}


def middle(picture: bytes) -> tuple[int, ...]:
    """Return the colour in the middle of the JPEG made of a picture."""
    full = Image.open(io.BytesIO(pictures.redrawn(picture, *SIZE)[0]))
    assert (full.format, full.mode) == ("JPEG", "RGB")
    assert not {"exif", "icc_profile", "comment", "mp"} & set(full.info)
    colour = full.getpixel((full.width // 2, full.height // 2))
    assert isinstance(colour, tuple)
    return colour


@pytest.mark.parametrize("name", TRANSPARENT)
def test_what_is_transparent_becomes_white(name: str) -> None:
    assert middle(TRANSPARENT[name]) == pytest.approx(WHITE, abs=3)


def test_what_is_half_transparent_is_mixed_with_white() -> None:
    assert middle(saved(Image.new("RGBA", SIZE, (0, 0, 0, 128)), "PNG")) == pytest.approx((127,) * 3, abs=3)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF", "MPO"])
def test_a_phones_colours_are_converted(kind: str) -> None:
    taken = saved(Image.new("RGB", SIZE, RED_IN_P3), kind, icc_profile=display_p3())
    assert middle(taken) == pytest.approx(RED, abs=6)


@pytest.mark.parametrize(
    ("primaries", "numbers"),
    [(1, RED), (pictures.DISPLAY_P3, RED_IN_P3), (pictures.BT_2020, RED_IN_BT_2020)],
    ids=["sRGB", "Display P3", "BT.2020"],
)
def test_colours_named_by_a_number_alone_are_converted(primaries: int, numbers: tuple[int, int, int]) -> None:
    """As phones that embed no profile write them."""
    taken = saved(Image.new("RGB", SIZE, numbers), "HEIF", quality=100, color_primaries=primaries)
    assert "icc_profile" not in Image.open(io.BytesIO(taken)).info
    assert middle(taken) == pytest.approx(RED, abs=6)
    (paper,) = pictures.as_paper(taken)[1]
    assert Image.open(io.BytesIO(paper)).convert("RGB").getpixel((9, 9)) == pytest.approx(RED, abs=6)


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "CMYK"])
def test_a_profile_that_does_not_fit_is_ignored(mode: str) -> None:
    kind = "JPEG" if mode == "CMYK" else "PNG"
    taken = saved(Image.new("RGB", SIZE, WHITE).convert(mode), kind, icc_profile=display_p3()[:-9])
    assert middle(taken) == pytest.approx(WHITE, abs=3)


@pytest.mark.parametrize("grey", [0, 64, 128, 200, 255])
def test_grey_of_16_bits_is_scaled(grey: int) -> None:
    assert middle(saved(Image.new("I;16", SIZE, grey * 257), "PNG")) == pytest.approx((grey,) * 3, abs=2)


def test_colours_of_a_printer() -> None:
    assert middle(saved(Image.new("CMYK", SIZE, (0, 255, 255, 0)), "JPEG")) == pytest.approx(RED, abs=6)


def test_several_pictures_in_a_jpeg_are_one_jpeg() -> None:
    taken = saved(Image.new("RGB", SIZE, RED), "MPO", save_all=True, append_images=[Image.new("RGB", SIZE)])
    assert Image.open(io.BytesIO(taken)).format == "MPO"
    assert middle(taken) == pytest.approx(RED, abs=6)
    found = check_client.answers([Job(taken), Job(taken, SIZE)])
    assert [(answer.content_type, len(answer.instead)) for answer in found] == [("image/jpeg", 0), ("image/jpeg", 2)]


def test_a_heic_is_drawn_upright_and_only_its_main_picture() -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "SecretCamera"
    first = Image.new("RGB", SIZE, RED)
    first.info["exif"] = exif.tobytes()
    taken = saved(first, "HEIF", save_all=True, append_images=[Image.new("RGB", (64, 64))] * 3, primary_index=0)
    assert b"irot" in taken
    photo_of, paper = check_client.answers([Job(taken, (48, 24)), Job(taken)])
    assert (photo_of.content_type, paper.content_type) == ("image/jpeg", "image/jpeg")
    for drawn in (photo_of.instead[0], *paper.instead):
        image = Image.open(io.BytesIO(drawn))
        assert (image.format, image.size) == ("JPEG", SIZE[::-1])
        assert not image.getexif()


def test_a_heic_that_is_a_paper_stays_readable_and_is_no_larger_than_other_photos() -> None:
    # Narrow: to make a HEIC of so many pixels takes ten times as long as to read it.
    kind, (drawn,) = pictures.as_paper(photo("HEIF", (2600, 130)))
    assert (kind, Image.open(io.BytesIO(drawn)).size) == ("image/jpeg", (2000, 100))


def test_a_heic_of_too_many_pixels_is_refused_unread() -> None:
    for look in (pictures.as_paper, lambda data: pictures.redrawn(data, *SIZE)):
        with pytest.raises(TooLargeError, match="40 megapixels"):
            look(declaring(photo("HEIF", (64, 64)), 8000, 5001))


@pytest.mark.parametrize("data", [photo("HEIF")[:200], declaring(photo("HEIF", (64, 64)), 6000, 6000)])
def test_a_heic_that_cannot_be_decoded_names_what_can(data: bytes) -> None:
    (answer,) = check_client.answers([Job(data, SIZE)])
    assert answer.code == "unsupported_type"
    assert "JPEG, PNG, WebP or HEIC" in answer.reason
