"""The lines of iCalendar files as strangers write them, sorted by the components they belong to.

The library's own parser gives a whole file up for one odd line; here each entry stands or falls alone.
It imports only what it needs (services/calendar/ical/reading.py).
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

READ = ("VEVENT", "VFREEBUSY", "VTIMEZONE")
# Something else may stand before it on its line: a notice of PHP, an element of HTML.
_BEGIN = re.compile(r"BEGIN\s*:\s*([A-Z-]+)\s*$", re.IGNORECASE)
_END = re.compile(r"\s*END\s*:\s*([A-Z-]+)\s*$", re.IGNORECASE)
_LINE = re.compile(r'\s*([A-Za-z-]+)((?:;(?:[^":]|"[^"]*")*)?):(.*)', re.DOTALL)
_ODD_LINE = re.compile(r"\s*([A-Za-z-]+)([^:]*):(.*)", re.DOTALL)
_DATED = ("DTSTART", "DTEND", "RDATE", "EXDATE", "RECURRENCE-ID")
# Parameters without quotes may have a colon of their own: TZID=(UTC-05:00) Eastern Time.
_BEFORE_DATE = re.compile(r":(?=\s*[0-9]{4}-?[0-9]{2}-?[0-9]{2})")
# A blank in front continues the line before, but not where whole entries are indented.
_EDGE = re.compile(r"\s*(?:BEGIN|END)\s*:\s*V[A-Z]+\s*$", re.IGNORECASE)
_OWN_LINE = re.compile(r"\s*(?:DTSTART|DTEND|DURATION|RRULE|RDATE)[;:]", re.IGNORECASE)
_MARKS = (
    *((mark, "utf-32") for mark in (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)),
    *((mark, "utf-16") for mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)),
    *((text.encode(encoding), encoding) for text in ("BE", "be", "\r\n") for encoding in ("utf-16-le", "utf-16-be")),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A property: its name in capitals, its parameters with the semicolons before them, and its value."""

    name: str
    parameters: str
    value: str

    def parameter(self, name: str) -> str:
        """The value of a parameter, or ''."""
        match = re.search(rf';\s*{name}\s*=\s*(?:"([^"]*)"|([^;]*))', self.parameters, re.IGNORECASE)
        return (match[1] or match[2] or "").strip(' "') if match else ""


@dataclass(slots=True)
class Component:
    """A component: its own lines, and all lines in it as they were written."""

    kind: str
    lines: list[Line] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

    def of(self, *names: str) -> list[Line]:
        """Its lines of some names."""
        return [line for line in self.lines if line.name in names]

    def values(self, name: str) -> list[str]:
        """The values of a name, in capitals."""
        return [line.value.strip().upper() for line in self.of(name)]


@dataclass(slots=True)
class Written:
    """One VCALENDAR of a file: its own lines, its components, and whether its end is there."""

    own: Component = field(default_factory=lambda: Component("VCALENDAR"))
    parts: list[Component] = field(default_factory=list)
    is_whole: bool = False

    def of(self, kind: str) -> list[Component]:
        """Its components of a kind."""
        return [part for part in self.parts if part.kind == kind]


def decoded(body: bytes) -> str:
    """The text of a file in any encoding of Unicode."""
    encoding = next((name for mark, name in _MARKS if body.startswith(mark)), "utf-8-sig")
    return body.decode(encoding, "replace").replace("\0", "")


def calendars(text: str) -> list[Written]:
    """The calendars of a file; what is written around them and between their lines is left out."""
    results: list[Written] = []
    # Names of the components that are open, the outermost first.
    inside: list[str] = []
    for written in filter(str.strip, _unfolded(text)):
        if begin := _BEGIN.search(written):
            _open(results, inside, begin[1].upper())
        if results and inside:
            _take(results[-1], inside, written)
        if end := _END.match(written):
            kind = end[1].upper()
            if kind == "VCALENDAR" and results:
                results[-1].is_whole = True
                inside.clear()
            elif kind in inside:
                del inside[inside.index(kind) :]
    return results


def _unfolded(text: str) -> Iterator[str]:
    """The lines, whose ends may be those of any system, doubled ones too."""
    pieces: list[str] = []
    for line in re.split(r"[\r\n]+", text):
        is_edge = bool(_EDGE.match(line))
        if pieces and line[:1] in (" ", "\t") and not is_edge and not _OWN_LINE.match(line):
            pieces.append(line[1:])
            continue
        yield "".join(pieces)
        pieces = [line]
        if is_edge:
            yield line
            pieces = []
    yield "".join(pieces)


def _open(results: list[Written], inside: list[str], kind: str) -> None:
    if kind == "VCALENDAR":
        inside.clear()
        results.append(Written())
    # An entry whose end is missing ends where the next begins.
    elif kind in READ and results:
        inside[:] = ["VCALENDAR"]
        results[-1].parts.append(Component(kind))
    inside.append(kind)


def _take(calendar: Written, inside: list[str], written: str) -> None:
    """Add a line to the open component; of components nested in it, only the text is kept."""
    if inside == ["VCALENDAR"]:
        part = calendar.own
    elif calendar.parts and inside[1:2] == [calendar.parts[-1].kind]:
        part = calendar.parts[-1]
    else:
        return
    part.written.append(written.strip())
    if inside[-1] == part.kind and (line := _line(written)):
        part.lines.append(line)


def _line(written: str) -> Line | None:
    parted = _LINE.match(written) or _ODD_LINE.match(written)
    if not parted:
        return None
    name, parameters, value = parted[1].upper(), parted[2], parted[3]
    if name in _DATED and not re.match(r'\s*"?[0-9]{4}-?[0-9]', value) and (colon := _BEFORE_DATE.search(value)):
        parameters, value = f"{parameters}:{value[: colon.start()]}", value[colon.end() :]
    return Line(name, parameters, value.strip())
