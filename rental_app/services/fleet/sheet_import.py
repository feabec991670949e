"""Sheets of vehicles become drafts: what could be read of each row, and a list of what could not."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.fleet_sheet import (
    MOST_ROWS,
    TEMPLATE,
    CatalogueModel,
    Header,
    header_of,
    is_header_again,
    model_of,
    plain_text,
    read_cell,
)
from rental_app.domain.money import counted
from rental_app.domain.pricing import PLAN_NAMES
from rental_app.models import AssetModel, AssetType, ListingDraft, Manufacturer, Vehicle
from rental_app.schemas.drafts import DraftSummary, SheetProblem
from rental_app.schemas.validation import MISSING, validated
from rental_app.schemas.vehicles import AT_VENDORS, PriceIn, VehicleData
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_manager
from rental_app.services.files.checks import SheetCells
from rental_app.services.files.csv import csv_file
from rental_app.services.fleet import drafts
from rental_app.services.fleet.listing_checks import years

NO_HEADER = "No header was found: one row has to name the columns, such as Reg No, Model and Deposit"
# A list nobody reads to its end says so.
MOST_PROBLEMS = 500
_OF_MODEL = ("vehicleType", "manufacturer", "model")


class Imported(NamedTuple):
    """The drafts made of a sheet, and what could not be read."""

    drafts: Sequence[DraftSummary]
    problems: Sequence[SheetProblem]


def take(session: Session, actor: Actor, sheet: SheetCells) -> Imported:
    """Make a draft of each row of a sheet that names a vehicle, as many as there is room for.

    Raises ForbiddenError, and InvalidInputError for a sheet without a header.
    """
    throttle.count("change", actor)
    require_manager(actor)
    header = header_of(sheet.rows)
    if header is None:
        raise InvalidInputError(NO_HEADER, code="no_header", fields={"file": NO_HEADER})
    reading = _Reading(header, _catalogue(session))
    taken = dict(_numbers(session, actor))
    unstored: dict[int, list[int]] = {}
    for number, at in sheet.unstored:
        unstored.setdefault(number, []).append(at)
    forms: list[tuple[int, dict[str, str]]] = []
    for number, cells in sheet.rows:
        if number <= header.row or is_header_again(header, cells):
            continue
        form = reading.form_of(number, cells, unstored.get(number, ()))
        if form and (there := taken.get(form.get("rc_number", ""))):
            reading.note(number, there, "rc_number")
        elif form:
            forms.append((number, form))
            taken |= {form["rc_number"]: f"This is the RC number of row {number}, too"} if "rc_number" in form else {}
    made = drafts.add_all(session, actor, [form for _, form in forms])
    for number, _ in forms[len(made) :]:
        reading.note(number, f"Not taken: {drafts.TOO_MANY[0].lower()}{drafts.TOO_MANY[1:]}")
    return Imported(made[::-1], [*_about(sheet, header), *_at_most(reading.problems)])


def summary(imported: Imported) -> str:
    """What has come of it, in a sentence."""
    made = counted(len(imported.drafts), "draft") if imported.drafts else "No draft"
    problems = counted(len(imported.problems), "problem")
    return f"{made} made" + (f", {problems}" if imported.problems else "")


def template() -> bytes:
    """A table to fill in, with a line as an example."""
    return csv_file([*TEMPLATE], [[*TEMPLATE.values()]])


class _Reading:
    """Reads the rows below a header, and notes what could not be read."""

    def __init__(self, header: Header, catalogue: Sequence[CatalogueModel]) -> None:
        self.problems: list[SheetProblem] = []
        self._header, self._catalogue = header, catalogue
        self._places = {field: place for place, field in header.fields.items()}

    def note(self, row: int, message: str, field: str = "") -> None:
        """Note a problem of a row, at the column of a field if it has one."""
        column = self._header.titles.get(self._places.get(field, -1), "")
        self.problems.append(SheetProblem(row=row, column=column, message=message))

    def form_of(self, number: int, cells: Sequence[str], unstored: Sequence[int]) -> dict[str, str]:
        """What a row says, by field of the form; nothing if it names no vehicle."""
        texts = {field: plain_text(cells[place]) for place, field in self._header.fields.items() if place < len(cells)}
        texts = {field: text for field, text in texts.items() if text}
        for place in unstored:
            self.note(number, "This is a formula without a stored value", self._header.fields.get(place, ""))
        if not texts.keys() & {"rc_number", "model"}:
            if texts:
                self.note(number, "Not taken: it has neither an RC number nor a model")
            return {}
        form = self._read(number, texts) | self._model(number, texts)
        form = self._valid(number, form)
        if not form.keys() & {"rc_number", "model"}:
            self.note(number, "Not taken: neither its RC number nor its model could be read")
            return {}
        return form | {"stands": AT_VENDORS} | self._prices(number, texts)

    def _read(self, number: int, texts: Mapping[str, str]) -> dict[str, str]:
        form = {}
        for field, text in texts.items():
            if field not in _OF_MODEL and "." not in field:
                try:
                    form[field] = read_cell(field, text)
                except ValueError as error:
                    self._refuse(number, field, text, str(error))
        return form

    def _model(self, number: int, texts: Mapping[str, str]) -> dict[str, str]:
        if "model" not in texts:
            return {}
        kind, maker, model = (texts.get(name, "") for name in _OF_MODEL)
        try:
            named = model_of(self._catalogue, kind, maker, model)
        except ValueError as error:
            self._refuse(number, "model", f"{maker} {model}".strip(), str(error))
            return {}
        ids = (named.type_id, named.maker_id, named.model_id)
        return {name: str(each) for name, each in zip(_OF_MODEL, ids, strict=True)}

    def _valid(self, number: int, form: Mapping[str, str]) -> dict[str, str]:
        """The form without what no vehicle can have."""
        if form.get("year", "0") not in map(str, [0, *years()]):
            self._refuse(number, "year", form["year"], f"Enter a year from {years()[0]} to {years()[-1]}")
            form = {name: text for name, text in form.items() if name != "year"}
        try:
            validated(VehicleData, form)
        except InvalidInputError as error:
            wrong = {name: text for name, text in error.fields.items() if name in form and text != MISSING}
            for name, message in wrong.items():
                self._refuse(number, name, form[name], message)
            return {name: text for name, text in form.items() if name not in wrong}
        return dict(form)

    def _prices(self, number: int, texts: Mapping[str, str]) -> dict[str, str]:
        form: dict[str, str] = {}
        for place, plan in enumerate(PLAN_NAMES):
            row = {part: self._figure(number, f"{plan}.{part}", texts) for part in ("price", "kms_limit")}
            if any(row.values()):
                row |= {"price_name": plan, "status": "Active" if row["price"] else ""}
                form |= {f"prices.{place}.{name}": text for name, text in row.items()}
        return form

    def _figure(self, number: int, field: str, texts: Mapping[str, str]) -> str:
        if field not in texts:
            return ""
        plan, _, part = field.partition(".")
        try:
            figure = read_cell(field, texts[field])
            validated(PriceIn, {"price_name": plan, part: figure})
        except InvalidInputError as error:
            self._refuse(number, field, texts[field], error.fields.get(part, error.message))
        except ValueError as error:
            self._refuse(number, field, texts[field], str(error))
        else:
            return figure
        return ""

    def _refuse(self, number: int, field: str, text: str, message: str) -> None:
        self.note(number, f"{text[:60]}: {message}", field)


def _about(sheet: SheetCells, header: Header) -> Iterator[SheetProblem]:
    """What was left out of the sheet as a whole."""
    if sheet.others:
        names = ", ".join(name[:40] for name in sheet.others[:5])
        yield SheetProblem(row=0, column="", message=f"Only the sheet {sheet.name[:40]} was read, not {names}")
    if sheet.cut:
        yield SheetProblem(row=0, column="", message=f"Only the first {counted(MOST_ROWS, 'row')} were read")
    for title in header.unknown:
        message = "This column was not read: we do not know it, or have it already"
        yield SheetProblem(row=header.row, column=title[:100], message=message)


def _at_most(problems: Sequence[SheetProblem]) -> list[SheetProblem]:
    problems = sorted(problems, key=lambda problem: problem.row)
    more = len(problems) - MOST_PROBLEMS
    if more <= 0:
        return problems
    last = SheetProblem(row=0, column="", message=f"And {counted(more, 'more problem')}")
    return [*problems[:MOST_PROBLEMS], last]


def _catalogue(session: Session) -> list[CatalogueModel]:
    columns = [col(value) for table in (AssetType, Manufacturer, AssetModel) for value in (table.id, table.name)]
    offered = [col(table.is_retired).is_(False) for table in (AssetModel, Manufacturer, AssetType)]
    rows = session.execute(select(*columns).select_from(AssetModel).join(Manufacturer).join(AssetType).where(*offered))
    return [CatalogueModel(*row) for row in rows]


def _numbers(session: Session, actor: Actor) -> Iterator[tuple[str, str]]:
    """The RC numbers that the vendor's drafts and vehicles have, with what is said of them."""
    begun = select(col(ListingDraft.typed)["rc_number"].as_string()).where(col(ListingDraft.vendor_id) == actor.vendor)
    for number in filter(None, session.scalars(begun)):
        yield number, "You have a draft with this RC number"
    listed = select(col(Vehicle.rc_number)).where(col(Vehicle.vendor_id) == actor.vendor)
    for number in session.scalars(listed):
        yield number, "You have listed a vehicle with this RC number"
