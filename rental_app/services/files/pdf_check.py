"""Which PDFs are plain enough to be kept: those made only of parts known to show something and to do nothing.

Portals and programs add more than that: from their PDFs, a clean copy is made.

The terms are those of ISO 32000-2: catalog (7.7.2), filters (7.4), annotations (12.5), actions (12.6).
"""

import io
import re
from collections.abc import Iterator
from contextlib import suppress

import pikepdf

from rental_app.domain.errors import UnsupportedTypeError

MAX_PAGES = 50
MAX_DECODED_BYTES = 64 * 1024 * 1024
PRINT_AGAIN = 'open it, print it with "Save as PDF", and choose that'
UNREADABLE = "this PDF cannot be read"
PASSWORD = f"this PDF asks for a password: {PRINT_AGAIN}"
PROTECTED = f"this PDF is protected in a way we cannot open: {PRINT_AGAIN}"
PAGES = f"a PDF can have at most {MAX_PAGES} pages"
PORTFOLIO = "this PDF is a collection of attached files: choose those files instead"
DYNAMIC_FORM = f"this PDF is a form that only some programs show (XFA): {PRINT_AGAIN}"
ELSEWHERE = f"this PDF shows contents of other files: {PRINT_AGAIN}"
PACKED = f"this PDF is packed in a way we do not open: {PRINT_AGAIN}"
NOT_CLEAN = f"this PDF has active parts that cannot be taken out: {PRINT_AGAIN}"
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
# Files that belong to a part of the document.
ASSOCIATED = "/AF"
# What pages are drawn with has names of any kind, these keys among them.
DRAWN = {"/Font", "/XObject", "/ExtGState", "/Pattern", "/Form", "/Image"}
# What every object stream has, whatever it says it is.
OBJECT_STREAM = {"/N", "/First"}
# Keys of contents held in another file.
FOREIGN_KEYS = {"/F", "/Ref"}
WEB_ADDRESS = re.compile(r"(https?://|mailto:|tel:)", re.IGNORECASE)
FILTERS = set(
    """/FlateDecode /LZWDecode /RunLengthDecode /DCTDecode /JPXDecode /CCITTFaxDecode /JBIG2Decode /ASCII85Decode
    /ASCIIHexDecode""".split()
)
# The only chains of filters allowed: those of common programs and scanners; one of each expands at most.
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


def check(data: bytes) -> bytes | None:
    """What to keep instead of a PDF that has more than pages to show: the same without it; None if it has no more.

    Encryption that asks for no password is taken off. Raises UnsupportedTypeError, which names the cause.
    """
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            _require_readable(pdf)
            if data.startswith(b"%PDF-") and not pdf.is_encrypted and _only_shows(pdf):
                return None
            return _clean_copy(pdf)
    except UnsupportedTypeError:
        raise
    except pikepdf.PasswordError:
        raise UnsupportedTypeError(PASSWORD) from None
    # Damaged files make the library raise exceptions of any kind.
    except Exception as error:
        raise UnsupportedTypeError(PROTECTED if "encryption" in str(error) else UNREADABLE) from None


def _require_readable(pdf: pikepdf.Pdf) -> None:
    """Raise UnsupportedTypeError, naming the cause, where cleaning would leave nothing worth reading."""
    if len(pdf.pages) > MAX_PAGES:
        raise UnsupportedTypeError(PAGES)
    if "/Collection" in pdf.Root:
        raise UnsupportedTypeError(PORTFOLIO)
    if pdf.Root.get("/NeedsRendering") and "/XFA" in pdf.Root.get("/AcroForm", {}):
        raise UnsupportedTypeError(DYNAMIC_FORM)
    if not all(map(_can_unpack, pdf.objects)):
        raise UnsupportedTypeError(PACKED)


def _can_unpack(thing: pikepdf.Object) -> bool:
    """Whether the objects in an object stream (7.5.7) were found: the library leaves out those that it cannot decode,
    and the file would show less than its owner sees."""
    if isinstance(thing, pikepdf.Stream) and set(thing.keys()) >= OBJECT_STREAM:
        with suppress(pikepdf.PdfError):
            thing.read_bytes()
            return True
        return False
    return True


def _clean_copy(pdf: pikepdf.Pdf) -> bytes:
    # Permissions that signatures gave do not fit a changed file; what happens on opening is no part of a paper.
    _keep_only(pdf.Root, CATALOG - {"/Perms", "/OpenAction"})
    _keep_only(pdf.Root.get("/Names"), NAME_TREES)
    _keep_only(pdf.Root.get("/AcroForm"), FORM)
    for thing in list(_dictionaries(pdf)):
        _disarm(thing)
    out = io.BytesIO()
    # Nothing is unpacked: it may be large.
    pdf.save(out, encryption=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    with pikepdf.open(io.BytesIO(out.getvalue())) as copy:
        streams = [thing for thing in _dictionaries(copy) if isinstance(thing, pikepdf.Stream)]
        if any(FOREIGN_KEYS & set(stream.keys()) for stream in streams):
            raise UnsupportedTypeError(ELSEWHERE)
        if not all(_is_packed_once(stream) for stream in streams):
            raise UnsupportedTypeError(PACKED)
        if not _only_shows(copy):
            raise UnsupportedTypeError(NOT_CLEAN)
    return out.getvalue()


def _keep_only(thing: pikepdf.Object | None, allowed: set[str]) -> None:
    if isinstance(thing, pikepdf.Dictionary):
        for key in set(thing.keys()) - allowed:
            del thing[key]


def _disarm(thing: pikepdf.Object) -> None:
    """Remove the actions of a dictionary, and its annotations of unknown kinds."""
    acts = {key for key in ACTION_KEYS & set(thing.keys()) if not _all_may_act(thing, key)}
    for key in acts | _active_keys(thing):
        del thing[key]
    notes = _dictionaries_in(thing.get("/Annots"))
    harmless = [note for note in notes if note.get("/Subtype") in ANNOTATIONS]
    if len(harmless) < len(notes):
        thing["/Annots"] = pikepdf.Array(harmless)
    for note in notes:
        # The document's structure may name it as well.
        if note.get("/Subtype") not in ANNOTATIONS:
            _keep_only(note, set())


def _active_keys(thing: pikepdf.Object) -> set[str]:
    """The keys with active content, except those that are used as names of something to draw with."""
    active = {key: thing[key] for key in (ACTIVE_KEYS | {ASSOCIATED}) & set(thing.keys())}
    drawn = {
        key
        for key, value in active.items()
        if isinstance(value, pikepdf.Dictionary | pikepdf.Stream)
        and DRAWN & {str(value.get("/Type")), str(value.get("/Subtype"))}
    }
    return set(active) - drawn


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
        or ASSOCIATED in _active_keys(thing)
        or not all(_all_may_act(thing, key) for key in ACTION_KEYS & keys)
        or not all(note.get("/Subtype") in ANNOTATIONS for note in _dictionaries_in(thing.get("/Annots")))
        or (isinstance(thing, pikepdf.Stream) and (FOREIGN_KEYS & keys or not _is_packed_once(thing)))
    )


def _dictionaries_in(value: pikepdf.Object | None) -> list[pikepdf.Object]:
    things = list(value) if isinstance(value, pikepdf.Array) else [value]
    return [thing for thing in things if isinstance(thing, pikepdf.Dictionary)]


def _all_may_act(owner: pikepdf.Object, key: str) -> bool:
    return all(_may_act(owner, action) for action in _dictionaries_in(owner[key]))


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
