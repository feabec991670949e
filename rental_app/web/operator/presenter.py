"""The console's lists and rows as texts."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode

import orjson
from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus
from rental_app.domain.characters import initials
from rental_app.domain.contacts import has_mailbox
from rental_app.domain.money import format_rupees, grouped
from rental_app.services.bookings.ledger import open_texts
from rental_app.services.console.lists import ConsolePage, ConsoleRow, LatestAct, Wanted, written
from rental_app.services.console.parts import OwnPages, Part
from rental_app.services.console.table import ActionField, Column, Filter, RowStanding, Table
from rental_app.services.console.tables.people import PersonStanding
from rental_app.web.parts.presenters.bookings import BookingCard, booking_card

CONSOLE = "/operator"
NOTHING = "none"
# What is longer may break anywhere.
LONGEST_WHOLE = 15
# How many columns a table has at most where there is little room, besides how a row stands.
MOST_NARROW = 5
# What is longer takes all the width of a card.
LONGEST_BESIDE = 30
# The part of a person's page that shows it as they see their own.
OWN_PAGES = "theirs"


class CellView(BaseModel):
    """A value as text: `tone` colours a state, `faint` is what says that there is nothing.

    A `whole` one stands on one line: a reference, which would break at its hyphen. A `long` one takes all of a card's
    width, and one `in_full` is nowhere else to be read. What is `spare` is left out where a table has little room.
    """

    label: str
    text: str
    kind: str
    tone: str = ""
    faint: bool = False
    whole: bool = False
    long: bool = False
    in_full: bool = False
    spare: bool = False


class RowView(BaseModel):
    """A row of a list: what it is called, what stands below that, and its other cells.

    A person's has `initials` in place of a picture, and those of vendors another colour.
    """

    key: str
    href: str
    name: str
    under: str
    cells: list[CellView]
    initials: str = ""
    is_vendor: bool = False


class HeadView(BaseModel):
    """The head of a column; `href` sorts by it, `sorted` is what `aria-sort` says."""

    label: str
    href: str
    sorted: str
    is_number: bool
    spare: bool = False


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
    adding_name: str
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
    query_values = {"q": wanted.q, **wanted.filters, "sort": wanted.sort} | more
    query = urlencode({name: value for name, value in query_values.items() if value})
    return f"{CONSOLE}/{table}" + (f"?{query}" if query else "")


Choices = Mapping[str, Sequence[tuple[str, str]]]


def list_view(table: Table, wanted: Wanted, page: ConsolePage, choices: Choices) -> ListView:
    """A page of a list as its page shows it; `choices` are those of filters that are read, by their names."""
    filters = [_filter(table, each, wanted, choices) for each in table.filters if each.options or each.choices]
    # What was typed is what is looked for: a filter goes first.
    drop = max(page.without.items(), key=lambda item: (item[1] > 0, item[0] != "q", item[1]), default=("", 0))
    return ListView(
        name=table.name,
        title=table.title,
        many=f"{grouped(page.total)} of {grouped(page.whole)}" if page.total != page.whole else grouped(page.whole),
        csv=f"/api/operator/{table.name}.csv?{urlencode({'q': wanted.q, 'sort': wanted.sort, **wanted.filters})}",
        csv_label=f"CSV of these {grouped(page.total)}" if page.total else "",
        adding=table.adding.label if table.adding else "",
        adding_name=table.adding.name if table.adding else "",
        q=wanted.q,
        filters=filters,
        owner=", ".join(_owners(table, wanted).values()),
        cleared=address(table.name, Wanted(sort=wanted.sort)) if wanted.q or any(wanted.filters.values()) else "",
        grid=grid(table, page.rows, wanted, page.sort),
        span=f"{grouped(page.first + 1)} to {grouped(page.first + len(page.rows))} of {grouped(page.total)}",
        next=address(table.name, wanted, cursor=page.next) if page.next else "",
        back=address(table.name, wanted, cursor=page.back) if page.back else "",
        empty="" if page.rows else ("Nothing fits" if page.whole else "There is nothing here yet"),
        **_advice(table, wanted, filters, drop),
    )


def _advice(table: Table, wanted: Wanted, filters: list[FilterView], drop: tuple[str, int]) -> dict[str, str]:
    """Which filter to drop when nothing was found, and what there is without it."""
    name, many = drop
    if not many:
        return {"advice": "", "drop": "", "drop_label": ""}
    words = {each.name: f"{each.label}: {each.shown}" for each in filters}
    called = ({"q": f"“{wanted.q}”"} | _owners(table, wanted) | words)[name]
    return {
        "advice": f"Without {called} there {'is' if many == 1 else 'are'} {grouped(many)}.",
        "drop": address(table.name, wanted, **{name: ""}),
        "drop_label": f"Drop {called}",
    }


def _owners(table: Table, wanted: Wanted) -> dict[str, str]:
    """Whose rows they are, where a link asked for those of one only: 'Vendor 12 only', by the names of filters."""
    linked = [each for each in table.filters if not each.options and not each.choices]
    return {each.name: f"{each.label} {value} only" for each in linked if (value := wanted.filters.get(each.name))}


def _filter(table: Table, chosen: Filter, wanted: Wanted, choices: Choices) -> FilterView:
    fixed = [(option.value, option.label) for option in chosen.options]
    options = [OptionView(value=value, label=label) for value, label in (*fixed, *choices.get(chosen.name, ()))]
    value = wanted.filters.get(chosen.name, "")
    meant = (each.label for each in options if value.casefold() in (each.value, each.label.casefold()))
    return FilterView(
        name=chosen.name,
        label=chosen.label,
        value=value,
        shown=next(meant, value),
        without=address(table.name, wanted, **{chosen.name: ""}),
        options=options,
    )


def grid(table: Table, rows: Iterable[ConsoleRow], wanted: Wanted, sort: str, most: int = 20) -> GridView:
    """The heads and rows of a list; of more columns than `most` only the first, and how a row stands."""
    listed = [column for column in table.columns if column.listed and column.name != table.under]
    first, *others = [column for column in listed if column in listed[:most] or column.name == table.state]
    spare = {column.name for column in others[MOST_NARROW - 1 :] if column.name != table.state}
    heads = [_head(table, column, wanted, sort, column.name in spare) for column in (first, *others)]
    return GridView(heads=heads, rows=[_row(table, row, others, spare) for row in rows])


def _head(table: Table, column: Column, wanted: Wanted, sort: str, spare: bool) -> HeadView:
    is_it, down = sort.removeprefix("-") == column.name, sort.startswith("-")
    turned = f"-{column.name}" if is_it and not down else column.name
    return HeadView(
        label=column.label,
        href=address(table.name, wanted, sort=turned) if column.sortable else "",
        sorted=("descending" if down else "ascending") if is_it else ("none" if column.sortable else ""),
        is_number=column.kind in ("number", "money"),
        spare=spare,
    )


def _row(table: Table, row: ConsoleRow, columns: Sequence[Column], spare: Collection[str]) -> RowView:
    return RowView(
        key=f"{table.name}-{row.id}",
        href=f"{CONSOLE}/{table.name}/{row.id}",
        name=name_of(table, row),
        under=text_of(table.column(table.under), row.values.get(table.under)) if table.under else "",
        cells=[cell(column, row.values, spare=column.name in spare) for column in columns],
        initials=initials(name_of(table, row)) if table.name == "people" else "",
        is_vendor=row.values.get("role") == "Vendor",
    )


def name_of(table: Table, row: ConsoleRow) -> str:
    """What a row is called: its first column, or its id where that is blank."""
    first = table.columns[0]
    return text_of(first, row.values[first.name]) or f"{table.one} {row.id}"


def cell(column: Column, values: Mapping[str, Any], *, spare: bool = False) -> CellView:
    """A value of a row as a cell."""
    value = values[column.name]
    text = text_of(column, value)
    is_nothing = text == "" or (column.kind == "money" and not value)
    tone = value.tone if isinstance(value, RowStanding) else ""
    return CellView(
        label=column.label,
        text=NOTHING if is_nothing else text,
        kind=column.kind,
        tone=tone,
        faint=is_nothing,
        whole=len(text) <= LONGEST_WHOLE and " " not in text,
        long=len(text) > LONGEST_BESIDE,
        spare=spare,
    )


def text_of(column: Column, value: Any) -> str:
    """A value as text, '' for none."""
    if value is None:
        return ""
    if isinstance(value, RowStanding):
        return value.label
    if column.kind == "money":
        return f"{format_rupees(-value)} to give back" if column.balance and value < 0 else format_rupees(value)
    if column.kind == "code":
        return in_words(str(value))
    if column.values:
        return "\n".join(f"{in_words(name)}: {_setting_text(each)}" for name, each in orjson.loads(value).items())
    if column.kind == "month":
        return f"{date(value // 100, value % 100, 1):%B %Y}"
    if isinstance(value, datetime):
        return moment_text(value)
    if isinstance(value, date):
        return clock.full_day(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0 and column.name != "year":
        return grouped(value)
    if isinstance(value, float):
        return str(value).removesuffix(".0")
    return str(value) if has_mailbox(str(value)) else ""


def _setting_text(value: object) -> str:
    """One of several values."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return NOTHING if value is None else str(value)


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
    """The pages of a paper, or the photos of a group; whether each look at them is written into the trail."""

    number: str
    group: str
    label: str
    files: list[PaperPage]
    recorded: bool = True


class DetailView(BaseModel):
    """A row on its own page."""

    table: str
    id: int
    seen: str
    title: str
    back: str
    back_label: str
    under: str
    # Of the row that it is a part of, '' for none.
    under_href: str
    badges: list[BadgeView]
    figures: list[CellView]
    tabs: list[TabView]
    facts: list[CellView]
    related: list[RelatedView]
    latest: list[LatestView]
    actions: list[ActionView]
    # Where what the person sees of their own pages is shown; '' if they have none.
    own_pages: str
    # Of a person's name, in place of a picture; '' for all else.
    initials: str
    # The documents and photos of a listing.
    papers: list[PaperView]


class OwnLine(BaseModel):
    """A booking as somebody's own list has it."""

    title: str
    under: str
    when: str
    state: str
    money: str


class OwnListView(BaseModel):
    """One of somebody's own lists."""

    title: str
    lines: list[OwnLine]
    empty: str


class OwnPagesView(BaseModel):
    """What somebody sees of their own pages; `band` is the text above them."""

    band: str
    facts: list[CellView]
    lists: list[OwnListView]


def own_pages_view(own_pages: OwnPages, instant: datetime) -> OwnPagesView:
    """What somebody sees of their own pages, as texts."""
    user = own_pages.user
    facts = {"Name": user.name, "E-mail": user.email, "Mobile": user.phone_number, "Address": user.full_address}
    trips = [_trip(booking_card(view, instant)) for view in own_pages.trips]
    shown = [] if user.role == "Vendor" else [_list("My Bookings", trips, "They have no bookings yet.")]
    if own_pages.requests or user.role == "Vendor":
        lines = [
            OwnLine(
                title=view.vehicle,
                under=f"{view.reference} · {view.customer_name}",
                when=f"{clock.brief(view.pickup)} to {clock.brief(view.return_at)}",
                state=in_words(view.stage if view.status == BookingStatus.CONFIRMED else view.status),
                money="; ".join((format_rupees(view.price), *open_texts(view, for_customer=False))),
            )
            for view in own_pages.requests
        ]
        shown.append(_list("Manage Bookings", lines, "Nobody has booked their vehicles yet."))
    return OwnPagesView(
        band=f"As {user.name} sees it, now. Nothing can be changed here, and this look is recorded.",
        facts=[
            CellView(label=label, text=text or NOTHING, kind="text", faint=not text) for label, text in facts.items()
        ],
        lists=shown,
    )


def _list(title: str, lines: list[OwnLine], empty: str) -> OwnListView:
    return OwnListView(title=title, lines=lines, empty="" if lines else empty)


def _trip(card: BookingCard) -> OwnLine:
    return OwnLine(
        title=card.title,
        under=f"{card.ref} · {card.part}",
        when=f"{card.pickup} to {card.return_at}",
        state=card.stage,
        money="; ".join(part for part in (card.price, card.money) if part),
    )


def _in_part(shown: CellView) -> CellView:
    """A cell of a part, whose rows have no pages of their own; of a timeline much is about nothing."""
    return shown.model_copy(update={"text": ""} if shown.faint else {"in_full": True})


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
            cells=[_in_part(cell(column, row.values)) for column in others],
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
        whole_label=f"All {grouped(page.total)}" if page.total > len(page.rows) else "As a list",
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
    name, elsewhere = table.columns[0].name, (table.under, table.state, *table.figures)
    facts = [
        column
        for column in table.columns
        if column.detailed and column.name not in (name, *elsewhere) and column.kind != "state"
    ]
    return DetailView(
        table=table.name,
        id=row.id,
        seen=seen,
        title=name_of(table, row),
        back=f"{CONSOLE}/{table.name}",
        back_label=table.title,
        under=text_of(table.column(table.under), row.values[table.under]) if table.under else "",
        under_href=f"{CONSOLE}/{table.of[0]}/{row.values[table.of[1]]}" if table.of else "",
        badges=_badges(table, row),
        figures=[_figure(table.column(figure), row) for figure in table.figures],
        tabs=tabs,
        facts=[fact for fact in (cell(column, row.values) for column in facts) if not fact.faint],
        related=related,
        latest=latest,
        actions=actions_of(table, row),
        own_pages=_own_pages(table, row),
        initials=initials(name_of(table, row)) if table.name == "people" else "",
        papers=papers,
    )


def _figure(column: Column, row: ConsoleRow) -> CellView:
    """A sum of a row, which is zero rather than none."""
    shown = cell(column, row.values)
    return shown.model_copy(update={"text": format_rupees(0)}) if column.kind == "money" and shown.faint else shown


def _own_pages(table: Table, row: ConsoleRow) -> str:
    """Where it is shown what a person sees of their own pages."""
    if table.name != "people" or row.values["state"] in (
        PersonStanding.ERASED,
        PersonStanding.GUEST,
        PersonStanding.OPERATOR,
    ):
        return ""
    return f"{CONSOLE}/{table.name}/{row.id}?tab={OWN_PAGES}"


def latest_view(acts: Iterable[LatestAct]) -> list[LatestView]:
    """What was done to a row lately."""
    return [LatestView(act=in_words(act.act), note=f"{moment_text(act.at)} · {act.who or 'somebody'}") for act in acts]


# Words of the program's that are short for several.
_INITIALS = {name: name.upper() for name in ("upi", "sms", "suv", "mpv")}


def in_words(act: str) -> str:
    if act in _INITIALS:
        return _INITIALS[act]
    words = re.sub("[._-]", " ", act)
    return words[:1].upper() + words[1:]


def moment_text(instant: datetime) -> str:
    text = clock.day_or_today(instant, clock.now())
    # The hour stays with its half of the day where a column is narrow.
    return f"{text[:1].upper()}{text[1:]}".replace(" AM", "\N{NO-BREAK SPACE}AM").replace(" PM", "\N{NO-BREAK SPACE}PM")


def _badges(table: Table, row: ConsoleRow) -> list[BadgeView]:
    if not table.state:
        return []
    state = cell(table.column(table.state), row.values)
    return [BadgeView(text=state.text, tone=state.tone)]


def actions_of(table: Table, row: ConsoleRow) -> list[ActionView]:
    """What may be done to a row as it stands, what is dangerous last."""
    state = row.values.get(table.state)
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


def _question(table: Table, field: ActionField, row: ConsoleRow | None = None) -> QuestionView:
    value = written(table.column(field.column), row) if row and field.column else ""
    return QuestionView(name=field.name, label=field.label, kind=field.kind, required=field.required, value=value)


def with_choices(action: ActionView, choices: Mapping[str, Sequence[tuple[str, str]]]) -> ActionView:
    """An action's question with what may be chosen in it; what was chosen before stays possible, retired too."""
    return action.model_copy(update={"asks": [_with_options(each, choices.get(each.name, ())) for each in action.asks]})


def _with_options(question: QuestionView, choices: Sequence[tuple[str, str]]) -> QuestionView:
    options = [OptionView(value=value, label=label) for value, label in choices]
    if choices and question.value and question.value not in {option.value for option in options}:
        options.insert(0, OptionView(value=question.value, label="As it is (retired)"))
    return question.model_copy(update={"options": options})


def adding_view(table: Table) -> ActionView | None:
    """The action that adds a row to a table, if there is one."""
    if table.adding is None:
        return None
    asks = [_question(table, each) for each in table.adding.asks]
    return ActionView(name=table.adding.name, label=table.adding.label, danger=False, key="", asks=asks)
