"""The first pages of a PDF as pictures. Loaded in the process that examines files alone (check_process.py)."""

import pypdfium2

from rental_app.domain.errors import RentalError, UnsupportedTypeError
from rental_app.domain.identity import MAX_PAGES, UNMASKED, has_whole_aadhaar
from rental_app.services.files.pdf_check import UNREADABLE
from rental_app.services.files.pictures import PAPER_ROOM, as_jpeg

# Of A4 at 170 dots an inch: small print can be read.
_LONGEST = PAPER_ROOM[1]


def drawn(data: bytes) -> list[bytes]:
    """The first four pages as JPEGs, without anything else that is in the file.

    Raises UnsupportedTypeError, and RentalError (`unmasked`) if the text of any page has a whole Aadhaar number.
    """
    try:
        with pypdfium2.PdfDocument(data) as pdf:
            texts = [page.get_textpage().get_text_bounded() for page in pdf]
            if any(map(has_whole_aadhaar, texts)):
                raise RentalError(UNMASKED, code="unmasked")
            return [_drawn(pdf[number]) for number in range(min(len(pdf), MAX_PAGES))]
    except RentalError:
        raise
    # Damaged files make the library raise exceptions of any kind.
    except Exception:
        raise UnsupportedTypeError(UNREADABLE) from None


def _drawn(page: pypdfium2.PdfPage) -> bytes:
    scale = _LONGEST / max(1.0, *page.get_size())
    return as_jpeg(page.render(scale=scale).to_pil())
