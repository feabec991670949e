"""What runs in the process that examines files, and how the server and that process communicate.

It imports only what it needs, as it is started anew for every request's files. Decoders are loaded nowhere else.
"""

import json
import re
import resource
import signal
import sys
from typing import TYPE_CHECKING

from rental_app.domain.errors import RentalError
from rental_app.services.files import process_limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, BinaryIO

MEGABYTE = 1024 * 1024
# A WebP of 40 megapixels is in memory four times while it is decoded; a PDF is not decoded, only listed.
PICTURE_BYTES, PDF_BYTES = 768 * MEGABYTE, 256 * MEGABYTE
# A sheet is read row by row; its texts, which many cells may share, are in memory.
SHEET_BYTES = 384 * MEGABYTE
OUTPUT_BYTES = 64 * MEGABYTE
CPU_SECONDS = 20
# Viewers look for a PDF's start in so many bytes; byte order marks, blank lines and servers' notices come before it.
PDF = re.compile(rb"(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe|[\x00\t\n\f\r\x20-\x7e]){0,1024}?%PDF-")


def message(head: dict[str, object], *parts: bytes) -> bytes:
    """One message: a line of JSON, and parts whose lengths that line gives."""
    line = json.dumps([head, [len(part) for part in parts]]).encode()
    return b"".join((line, b"\n", *parts))


def messages(stream: "BinaryIO") -> "Iterator[tuple[dict[str, Any], list[bytes]]]":
    """The messages that `frame` made, up to the end or to where their writer was killed."""
    while (line := stream.readline()).endswith(b"\n"):
        head, sizes = json.loads(line)
        parts = [stream.read(size) for size in sizes]
        if [len(part) for part in parts] != sizes:
            return
        yield head, parts


def _answer(widths: "Sequence[int]", data: bytes) -> tuple[str, list[bytes]]:
    """A file's type and what to store instead of it, if anything; raises UnsupportedTypeError and TooLargeError."""
    if not widths and PDF.match(data):
        process_limits.limit_memory(PDF_BYTES)
        from rental_app.services.files import pdf_check

        clean = pdf_check.check(data)
        return "application/pdf", [clean] if clean else []
    process_limits.limit_memory(PICTURE_BYTES)
    from rental_app.services.files import pictures

    if widths:
        return "image/jpeg", pictures.redrawn(data, *widths)
    return pictures.as_paper(data)


def _pages(data: bytes) -> tuple[str, list[bytes]]:
    """A document of a person as pictures alone; raises UnsupportedTypeError, TooLargeError and RentalError
    (`unmasked`)."""
    if PDF.match(data):
        process_limits.limit_memory(PDF_BYTES)
        from rental_app.services.files import pdf_check

        clean = pdf_check.check(data) or data
        process_limits.limit_memory(PICTURE_BYTES)
        from rental_app.services.files import pdf_pages

        return "image/jpeg", pdf_pages.drawn(clean)
    process_limits.limit_memory(PICTURE_BYTES)
    from rental_app.services.files import pictures

    return "image/jpeg", [pictures.plain(data)]


def _watermarked(data: bytes, text: str) -> tuple[str, list[bytes]]:
    """A stored picture with a text all over it; raises UnsupportedTypeError and TooLargeError."""
    process_limits.limit_memory(PICTURE_BYTES)
    from rental_app.services.files import pictures

    return "image/jpeg", [pictures.watermarked(data, text)]


def _done(head: "dict[str, Any]", data: bytes) -> tuple[str, list[bytes]]:
    """What a job's head asks for; raises what is said to whoever sent the file."""
    match head.get("job"):
        case "sheet":
            return _cells(data)
        case "identity":
            return _pages(data)
        case "watermark":
            return _watermarked(data, head["text"])
        case _:
            return _answer(head["widths"], data)


def _cells(data: bytes) -> tuple[str, list[bytes]]:
    """A sheet's cells as JSON; raises InvalidInputError, UnsupportedTypeError and TooLargeError."""
    process_limits.limit_memory(SHEET_BYTES)
    from rental_app.services.files import sheet_read

    return "application/json", [sheet_read.read(data)]


def main() -> None:
    """Examine the files on standard input and write the results."""
    process_limits.limit(CPU_SECONDS)
    resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT_BYTES, OUTPUT_BYTES))
    # Otherwise Python raises an error, which would look like a full disk.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    # Not `sys.stdout`: with PYTHONUNBUFFERED it writes part of what exceeds the limit, and carries on.
    with open(sys.stdout.fileno(), "wb", closefd=False) as out:
        for head, (data,) in messages(sys.stdin.buffer):
            try:
                content_type, instead = _done(head, data)
            except RentalError as error:
                out.write(message({"code": error.code, "reason": error.message}))
            else:
                out.write(message({"content_type": content_type}, *instead))
            out.flush()


if __name__ == "__main__":
    main()
