"""The console's lists, rows and queue as texts."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from pydantic import BaseModel

from rental_app.content.art import picture_path
from rental_app.domain import clock
from rental_app.domain.characters import initials
from rental_app.domain.money import counted, format_rupees, grouped
from rental_app.domain.pictures import Picture
from rental_app.schemas.bookings import VendorBookingView
from rental_app.services.bookings.open_balance import open_texts
from rental_app.services.console.parts import Part
from rental_app.services.console.reading import ConsolePage, ConsoleRow, LatestAct, Wanted, written
from rental_app.services.console.table import ActionField, Column, Filter, Table
from rental_app.services.console.theirs import Theirs
from rental_app.services.console.work import WorkItem, WorkKind
from rental_app.web.parts.presenters.bookings import BookingCard, booking_card

CONSOLE = "/operator"
NOTHING = "none"
# The part of a person's page that shows it as they see their own.
THEIRS = "theirs"


class CellView(BaseModel):
    """A value as text: `tone` colours a state, `faint` is what says that there is nothing."""

    label: str
    text: str
    kind: str
    tone: str = ""
    faint: bool = False


class RowView(BaseModel):
    """A row of a list: what it is called, what stands below that, and its other cells."""

    key: str
    href: str
    name: str
    under: str
    cells: list[CellView]


class HeadView(BaseModel):
    """The head of a column; `href` sorts by it, `sorted` is what `aria-sort` says."""

    label: str
    href: str
    sorted: str
    is_number: bool


class OptionView(BaseModel):
    """What a filter may be set to."""

    value: str
    label: str


class FilterView(BaseModel):
    """A filter with what it is set to, '' for nothing; `without` is the address of the list without it."""

    name: str
    label: str
    value: str
    shown: str
    without: str
    options: list[OptionView]


class GridView(BaseModel):
    """The heads and the rows of a list."""

    heads: list[HeadView]
    rows: list[RowView]


class ListView(BaseModel):
    """A page of a list."""

    name: str
    title: str
    many: str
    csv: str
    csv_label: str
    adding: str
    q: str
    filters: list[FilterView]
    owner: str
    cleared: str
    grid: GridView
    span: str
    next: str
    back: str
    empty: str
    advice: str
    drop: str
    drop_label: str


def address(table: str, wanted: Wanted, **more: str) -> str:
    """The address of a list with what was asked of it, and what replaces some of that; the first page, unless told."""
    asked = {"q": wanted.q, **wanted.filters, "sort": wanted.sort} | more
    query = urlencode({name: value for name, value in asked.items() if value})
    return f"{CONSOLE}/{table}" + (f"?{query}" if query else "")


def list_view(table: Table, wanted: Wanted, page: ConsolePage) -> ListView:
    """A page of a list as its page shows it."""
    filters = [_filter(table, each, wanted) for each in table.filters if each.options]
    # What was typed is what is looked for: a filter goes first.
    drop = max(page.without.items(), key=lambda item: (item[1] > 0, item[0] != "q", item[1]), default=("", 0))
    return ListView(
        name=table.name,
        title=table.title,
        many=f"{grouped(page.found)} of {grouped(page.whole)}" if page.found != page.whole else grouped(page.whole),
        csv=f"/api/operator/{table.name}.csv?{urlencode({'q': wanted.q, 'sort': wanted.sort, **wanted.filters})}",
        csv_label=f"CSV of these {grouped(page.found)}",
        adding=table.adding.label if table.adding else "",
        q=wanted.q,
        filters=filters,
        owner=_owner(table, wanted),
        cleared=address(table.name, Wanted(sort=wanted.sort)) if wanted.q or any(wanted.filters.values()) else "",
        grid=grid(table, page.rows, wanted, page.sort),
        span=f"{grouped(page.first + 1)} to {grouped(page.first + len(page.rows))} of {grouped(page.found)}",
        next=address(table.name, wanted, cursor=page.next) if page.next else "",
        back=address(table.name, wanted, cursor=page.back) if page.back else "",
        empty="" if page.rows else ("Nothing fits" if page.whole else "There is nothing here yet"),
        **_advice(table, wanted, drop),
    )


def _advice(table: Table, wanted: Wanted, drop: tuple[str, int]) -> dict[str, str]:
    """Which filter to drop when nothing was found, and what there is without it."""
    name, many = drop
    if not many:
        return {"advice": "", "drop": "", "drop_label": ""}
    called = f"“{wanted.q}”" if name == "q" else _set(table, name, wanted)
    return {
        "advice": f"Without {called} there {'is' if many == 1 else 'are'} {grouped(many)}.",
        "drop": address(table.name, wanted, **{name: ""}),
        "drop_label": f"Drop {called}",
    }


def _set(table: Table, name: str, wanted: Wanted) -> str:
    """What a filter is set to, in words: 'State: Blocked'."""
    chosen = next(each for each in table.filters if each.name == name)
    return f"{chosen.label}: {_shown(chosen, wanted.filters.get(name, ''))}"


def _shown(chosen: Filter, value: str) -> str:
    return next((option.label for option in chosen.options if option.value == value), value)


def _owner(table: Table, wanted: Wanted) -> str:
    """Whose rows they are, where a link asked for those of one only."""
    owners = [each.name for each in table.filters if not each.options and wanted.filters.get(each.name)]
    return ", ".join(f"{name.capitalize()} {wanted.filters[name]} only" for name in owners)


def _filter(table: Table, chosen: Filter, wanted: Wanted) -> FilterView:
    value = wanted.filters.get(chosen.name, "")
    return FilterView(
        name=chosen.name,
        label=chosen.label,
        value=value,
        shown=_shown(chosen, value) if value else "",
        without=address(table.name, wanted, **{chosen.name: ""}),
        options=[OptionView(value=option.value, label=option.label) for option in chosen.options],
    )


def grid(table: Table, rows: Iterable[ConsoleRow], wanted: Wanted, sort: str, most: int = 20) -> GridView:
    """The heads and rows of a list; of more columns than `most` only the first, and how a row stands."""
    listed = _listed(table)
    first, *others = [column for column in listed if column in listed[:most] or column.name == table.state]
    heads = [_head(table, column, wanted, sort) for column in (first, *others)]
    return GridView(heads=heads, rows=[_row(table, row, others) for row in rows])


def _listed(table: Table) -> list[Column]:
    return [column for column in table.columns if column.listed and column.name != table.under]


def _head(table: Table, column: Column, wanted: Wanted, sort: str) -> HeadView:
    is_it, down = sort.removeprefix("-") == column.name, sort.startswith("-")
    turned = f"-{column.name}" if is_it and not down else column.name
    return HeadView(
        label=column.label,
        href=address(table.name, wanted, sort=turned) if column.sortable else "",
        sorted=("descending" if down else "ascending") if is_it else ("none" if column.sortable else ""),
        is_number=column.kind in ("number", "money"),
    )


def _row(table: Table, row: ConsoleRow, columns: Sequence[Column]) -> RowView:
    return RowView(
        key=f"{table.name}-{row.id}",
        href=f"{CONSOLE}/{table.name}/{row.id}",
        name=name_of(table, row),
        under=text_of(table.column(table.under), row.values.get(table.under)) if table.under else "",
        cells=[cell(column, row.values) for column in columns],
    )


def name_of(table: Table, row: ConsoleRow) -> str:
    """What a row is called: its first column, or its id where that is blank."""
    first = table.columns[0]
    return text_of(first, row.values[first.name]) or f"{table.one} {row.id}"


def cell(column: Column, values: Mapping[str, Any]) -> CellView:
    """A value of a row as a cell."""
    value = values[column.name]
    text = text_of(column, value)
    is_nothing = text == "" or (column.kind == "money" and not value)
    tone = column.tones.get(text, "plain") if column.kind == "state" else ""
    return CellView(
        label=column.label, text=NOTHING if is_nothing else text, kind=column.kind, tone=tone, faint=is_nothing
    )


def text_of(column: Column, value: Any) -> str:
    """A value as text, '' for none."""
    if value is None:
        return ""
    if column.kind == "money":
        return format_rupees(value)
    if column.kind == "code":
        return _in_words(str(value))
    if column.kind == "month":
        return f"{date(value // 100, value % 100, 1):%B %Y}"
    if isinstance(value, datetime):
        return _written(value)
    if isinstance(value, date):
        return clock.full_day(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0 and column.name != "year":
        return grouped(value)
    return str(value)


class BadgeView(BaseModel):
    """A state as a badge."""

    text: str
    tone: str


class TabView(BaseModel):
    """A part of a row's page, with how much is there."""

    label: str
    many: str
    href: str
    here: bool


class RelatedView(BaseModel):
    """Rows of another table that belong to a row; `whole` leads to the list of all of them."""

    title: str
    whole: str
    whole_label: str
    grid: GridView


class QuestionView(BaseModel):
    """A field of an action's question."""

    name: str
    label: str
    kind: str
    required: bool
    value: str = ""
    options: list[OptionView] = []


class ActionView(BaseModel):
    """Something that may be done to a row; a press asks first."""

    name: str
    label: str
    danger: bool
    key: str
    asks: list[QuestionView]


class LatestView(BaseModel):
    """Something that was done to a row."""

    act: str
    note: str


class PaperPage(BaseModel):
    """A page of a paper, or a photo."""

    url: str
    name: str
    is_picture: bool


class PaperView(BaseModel):
    """The pages of a paper."""

    number: str
    label: str
    files: list[PaperPage]


class DetailView(BaseModel):
    """A row on its own page."""

    table: str
    id: int
    seen: str
    title: str
    back: str
    back_label: str
    under: str
    badges: list[BadgeView]
    figures: list[CellView]
    tabs: list[TabView]
    facts: list[CellView]
    related: list[RelatedView]
    latest: list[LatestView]
    actions: list[ActionView]
    # Where what the person sees of their own pages is shown; '' if they have none.
    theirs: str
    # Of a person's name, in place of a picture; '' for all else.
    initials: str
    # The documents and photos of a listing.
    papers: list[PaperView]


class TheirLine(BaseModel):
    """A booking as somebody's own list has it."""

    title: str
    under: str
    when: str
    state: str
    money: str


class TheirListView(BaseModel):
    """One of somebody's own lists."""

    title: str
    lines: list[TheirLine]
    empty: str


class TheirsView(BaseModel):
    """What somebody sees of their own pages; `told` stands in the band above."""

    told: str
    facts: list[CellView]
    lists: list[TheirListView]


def theirs_view(theirs: Theirs, instant: datetime) -> TheirsView:
    """What somebody sees of their own pages, as texts."""
    user = theirs.user
    facts = {"Name": user.name, "E-mail": user.email, "Mobile": user.phone_number, "Address": user.full_address}
    trips = [_trip(booking_card(entry.booking, entry.part, instant)) for entry in theirs.trips]
    shown = [] if user.role == "Vendor" else [_list("My Bookings", trips, "They have no bookings yet.")]
    if theirs.requests or user.role == "Vendor":
        lines = [_request(view) for view in theirs.requests]
        shown.append(_list("Manage Bookings", lines, "Nobody has booked their vehicles yet."))
    return TheirsView(
        told=f"As {user.name} sees it, now. Nothing can be changed here, and this look is recorded.",
        facts=[
            CellView(label=label, text=text or NOTHING, kind="text", faint=not text) for label, text in facts.items()
        ],
        lists=shown,
    )


def _list(title: str, lines: list[TheirLine], empty: str) -> TheirListView:
    return TheirListView(title=title, lines=lines, empty="" if lines else empty)


def _trip(card: BookingCard) -> TheirLine:
    return TheirLine(
        title=card.title,
        under=f"{card.ref} · {card.part}",
        when=f"{card.pickup} to {card.return_at}",
        state=card.stage,
        money="; ".join(part for part in (card.price, card.money) if part),
    )


def _request(view: VendorBookingView) -> TheirLine:
    return TheirLine(
        title=view.vehicle,
        under=f"{view.reference} · {view.customer_name}",
        when=f"{clock.brief(view.pickup)} to {clock.brief(view.return_at)}",
        state=view.stage.replace("_", " ") if view.status == "confirmed" else view.status,
        money="; ".join((format_rupees(view.price), *open_texts(view, for_customer=False))),
    )


def _or_blank(found: CellView) -> CellView:
    """A cell of a timeline, in which much is about nothing."""
    return found.model_copy(update={"text": ""}) if found.faint else found


def part_view(part: Part, rows: Sequence[ConsoleRow]) -> RelatedView:
    """A part of a row's page that is no list of its own."""
    heads = [HeadView(label=each.label, href="", sorted="", is_number=each.kind == "money") for each in part.columns]
    first, *others = part.columns
    lines = [
        RowView(
            key=f"{part.name}-{row.id}",
            href="",
            name=text_of(first, row.values[first.name]),
            under="",
            cells=[_or_blank(cell(column, row.values)) for column in others],
        )
        for row in rows
    ]
    return RelatedView(title=part.label, whole="", whole_label="", grid=GridView(heads=heads, rows=lines))


FEW, MANY = 5, 25
# How many columns a list has beside a row's facts.
COLUMNS_BESIDE = 5


def related_view(title: str, table: Table, wanted: Wanted, page: ConsolePage) -> RelatedView:
    """Some rows that belong to another row."""
    return RelatedView(
        title=title,
        whole=address(table.name, wanted),
        whole_label=f"All {grouped(page.found)}" if page.found > len(page.rows) else "As a list",
        grid=grid(table, page.rows, wanted, page.sort, COLUMNS_BESIDE),
    )


def detail_view(
    table: Table,
    row: ConsoleRow,
    seen: str,
    tabs: list[TabView],
    related: list[RelatedView],
    latest: list[LatestView],
    papers: list[PaperView],
) -> DetailView:
    """A row as its own page shows it."""
    name, told = table.columns[0].name, (table.under, table.state, *table.figures)
    facts = [
        column
        for column in table.columns
        if column.told and column.name not in (name, *told) and column.kind != "state"
    ]
    return DetailView(
        table=table.name,
        id=row.id,
        seen=seen,
        title=name_of(table, row),
        back=f"{CONSOLE}/{table.name}",
        back_label=table.title,
        under=text_of(table.column(table.under), row.values[table.under]) if table.under else "",
        badges=_badges(table, row),
        figures=[_figure(table.column(figure), row) for figure in table.figures],
        tabs=tabs,
        facts=[fact for fact in (cell(column, row.values) for column in facts) if not fact.faint],
        related=related,
        latest=latest,
        actions=actions_of(table, row),
        theirs=_theirs(table, row),
        initials=initials(name_of(table, row)) if table.name == "people" else "",
        papers=papers,
    )


def _figure(column: Column, row: ConsoleRow) -> CellView:
    """A sum of a row, which is zero rather than none."""
    found = cell(column, row.values)
    return found.model_copy(update={"text": format_rupees(0)}) if column.kind == "money" and found.faint else found


def _theirs(table: Table, row: ConsoleRow) -> str:
    """Where it is shown what a person sees of their own pages."""
    has_pages = table.name == "people" and row.values["role"] not in ("Guest", "Operator")
    return f"{CONSOLE}/{table.name}/{row.id}?tab={THEIRS}" if has_pages and row.values["state"] != "Erased" else ""


def latest_view(acts: Iterable[LatestAct]) -> list[LatestView]:
    """What was done to a row lately."""
    return [LatestView(act=_in_words(act.act), note=f"{_written(act.at)} · {act.who or 'somebody'}") for act in acts]


def _in_words(act: str) -> str:
    words = act.replace(".", " ").replace("_", " ")
    return words[:1].upper() + words[1:]


def _written(instant: datetime) -> str:
    told = clock.day_or_today(instant, clock.now())
    return told[:1].upper() + told[1:]


def _badges(table: Table, row: ConsoleRow) -> list[BadgeView]:
    if not table.state:
        return []
    state = cell(table.column(table.state), row.values)
    return [BadgeView(text=state.text, tone=state.tone)]


def actions_of(table: Table, row: ConsoleRow) -> list[ActionView]:
    """What may be done to a row as it stands, what is dangerous last."""
    state = row.values.get(table.state, "") if table.state else ""
    offered = [action for action in table.actions if not action.states or state in action.states]
    return [
        ActionView(
            name=action.name,
            label=action.label,
            danger=action.danger,
            key=action.key,
            asks=[_question(table, each, row) for each in action.asks],
        )
        for action in sorted(offered, key=lambda action: action.danger)
    ]


def _question(table: Table, asked: ActionField, row: ConsoleRow | None = None) -> QuestionView:
    value = written(table.column(asked.column), row) if row and asked.column else ""
    return QuestionView(name=asked.name, label=asked.label, kind=asked.kind, required=asked.required, value=value)


def with_choices(action: ActionView, choices: Mapping[str, Sequence[tuple[str, str]]]) -> ActionView:
    """An action's question with what may be chosen in it; what was chosen before stays possible, retired too."""
    return action.model_copy(update={"asks": [_with_options(each, choices.get(each.name, ())) for each in action.asks]})


def _with_options(asked: QuestionView, choices: Sequence[tuple[str, str]]) -> QuestionView:
    options = [OptionView(value=value, label=label) for value, label in choices]
    if choices and asked.value and asked.value not in {option.value for option in options}:
        options.insert(0, OptionView(value=asked.value, label="As it is (retired)"))
    return asked.model_copy(update={"options": options})


def adding_view(table: Table) -> ActionView | None:
    """The action that adds a row to a table, if there is one."""
    if table.adding is None:
        return None
    asks = [_question(table, each) for each in table.adding.asks]
    return ActionView(name=table.adding.name, label=table.adding.label, danger=False, key="", asks=asks)


class WorkItemView(BaseModel):
    """Something that waits, as a line of the queue."""

    key: str
    kind: str
    id: int
    label: str
    title: str
    note: str
    due: str
    late: bool
    done: str = ""


class KindView(BaseModel):
    """A kind of work, with how much there is of it."""

    name: str
    label: str
    many: str


class FieldView(BaseModel):
    """A fact to look at: the paper that proves it and its number, what it was at the last approval, what was found."""

    name: str
    label: str
    text: str
    kind: str
    was: str
    paper: str
    number: str = ""
    mark: str = ""


class SectionView(BaseModel):
    """The facts that one paper proves; `number` is the key that shows it."""

    title: str
    number: str
    fields: list[FieldView]


class CurrentView(BaseModel):
    """What is looked at in the queue."""

    kind: str
    table: str
    id: int
    seen: str
    title: str
    under: str
    # The vehicle that it is about: its number and its picture, '' for none.
    plate: str
    picture: str
    position: str
    href: str
    sections: list[SectionView]
    papers: list[PaperView]
    actions: list[ActionView]
    ready: list[str]


EQUAL, DIFFERS = "equal", "differs"
# What is said often when something is refused.
READY = {
    "listings": ("A photo cannot be read", "A paper has expired", "A paper is missing"),
    "requests": ("We could not reach you to confirm it", "The name differs from the account's"),
    "reviews": ("Insults or threats", "Names or numbers of people", "Not about this trip"),
}
PHOTOS = ("Front", "Left", "Right", "Back", "Tyre", "Engine")
# In the order in which papers are looked at; what none proves comes last.
PROOFS = ("RC", "Insurance", "Pollution", "Odometer Reading", "")
_TITLES = {"RC": "Registration (RC)", "Odometer Reading": "Odometer", "": "The rest"}


def plate_of(table: Table, row: ConsoleRow) -> str:
    """The number of the vehicle that a row is about, '' if it is about none."""
    return next((str(row.values[each.name] or "") for each in table.columns if each.kind == "plate"), "")


def picture_of(row: ConsoleRow) -> str:
    """The path of the picture of the vehicle that a row is: its photo, else its model's drawing; '' for other rows."""
    if "shape" not in row.values or "vehicle" not in row.values:
        return ""
    drawn = picture_path(row.values["shape"], row.values["color"], row.values["vehicle"])
    return Picture(row.values["photo"] or drawn).card


def item_view(item: WorkItem, kinds: Mapping[str, WorkKind], now: datetime) -> WorkItemView:
    """A line of the queue."""
    late = item.due < now
    return WorkItemView(
        key=f"{item.kind}-{item.id}",
        kind=item.kind,
        id=item.id,
        label=kinds[item.kind].label,
        title=_in_words(item.title) if item.kind in CODED else item.title,
        note=", ".join(part for part in (item.ref, item.note) if part),
        due=f"{_long(now - item.due)} over" if late else f"due {clock.day_or_today(item.due, now)}",
        late=late,
    )


def _long(gone: timedelta) -> str:
    """How long something is over: '2 h', '3 days'."""
    hours = int(gone / clock.HOUR)
    return f"{max(1, hours)} h" if hours < 24 else counted(hours // 24, "day")


def kinds_shown(counts: Mapping[str, int], kinds: Mapping[str, WorkKind]) -> list[KindView]:
    """The kinds of work that there is any of, after all of them."""
    some = [KindView(name=name, label=PLURALS[name], many=grouped(counts[name])) for name in kinds if counts.get(name)]
    return [KindView(name="", label="All", many=grouped(sum(counts.values()))), *some]


# What is called by a word of the program's.
CODED = ("messages", "objections")
PLURALS = {
    "listings": "Listings",
    "requests": "Changes",
    "objections": "Objections",
    "reviews": "Reviews",
    "messages": "Messages",
    "refunds": "Refunds",
    "bookings": "Blocked",
    "papers": "Documents",
}


def papers_of(files: Iterable[tuple[int, str, str]]) -> list[PaperView]:
    """The papers of a listing in the order in which they prove its facts, photos as one; files as id, group, type."""
    groups: dict[str, list[PaperPage]] = {}
    for number, group, kind in files:
        name = "Photos" if group in PHOTOS else group
        pages = groups.setdefault(name, [])
        title = group if name == "Photos" else f"{group}, page {len(pages) + 1}"
        pages.append(PaperPage(url=f"/api/operator/files/{number}", name=title, is_picture=kind.startswith("image/")))
    order = [name for name in (*PROOFS, "Photos") if name in groups]
    return [
        PaperView(number=str(position), label=_called(name, len(groups[name])), files=groups[name])
        for position, name in enumerate(order, 1)
    ]


def _called(name: str, many: int) -> str:
    if name == "Photos":
        return f"Photos {many}"
    return f"{name}, {many} pages" if many > 1 else name


def sections_of(
    table: Table, row: ConsoleRow, papers: Sequence[PaperView], before: Mapping[str, Any]
) -> list[SectionView]:
    """The facts of a row by the papers that prove them, those that none proves last."""
    numbers = {paper.label.partition(",")[0]: paper.number for paper in papers}
    by_proof: dict[str, list[FieldView]] = {}
    told = (table.columns[0].name, table.state, table.under if table.under != "plate" else "")
    for column in table.columns:
        if column.told and column.name not in told and (column.proof or not cell(column, row.values).faint):
            by_proof.setdefault(column.proof, []).append(_field(column, row, before))
    order = [proof for proof in PROOFS if proof in by_proof]
    has_proofs = len(order) > 1
    return [
        SectionView(
            title=_TITLES.get(proof, proof) if has_proofs else "",
            number=numbers.get(proof, ""),
            fields=[field.model_copy(update={"number": numbers.get(proof, "")}) for field in by_proof[proof]],
        )
        for proof in order
    ]


def _field(column: Column, row: ConsoleRow, before: Mapping[str, Any]) -> FieldView:
    was = before.get(getattr(column.value, "key", None) or "")
    text = cell(column, row.values)
    return FieldView(
        name=column.name,
        label=column.label,
        text=text.text,
        kind=column.kind,
        was=f"was {was}" if was is not None else "",
        paper=column.proof,
    )
