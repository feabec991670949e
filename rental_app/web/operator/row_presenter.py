"""A row on its own page: facts, what belongs to it, its papers, and what somebody sees of their own pages."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus
from rental_app.domain.characters import initials
from rental_app.domain.money import format_rupees, grouped
from rental_app.services.bookings.ledger import open_texts
from rental_app.services.console.lists import ConsolePage, ConsoleRow, LatestAct, ListQuery
from rental_app.services.console.parts import OwnPages, Part
from rental_app.services.console.table import Column, Table
from rental_app.services.console.tables.people import PersonStanding
from rental_app.web.operator.action_presenter import ActionView, actions_of
from rental_app.web.operator.cells_presenter import NOTHING, CellView, cell, in_words, moment_text, name_of, text_of
from rental_app.web.operator.list_presenter import CONSOLE, NUMBERS, ColumnHeadView, GridView, RowView, address, grid
from rental_app.web.parts.presenters.bookings import BookingCard, booking_card

# The part of a person's page that shows it as they see their own.
OWN_PAGES = "theirs"


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


class LatestActView(BaseModel):
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
    # Of a listing, in place of a text under its title; '' for all else.
    plate: str
    badges: list[BadgeView]
    figures: list[CellView]
    tabs: list[TabView]
    facts: list[CellView]
    related: list[RelatedView]
    latest: list[LatestActView]
    actions: list[ActionView]
    # Where what the person sees of their own pages is shown; '' if they have none.
    own_pages: str
    # Of a person's name, in place of a picture; '' for all else.
    initials: str
    # The documents and photos of a listing.
    papers: list[PaperView]


class OwnBookingView(BaseModel):
    """A booking as somebody's own list has it."""

    title: str
    under: str
    when: str
    state: str
    money: str


class OwnListView(BaseModel):
    """One of somebody's own lists."""

    title: str
    lines: list[OwnBookingView]
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
            OwnBookingView(
                title=view.vehicle,
                under=f"{view.reference} · {view.customer_name}",
                when=f"{clock.friendly(view.pickup)} to {clock.friendly(view.return_at)}",
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


def _list(title: str, lines: list[OwnBookingView], empty: str) -> OwnListView:
    return OwnListView(title=title, lines=lines, empty="" if lines else empty)


def _trip(card: BookingCard) -> OwnBookingView:
    return OwnBookingView(
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
    heads = [
        ColumnHeadView(label=each.label, href="", sorted="", is_number=each.kind in NUMBERS) for each in part.columns
    ]
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


def related_view(title: str, table: Table, wanted: ListQuery, page: ConsolePage) -> RelatedView:
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
    latest: list[LatestActView],
    papers: list[PaperView],
) -> DetailView:
    """A row as its own page shows it."""
    name, elsewhere = table.columns[0].name, (table.under, table.state, *table.figures)
    facts = [
        column
        for column in table.columns
        if column.detailed and column.name not in (name, *elsewhere) and column.kind != "state"
    ]
    under = text_of(table.column(table.under), row.values[table.under]) if table.under else ""
    return DetailView(
        table=table.name,
        id=row.id,
        seen=seen,
        title=name_of(table, row),
        back=f"{CONSOLE}/{table.name}",
        back_label=table.title,
        under="" if table.under == "plate" else under,
        plate=under if table.under == "plate" else "",
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


def latest_view(acts: Iterable[LatestAct]) -> list[LatestActView]:
    """What was done to a row lately."""
    return [
        LatestActView(act=in_words(act.act), note=f"{moment_text(act.at)} · {act.who or 'somebody'}") for act in acts
    ]


def _badges(table: Table, row: ConsoleRow) -> list[BadgeView]:
    if not table.state:
        return []
    state = cell(table.column(table.state), row.values)
    return [BadgeView(text=state.text, tone=state.tone)]
