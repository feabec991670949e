"""PDFs for tests: as people have them, and as attackers make them."""

import io
import struct
import zlib
from collections.abc import Callable

import pikepdf
from fpdf import FPDF
from pikepdf import Array, Dictionary, Name, String
from PIL import Image

# By the fonts that they are printed in; the last one is in Urdu.
NAMES = {
    "noto-sans-telugu": "వెంకట రమణ శ్రీనివాసులు",
    "noto-sans-devanagari": "लक्ष्मी प्रसाद शर्मा",
    "noto-sans-tamil": "முத்துக்குமார் சுப்பிரமணியன்",
    "noto-sans-kannada": "ಶ್ರೀನಿವಾಸ ಕೃಷ್ಣಮೂರ್ತಿ",
    "noto-sans-malayalam": "ലക്ഷ്മി കൃഷ്ണൻ നമ്പൂതിരി",
    "noto-sans-bengali": "লক্ষ্মী চক্রবর্তী মুখার্জি",
    "noto-sans-gujarati": "લક્ષ્મી પ્રસાદ ત્રિવેદી",
    "noto-sans-gurmukhi": "ਹਰਪ੍ਰੀਤ ਸਿੰਘ ਗਰੇਵਾਲ",
    "noto-sans-odia": "ଲକ୍ଷ୍ମୀ ପ୍ରସାଦ ତ୍ରିପାଠୀ",
    "noto-sans-arabic": "محمد عبد الرحمٰن قریشی",
}
Change = Callable[[pikepdf.Pdf], None]


def made(change: Change | None = None, **options: object) -> bytes:
    """Return a PDF of one page, with a change applied; `options` are pikepdf's for saving."""
    document = pikepdf.new()
    document.add_blank_page()
    if change:
        change(document)
    out = io.BytesIO()
    document.save(out, **options)
    return out.getvalue()


def note(**entries: object) -> Change:
    """A page with one annotation."""

    def change(document: pikepdf.Pdf) -> None:
        annotation = Dictionary(Type=Name.Annot, Rect=[0, 0, 9, 9], **entries)
        document.pages[0].Annots = Array([document.make_indirect(annotation)])

    return change


def field(**entries: object) -> Change:
    """A page with a form field."""

    def change(document: pikepdf.Pdf) -> None:
        note(Subtype=Name.Widget, **entries)(document)
        document.Root.AcroForm = Dictionary(Fields=document.pages[0].Annots)

    return change


def link(**action: object) -> Change:
    """A page with a link that triggers an action."""
    return note(Subtype=Name.Link, A=Dictionary(**action))


def root(**entries: object) -> Change:
    """Additional entries in the catalog."""
    return lambda document: document.Root.update(Dictionary(**entries))


def packed(*filters: str, **entries: object) -> Change:
    """A page whose contents are encoded with filters."""

    def change(document: pikepdf.Pdf) -> None:
        names = Array([Name(f"/{name}") for name in filters])
        document.pages[0].Contents = pikepdf.Stream(document, b"x", Filter=names, **entries)

    return change


CATALOG, NOTE = 1, 4


def bomb(megabytes: int, layers: int, packed_object: int = CATALOG) -> bytes:
    """Return a PDF of which one object is in an object stream of megabytes of blanks, deflated `layers` times."""
    objects = {
        CATALOG: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<<>>/Annots[4 0 R]>>",
        NOTE: b"<</Type/Annot/Subtype/FreeText/Rect[0 0 9 9]/Contents(Sold)>>",
    }
    stream = _blanks(b"%d 0 %s" % (packed_object, objects.pop(packed_object)), megabytes)
    for _ in range(layers - 1):
        stream = zlib.compress(stream, 9)
    objects[5] = _stream(b"/Type/ObjStm/N 1/First 4/Filter[%s]" % (b"/FlateDecode" * layers), stream)
    file, places = b"%PDF-1.5\n", {packed_object: (2, 5, 0)}
    for number, body in objects.items():
        places[number] = (1, len(file), 0)
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    rows = [(0, 0, 0), *(places[number] for number in sorted(places)), (1, len(file), 0)]
    table = b"".join(struct.pack(">BIH", *row) for row in rows)
    index = _stream(b"/Type/XRef/Size 7/W[1 4 2]/Root 1 0 R", table)
    return file + b"6 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF" % (index, len(file))


def _blanks(start: bytes, megabytes: int) -> bytes:
    """Return bytes followed by megabytes of blanks, deflated; one megabyte is compressed, the others repeat it."""
    blanks = b" " * 2**20
    packer = zlib.compressobj(9, wbits=-15)
    first = packer.compress(start) + packer.flush(zlib.Z_FULL_FLUSH)
    more = packer.compress(blanks) + packer.flush(zlib.Z_FULL_FLUSH)
    check = zlib.adler32(start)
    for _ in range(megabytes):
        check = zlib.adler32(blanks, check)
    return b"\x78\xda" + first + more * megabytes + packer.flush() + struct.pack(">I", check)


def _stream(entries: bytes, data: bytes) -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data)


def scan() -> bytes:
    """A scanner's PDF: two pages, each one picture."""
    out = io.BytesIO()
    page = Image.effect_noise((300, 400), 60)
    page.save(out, "PDF", save_all=True, append_images=[page.convert("RGB")], title="Scan")
    return out.getvalue()


def policy() -> bytes:
    """A letter with text, a table, bookmarks, and links to the web, to a mailbox and to its own pages."""
    document = FPDF()
    document.add_page()
    document.set_font("helvetica")
    document.start_section("Policy")
    document.cell(text="Insurer", link="https://insurer.example/policy")
    document.cell(text="Write", link="mailto:care@insurer.example")
    document.cell(text="Terms", link=document.add_link(page=2))
    with document.table() as table:
        table.row(["Vehicle", "TS09EA1234"])
    document.add_page()
    document.start_section("Terms")
    return bytes(document.output())


def tagged(document: pikepdf.Pdf) -> None:
    """Tag a PDF as word processors do: a structure with attributes, a language, metadata, an initial view."""
    attributes = Dictionary(O=Name.Layout, TextAlign=Name.Center)
    paragraph = Dictionary(Type=Name.StructElem, S=Name.P, A=Array([attributes, 0]), K=0)
    document.Root.StructTreeRoot = Dictionary(
        Type=Name.StructTreeRoot, K=Array([paragraph]), ClassMap=Dictionary(A=attributes)
    )
    document.Root.MarkInfo = Dictionary(Marked=True)
    document.Root.Lang = String("en-IN")
    document.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)
    document.Root.OpenAction = Array([document.pages[0].obj, Name.Fit])
    document.Root.Names = Dictionary(Dests=Dictionary(Names=Array([])))
    with document.open_metadata() as metadata:
        metadata["dc:title"] = "Registration certificate"


def signed(document: pikepdf.Pdf) -> None:
    """Sign a PDF as government lockers do: a signature in a field, with data to verify it later."""
    signature = Dictionary(
        Type=Name.Sig,
        Filter=Name("/Adobe.PPKLite"),
        SubFilter=Name("/adbe.pkcs7.detached"),
        Contents=String("0" * 64),
        ByteRange=Array([0, 10, 20, 10]),
        Reason=String("Digitally signed"),
    )
    field = document.make_indirect(
        Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            FT=Name.Sig,
            T=String("Signature1"),
            V=document.make_indirect(signature),
            Rect=[0, 0, 9, 9],
            F=132,
        )
    )
    document.pages[0].Annots = Array([field])
    document.Root.AcroForm = Dictionary(Fields=Array([field]), SigFlags=3, DR=Dictionary(), DA=String("/Helv 0 Tf"))
    document.Root.Perms = Dictionary(DocMDP=signature)
    document.Root.DSS = Dictionary(Certs=Array([]))


def _signed_and_reacting(document: pikepdf.Pdf) -> None:
    signed(document)
    document.pages[0].Annots[0].AA = Dictionary(K=_script())


def _long(document: pikepdf.Pdf) -> None:
    for _ in range(50):
        document.add_blank_page()


def _script() -> Dictionary:
    return Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))


def _enclosed(document: pikepdf.Pdf) -> Dictionary:
    return Dictionary(Type=Name.Filespec, F=String("a.xml"), EF=Dictionary(F=document.make_stream(b"<a/>")))


def _noted_in_the_structure(document: pikepdf.Pdf) -> None:
    note(Subtype=Name.FileAttachment, FS=_enclosed(document))(document)
    named = Dictionary(Type=Name.OBJR, Obj=document.pages[0].Annots[0])
    document.Root.StructTreeRoot = Dictionary(Type=Name.StructTreeRoot, K=named)


PLAIN: dict[str, Callable[[], bytes]] = {
    "scan": scan,
    "insurer's letter": policy,
    "blank": made,
    "50 pages": lambda: made(lambda pdf: [pdf.add_blank_page() for _ in range(49)] and None),
    "word processor": lambda: made(tagged),
    "signed": lambda: made(signed),
    "object streams": lambda: made(tagged, object_stream_mode=pikepdf.ObjectStreamMode.generate),
    "first view as an action": lambda: made(root(OpenAction=Dictionary(S=Name.GoTo, D=String("a")))),
    "title where MuPDF puts it": lambda: made(root(Info=Dictionary(Producer=String("MuPDF 1.28.5")))),
    "remark": lambda: made(note(Subtype=Name.Highlight, Contents=String("here"))),
}
# What portals, word processors and attackers add to pages.
ACTIVE: dict[str, Change] = {
    "form script": root(AcroForm=Dictionary(Fields=Array([]), XFA=String("<xdp/>"))),
    "rendered by need": root(NeedsRendering=True),
    "associated file": root(AF=Array([])),
    "base of links": root(URI=Dictionary(Base=String("https://a.example"))),
    "link when opened": root(OpenAction=Dictionary(S=Name.URI, URI=String("https://a.example"))),
    "named action when opened": root(OpenAction=Dictionary(S=Name.Named, N=Name.Print)),
    "action nobody knows": root(OpenAction=Dictionary(S=Name.Brew)),
    "link after a jump": root(
        OpenAction=Dictionary(S=Name.GoTo, Next=Array([Dictionary(S=Name.URI, URI=String("https://a.example"))]))
    ),
    "name tree of pages": root(Names=Dictionary(Templates=Dictionary(Names=Array([])))),
    "name tree of renditions": root(Names=Dictionary(Renditions=Dictionary(Names=Array([])))),
    "form that is sent": link(S=Name.SubmitForm, F=String("https://a.example")),
    "other document": link(S=Name.GoToR, F=String("a.pdf")),
    "embedded document": link(S=Name.GoToE, T=Dictionary(R=Name.C)),
    "data from elsewhere": link(S=Name.ImportData, F=String("a.fdf")),
    "program": link(S=Name.Launch, F=String("a.exe")),
    "media played": link(S=Name.Rendition, OP=0),
    "hidden fields": link(S=Name.Hide, T=String("a")),
    "script link": link(S=Name.URI, URI=String("javascript:alert(1)")),
    "file link": link(S=Name.URI, URI=String("file:///etc/passwd")),
    "link of a field": field(FT=Name.Btn, A=Dictionary(S=Name.URI, URI=String("https://a.example"))),
    "3D": note(Subtype=Name("/3D"), **{"3DD": Dictionary(OnInstantiate=Dictionary())}),
    "rich media": note(Subtype=Name.RichMedia, RichMediaContent=Dictionary()),
    "screen": note(Subtype=Name.Screen),
    "sound": note(Subtype=Name.Sound),
    "movie": note(Subtype=Name.Movie),
    "attached file": note(Subtype=Name.FileAttachment),
    "annotation nobody knows": note(Subtype=Name.Brew),
    "field that reacts": field(FT=Name.Tx, AA=Dictionary(K=_script())),
    "page that reacts": lambda pdf: pdf.pages[0].obj.update(Dictionary(AA=Dictionary(O=_script()))),
    "step of a show": lambda pdf: pdf.pages[0].obj.update(Dictionary(PresSteps=Dictionary(NA=_script()))),
    "attachment": lambda pdf: pdf.attachments.update({"terms.txt": b"terms"}),
    "attachment of a page": lambda pdf: pdf.pages[0].obj.update(Dictionary(AF=Array([_enclosed(pdf)]))),
    "attachment the structure names": _noted_in_the_structure,
    "script of the document": root(Names=Dictionary(JavaScript=Dictionary(Names=Array([String("a"), _script()])))),
    "printed when opened": root(OpenAction=_script(), AA=Dictionary(WP=_script())),
    "link without a scheme": link(S=Name.URI, URI=String("www.insurer.example")),
    "link of a bookmark": root(
        Outlines=Dictionary(First=Dictionary(Title=String("a"), A=Dictionary(S=Name.Launch, F=String("a.exe"))))
    ),
    "rights of a signature": _signed_and_reacting,
}
# What no cleaning turns into a paper, and the cause that is told.
NOT_CLEANED: dict[str, tuple[Change, str]] = {
    "collection": (root(Collection=Dictionary(View=Name.D)), "a collection of attached files"),
    "form drawn by its script": (
        root(NeedsRendering=True, AcroForm=Dictionary(Fields=Array([]), XFA=String("<xdp/>"))),
        r"\(XFA\)",
    ),
    "contents elsewhere": (packed(F=String("https://a.example/x")), "contents of other files"),
    "strange packing": (packed("FlateDecode", "FlateDecode"), "packed in a way"),
    "51 pages": (_long, "at most 50 pages"),
    "a font with the name of actions": (
        lambda pdf: pdf.pages[0].obj.update(
            Dictionary(Resources=Dictionary(Font=Dictionary(AA=Dictionary(Type=Name.Font, Subtype=Name.Type1))))
        ),
        "cannot be taken out",
    ),
}
FILTERS = "ASCIIHex ASCII85 LZW Flate RunLength CCITTFax JBIG2 DCT JPX".split()
# As ReportLab and xhtml2pdf, MuPDF, and Acrobat and scanners write them.
PAIRS = {("ASCII85", "Flate"), ("ASCII85", "DCT"), ("ASCIIHex", "Flate"), ("ASCIIHex", "DCT"), ("Flate", "DCT")}


def filtered(*names: str) -> bytes:
    """Return a page whose contents are encoded with filters, the outermost first."""
    return made(packed(*(f"{name}Decode" for name in names)), compress_streams=False)
