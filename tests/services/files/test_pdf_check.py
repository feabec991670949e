"""PDFs pass if they only display something; what acts, plays or encloses files is taken out; bombs are refused."""

import io
from collections.abc import Iterator
from contextlib import suppress
from itertools import product

import pikepdf
import pytest
from pypdf import PdfReader

from rental_app.domain.errors import UnsupportedTypeError
from rental_app.services.files import check_client, pdf_check
from rental_app.services.files.check_client import CheckResult, Job
from tests.support.pdfs import ACTIVE, CATALOG, FILTERS, NOT_CLEANED, NOTE, PAIRS, PLAIN, bomb, filtered, made, policy

NOT_STORED = {"/AA", "/AF", "/EF", "/JS", "/XFA", "/JavaScript", "/EmbeddedFiles", "/RichMediaContent", "/3DD", "/Win"}
NOT_ANNOTATED = {"/FileAttachment", "/RichMedia", "/3D", "/Screen", "/Sound", "/Movie", "/Brew"}
BEFORE = [
    b"\xef\xbb\xbf",
    b"\r\n\n",
    b" " * 900,
    b"\xff\xfe\x00",
    b"<br />Notice: Undefined index in /a.php\n",
]


@pytest.mark.parametrize("name", PLAIN)
def test_what_people_have_is_kept_as_it_is(name: str) -> None:
    assert pdf_check.check(PLAIN[name]()) is None


@pytest.mark.parametrize("options", [{}, {"encryption": pikepdf.Encryption(owner="o", user="")}])
@pytest.mark.parametrize("name", ACTIVE)
def test_what_acts_is_taken_out(name: str, options: dict[str, object]) -> None:
    assert_only_shows(pdf_check.check(made(ACTIVE[name], **options)))


@pytest.mark.parametrize("revision", [2, 3, 4, 6])
def test_an_owners_password_is_taken_off(revision: int) -> None:
    own = pikepdf.Encryption(owner="o", user="", R=revision, aes=revision > 3, metadata=revision > 3)
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(policy())) as pdf:
        pdf.save(out, encryption=own)
    clean = pdf_check.check(out.getvalue())
    assert_only_shows(clean)
    assert "TS09EA1234" in PdfReader(io.BytesIO(clean or b"")).pages[0].extract_text()


def test_a_users_password_is_named() -> None:
    locked = made(encryption=pikepdf.Encryption(owner="o", user="u"))
    with pytest.raises(UnsupportedTypeError, match="asks for a password"):
        pdf_check.check(locked)


def test_another_protection_is_named() -> None:
    locked = made(encryption=pikepdf.Encryption(owner="o", user=""))
    assert b"/Filter /Standard" in locked
    with pytest.raises(UnsupportedTypeError, match="protected in a way"):
        pdf_check.check(locked.replace(b"/Filter /Standard", b"/Filter /Brewed01"))


@pytest.mark.parametrize("name", NOT_CLEANED)
def test_what_cannot_be_made_clean_is_refused_with_its_cause(name: str) -> None:
    change, cause = NOT_CLEANED[name]
    with pytest.raises(UnsupportedTypeError, match=cause):
        pdf_check.check(made(change, compress_streams=False))


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("name", ["scan", "insurer's letter", "object streams"])
def test_what_stands_before_a_pdf_is_taken_off(name: str, before: bytes) -> None:
    (answer,) = check_client.answers([Job(before + PLAIN[name]())])
    assert answer.content_type == "application/pdf"
    assert_only_shows(answer.instead[0])


def test_the_clean_copy_shows_what_the_pages_showed() -> None:
    source = io.BytesIO()
    with pikepdf.open(io.BytesIO(policy())) as pdf:
        ACTIVE["attachment"](pdf)
        ACTIVE["printed when opened"](pdf)
        pdf.save(source)
    clean = pdf_check.check(source.getvalue())
    assert_only_shows(clean)
    with pikepdf.open(io.BytesIO(policy())) as pdf:
        drawn = pdf.pages[0].Contents.read_bytes()
    with pikepdf.open(io.BytesIO(clean or b"")) as pdf:
        assert pdf.pages[0].Contents.read_bytes() == drawn
        links = [str(note.A.URI) for note in pdf.pages[0].Annots if "/A" in note and "/URI" in note.A]
    assert links == ["https://insurer.example/policy", "mailto:care@insurer.example"]


def test_a_picture_that_speaks_of_pdfs_is_a_picture() -> None:
    (answer,) = check_client.answers([Job(b"\x89PNG\r\n\x1a\n%PDF-1.7")])
    assert answer == CheckResult("unsupported_type", answer.reason)
    assert "not a picture" in answer.reason


def test_stacked_filters_are_refused_but_for_the_pairs_of_ordinary_papers() -> None:
    stacks = [*product(FILTERS, repeat=2), *((*pair, name) for pair in PAIRS for name in FILTERS)]
    assert set(filter(passes, stacks)) == PAIRS


def test_one_known_filter_passes() -> None:
    assert all(passes((name,)) for name in FILTERS)
    with pytest.raises(UnsupportedTypeError, match="packed in a way"):
        pdf_check.check(filtered("Brew"))


def passes(filters: tuple[str, ...]) -> bool:
    """Return whether a page packed like this is accepted."""
    with suppress(UnsupportedTypeError):
        return pdf_check.check(filtered(*filters)) is None
    return False


@pytest.mark.parametrize(("megabytes", "layers"), [(1, 2), (1, 3), (80, 1)])
def test_objects_that_unfold_are_refused(megabytes: int, layers: int) -> None:
    with pytest.raises(UnsupportedTypeError, match="cannot be read"):
        pdf_check.check(bomb(megabytes, layers))


@pytest.mark.parametrize(("megabytes", "layers"), [(1, 2), (80, 1)])
def test_a_paper_is_refused_where_a_part_of_it_could_not_be_read(megabytes: int, layers: int) -> None:
    with pytest.raises(UnsupportedTypeError, match="packed in a way"):
        pdf_check.check(bomb(megabytes, layers, NOTE))


@pytest.mark.parametrize("packed_object", [CATALOG, NOTE])
def test_objects_packed_once_pass(packed_object: int) -> None:
    assert pdf_check.check(bomb(1, 1, packed_object)) is None


def assert_only_shows(file: bytes | None) -> None:
    """Require a PDF without encryption in which no object acts, plays or encloses a file."""
    assert file
    assert file.startswith(b"%PDF-")
    with pikepdf.open(io.BytesIO(file)) as pdf:
        assert not pdf.is_encrypted
        assert not {"/OpenAction", "/NeedsRendering", "/URI", "/Perms"} & set(pdf.Root.keys())
        assert set(pdf.Root.get("/Names", {}).keys()) <= {"/Dests"}
        for thing in everything(pdf.trailer, set()):
            assert not NOT_STORED & set(thing.keys())
            assert thing.get("/Subtype") not in NOT_ANNOTATED
            for key in {"/A", "/OpenAction", "/Next"} & set(thing.keys()):
                kind = thing[key].get("/S")
                assert kind in {None, "/GoTo", "/URI"}
                assert kind != "/URI" or str(thing[key].URI).startswith(("https://", "mailto:"))
        assert pdf_check.check(file) is None


def everything(thing: object, seen: set[tuple[int, int]]) -> Iterator[pikepdf.Object]:
    """Return every dictionary and stream that can be reached."""
    if not isinstance(thing, pikepdf.Object) or (thing.is_indirect and thing.objgen in seen):
        return
    if thing.is_indirect:
        seen.add(thing.objgen)
    if isinstance(thing, pikepdf.Dictionary | pikepdf.Stream):
        yield thing
        parts = [part for _, part in thing.items()]
    else:
        parts = list(thing) if isinstance(thing, pikepdf.Array) else []
    for part in parts:
        yield from everything(part, seen)
