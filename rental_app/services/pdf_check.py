"""Which PDFs are plain enough to be kept: those made only of parts known to show something and to do nothing.

The terms are those of ISO 32000-2: catalog (7.7.2), filters (7.4), annotations (12.5), actions (12.6).
"""

import io
import re
from collections.abc import Iterator

import pikepdf

from rental_app.errors import UnsupportedTypeError

MAX_PAGES = 50
MAX_DECODED_BYTES = 64 * 1024 * 1024
NOT_PLAIN = "PDFs must be plain: no password, scripts, actions, media or attachments, 50 pages at most"
UNREADABLE = "this PDF cannot be read or is protected by a password"
# Of these, /Info belongs elsewhere, but MuPDF puts it here.
CATALOG = set(
    """/Type /Version /Extensions /Pages /PageLabels /Names /Dests /ViewerPreferences /PageLayout /PageMode /Outlines
    /Threads /OpenAction /AcroForm /Metadata /StructTreeRoot /MarkInfo /Lang /OutputIntents /PieceInfo /OCProperties
    /Perms /DSS /Info""".split()
)
NAME_TREES = {"/Dests"}
FORM = set("/Fields /NeedAppearances /SigFlags /CO /DR /DA /Q".split())
ANNOTATIONS = set(
    """/Link /Text /FreeText /Line /Square /Circle /Polygon /PolyLine /Highlight /Underline /Squiggly /StrikeOut /Stamp
    /Caret /Ink /Popup /Widget /Watermark""".split()
)
# Where actions are found; /A also holds a paragraph's attributes, which have no action type (/S).
ACTION_KEYS = {"/A", "/NA", "/PA", "/Next", "/OpenAction"}
ACTIVE_KEYS = {"/AA", "/JS", "/JavaScript", "/EF", "/EmbeddedFiles", "/XFA"}
# Keys of contents held in another file.
FOREIGN_KEYS = {"/F", "/Ref"}
WEB_ADDRESS = re.compile(r"(https?://|mailto:|tel:)", re.IGNORECASE)
FILTERS = set(
    """/FlateDecode /LZWDecode /RunLengthDecode /DCTDecode /JPXDecode /CCITTFaxDecode /JBIG2Decode /ASCII85Decode
    /ASCIIHexDecode""".split()
)
# The only chains of filters allowed: those of common programs and scanners (record 0011); one of each expands at most.
PAIRS = {
    ("/ASCII85Decode", "/FlateDecode"),
    ("/ASCII85Decode", "/DCTDecode"),
    ("/ASCIIHexDecode", "/FlateDecode"),
    ("/ASCIIHexDecode", "/DCTDecode"),
    ("/FlateDecode", "/DCTDecode"),
}

# For the whole process: streams decoded just to find the objects may neither be nested nor grow without limit.
pikepdf.settings.set_qpdf_limits(
    max_stream_filters=1,
    flate_max_memory=MAX_DECODED_BYTES,
    run_length_max_memory=MAX_DECODED_BYTES,
    png_max_memory=MAX_DECODED_BYTES,
    tiff_max_memory=MAX_DECODED_BYTES,
)


def check(data: bytes) -> None:
    """Raise UnsupportedTypeError unless a PDF can be read and only shows pages."""
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            plain = not pdf.is_encrypted and len(pdf.pages) <= MAX_PAGES and _only_shows(pdf)
    # Damaged files make the library raise exceptions of any kind.
    except Exception:
        raise UnsupportedTypeError(UNREADABLE) from None
    if not plain:
        raise UnsupportedTypeError(NOT_PLAIN)


def _only_shows(pdf: pikepdf.Pdf) -> bool:
    root = pdf.Root
    return (
        set(root.keys()) <= CATALOG
        and set(root.get("/Names", {}).keys()) <= NAME_TREES
        and set(root.get("/AcroForm", {}).keys()) <= FORM
        and all(_is_harmless(thing) for thing in _dictionaries(pdf))
    )


def _dictionaries(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """Every dictionary and stream, including those inside others."""
    waiting = list(pdf.objects)
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, pikepdf.Array):
            parts = list(thing)
        elif isinstance(thing, pikepdf.Dictionary | pikepdf.Stream):
            yield thing
            parts = [part for _, part in thing.items()]
        else:
            continue
        # Indirect objects are in the list from the start.
        waiting += [part for part in parts if isinstance(part, pikepdf.Object) and not part.is_indirect]


def _is_harmless(thing: pikepdf.Object) -> bool:
    keys = set(thing.keys())
    return not (
        ACTIVE_KEYS & keys
        or not all(_may_act(thing, action) for key in ACTION_KEYS & keys for action in _dictionaries_in(thing[key]))
        or not all(note.get("/Subtype") in ANNOTATIONS for note in _dictionaries_in(thing.get("/Annots")))
        or (isinstance(thing, pikepdf.Stream) and (FOREIGN_KEYS & keys or not _is_packed_once(thing)))
    )


def _dictionaries_in(value: pikepdf.Object | None) -> list[pikepdf.Object]:
    things = list(value) if isinstance(value, pikepdf.Array) else [value]
    return [thing for thing in things if isinstance(thing, pikepdf.Dictionary)]


def _may_act(owner: pikepdf.Object, action: pikepdf.Object) -> bool:
    """Whether an action only turns to a page of the same file, or is a link to the web that a reader clicks."""
    kind = action.get("/S")
    if kind == "/URI":
        return owner.get("/Subtype") == "/Link" and bool(WEB_ADDRESS.match(str(action.get("/URI"))))
    return kind is None or kind == "/GoTo"


def _is_packed_once(stream: pikepdf.Stream) -> bool:
    """Whether a stream has at most one known filter, or a pair found in ordinary documents."""
    value = stream.get("/Filter", [])
    filters = tuple(str(name) for name in (value if isinstance(value, pikepdf.Array | list) else [value]))
    return filters in PAIRS or (len(filters) <= 1 and FILTERS.issuperset(filters))
