"""How results can be narrowed and sorted: chips, the filter sheet, and which filters to drop when nothing is left."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from rental_app.domain.money import PAISE_PER_RUPEE, counted, format_rupees
from rental_app.schemas.search import ANY, MOST_PAGES, SEATS, STARS, Facets, PageSearch
from rental_app.schemas.search import FacetCount as Counted
from rental_app.schemas.validation import label_of
from rental_app.schemas.wire import is_given
from rental_app.web.parts.presenters.links import ENDS, query_pairs, read_query, rental_of, search_url
from rental_app.web.parts.presenters.texts import Choice, Link

# In the order in which people look for them.
KINDS = ("Scooter", "Motorcycle", "Electric", "Car")
SORTS = {
    "price": "Lowest price",
    "-price": "Highest price",
    "distance": "Nearest",
    "rating": "Best rated",
    "newest": "Newest",
}
# Highest prices of a day to choose from, in rupees.
PRICES = (500, 1000, 2000, 4000)
# Of a value that cannot be read, on its chip.
LONGEST_SAID = 40
DELIVERY, UNLIMITED = "Deliver to me", "Unlimited kilometres"
# The filters of the sheet, by their names in addresses.
SHEET = (
    "min_price",
    "max_price",
    "transmission",
    "fuel",
    "seats",
    "model",
    "rating",
    "max_deposit",
    "delivery",
    "unlimited",
)
NO_FAULTS = dict.fromkeys(SHEET, "")


def sheet_errors(faults: Mapping[str, str]) -> dict[str, str]:
    """What is wrong with each field of the sheet, from what is wrong with a search; blank for nothing."""
    return {name: faults.get(name, "") for name in SHEET}


def _rupees(amount: int) -> str:
    return format_rupees(amount * PAISE_PER_RUPEE)


# How a chosen filter is worded, by field.
CHIPS: dict[str, Callable[[Any], str]] = {
    "text": lambda text: f"“{text}”",
    "transmission": str,
    "fuel": str,
    "seats": lambda least: f"{counted(least, 'seat')} or more",
    "model": str,
    "min_price": lambda rupees: f"From {_rupees(rupees)}",
    "max_price": lambda rupees: f"Up to {_rupees(rupees)}",
    "max_deposit": lambda rupees: f"Deposit up to {_rupees(rupees)}",
    "rating": lambda least: f"{least:g} {'star' if least == 1 else 'stars'} or more",
    "delivery": lambda _: DELIVERY,
    "unlimited": lambda _: "Unlimited km",
    "near": lambda place: f"Near {place}",
    "within_km": lambda km: f"Within {km:g} km",
}


class Kind(BaseModel):
    """A type of vehicle to select or deselect, with how many results it would give."""

    name: str
    count: str
    href: str
    chosen: bool


class Menu(BaseModel):
    """A filter with few choices: what it is called, or what is chosen, and its choices."""

    name: str
    label: str
    chosen: bool
    choices: list[Kind]


class FilterPanel(BaseModel):
    """What can be chosen, each choice with how many results it would give, and what is chosen.

    `barred` are the orders this search cannot have. `held` is keyed by the names in addresses, `carried` is what a
    plain form sends along; `more_url` is blank on the last page that can be requested.
    """

    kinds: list[Kind] = []
    menus: list[Menu] = []
    # The chosen filters, each with the search without it.
    chips: list[Link] = []
    fewer: list[Link] = []
    carried: list[Choice] = []
    transmissions: list[Choice] = []
    fuels: list[Choice] = []
    models: list[Choice] = []
    seats: list[Choice] = []
    ratings: list[Choice] = []
    delivery: str = DELIVERY
    unlimited: str = UNLIMITED
    sorts: list[Choice] = []
    barred: list[str] = []
    held: dict[str, str] = dict.fromkeys((*SHEET, "sort"), "")
    price_label: str = ""
    more_url: str = ""
    bare_url: str = "/vehicles"


def filters(query: PageSearch, facets: Facets | None = None, without: Mapping[str, int] | None = None) -> FilterPanel:
    """The filters of a query, with how many results each choice would give if that is known."""
    pairs, barred = query_pairs(query), [] if query.origin else ["distance"]
    entries = [*pairs, *query.unread.items()]
    # A chip for each filter, also for one that could not be read: that is the one people want to remove.
    chosen = [
        Link(text=CHIPS[name](value), href=_url_with(_less(query, name), query.unread))
        for name, value in _chosen(query)
    ]
    return FilterPanel(
        kinds=_kinds(query, facets),
        menus=_menus(query, facets),
        chips=chosen
        + [
            Link(text=_unread_text(name, text), href=_url_with(query, {**query.unread, name: ""}))
            for name, text in query.unread.items()
            if name not in ENDS
        ],
        fewer=[_fewer(query, name, count) for name, count in (without or {}).items()],
        carried=[Choice(value=value, label=name) for name, value in pairs if name not in (*SHEET, "sort", "q", "page")],
        transmissions=_options(facets.transmission if facets else [], query.transmission),
        fuels=_options(facets.fuel if facets else [], query.fuel),
        models=_options(sorted(facets.model, key=lambda choice: choice.value) if facets else [], query.model),
        seats=_least(facets.seats if facets else [], SEATS, query.seats, lambda least: f"{least:g} or more"),
        ratings=_least(facets.rating if facets else [], STARS, query.rating, CHIPS["rating"]),
        delivery=_noted(DELIVERY, facets.delivery if facets else []),
        unlimited=_noted(UNLIMITED, facets.unlimited if facets else []),
        sorts=[Choice(value=name, label=label) for name, label in SORTS.items() if name not in barred],
        barred=barred,
        held=dict.fromkeys((*SHEET, "sort"), "") | {name: value for name, value in entries if name in (*SHEET, "sort")},
        price_label=_price_label(query),
        more_url=search_url(query.model_copy(update={"page": query.page + 1})) if query.page < MOST_PAGES else "",
        bare_url=search_url(bare(query)),
    )


def _chosen(query: PageSearch) -> list[tuple[str, Any]]:
    return [(name, value) for name in CHIPS if is_given(value := getattr(query, name))]


def _url_with(query: PageSearch, unread: Mapping[str, str]) -> str:
    """The search with those of the unread values that can be read beside it."""
    return search_url(read_query([*query_pairs(query), *unread.items()]) if unread else query)


def _unread_text(name: str, text: str) -> str:
    """The words for a value that could not be read: its filter's own if it can be read alone, else the value itself."""
    alone = dict(_chosen(read_query([(name, text)])))
    return CHIPS[name](alone[name]) if name in alone else f"{label_of(name)}: {text[:LONGEST_SAID]}"


def _less(query: PageSearch, name: str) -> PageSearch:
    """A query without one of its filters, and without what makes no sense without it."""
    gone = {name, "within_km"} if name == "near" else {name}
    sort = "" if name in ("near", "location") and query.sort == "distance" else query.sort
    return query.model_copy(update={each: getattr(ANY, each) for each in gone} | {"sort": sort, "page": 1})


def bare(query: PageSearch) -> PageSearch:
    """A query without any of its filters: only where and when."""
    where = {name: getattr(query, name) for name in ("location", "pickup", "return_at", "near", "view")}
    return ANY.model_copy(update=where)


def narrowed(query: PageSearch, form: Mapping[str, Any]) -> PageSearch:
    """A query with the filters of the sheet, as its form has them."""
    others = [(name, value) for name, value in query_pairs(query) if name not in (*SHEET, "page")]
    values = ((name, form.get(name)) for name in SHEET)
    # A ticked check box may be sent as its value or as true.
    sheet = [(name, "1" if value is True else str(value)[:100]) for name, value in values if value]
    return read_query([*others, *sheet])


def _fewer(query: PageSearch, name: str, count: int) -> Link:
    value = getattr(query, name)
    called = {"location": f"in {query.location}", "types": " or ".join(query.types)}
    text = f"Without “{called.get(name) or CHIPS[name](value).strip('“”')}”"
    return Link(text=text, href=search_url(_less(query, name)), note=counted(count, "vehicle"))


def _kinds(query: PageSearch, facets: Facets | None) -> list[Kind]:
    if not facets:
        return [_kind(query, name, None) for name in KINDS]
    counts = {choice.value: choice.count for choice in facets.types}
    # Only those of the catalogue, whose types can be renamed.
    names = [name for name in KINDS if name in counts]
    return [_kind(query, name, counts[name]) for name in [*names, *(name for name in counts if name not in KINDS)]]


def _kind(query: PageSearch, name: str, count: int | None) -> Kind:
    chosen = name in query.types
    types = tuple(other for other in query.types if other != name) if chosen else (*query.types, name)
    href = search_url(query.model_copy(update={"types": types, "page": 1}))
    return Kind(name=name, count="" if count is None else str(count), href=href, chosen=chosen)


def _price_label(query: PageSearch) -> str:
    return "Price for the dates" if query.complete else "Price a day"


def _menus(query: PageSearch, facets: Facets | None) -> list[Menu]:
    """The filters that a desk has beside the types; all others, and exact prices, are in the sheet."""
    gears = {choice.value: f"{choice.count}" for choice in facets.transmission} if facets else {}
    seats = {int(choice.value): f"{choice.count}" for choice in facets.seats} if facets else {}
    window = rental_of(query)
    prices = [step * (window.days if window else 1) for step in PRICES]
    return [
        _menu(query, "transmission", "Gear", gears),
        _menu(query, "max_price", _price_label(query), dict.fromkeys(prices, "")),
        _menu(query, "seats", "Seats", seats),
    ]


def _menu(query: PageSearch, name: str, label: str, counts: Mapping[Any, str]) -> Menu:
    chosen, say = getattr(query, name), CHIPS[name]
    choices = [
        Kind(name=say(value), count=count, href=_with(query, name, value), chosen=value == chosen)
        for value, count in counts.items()
    ]
    is_chosen = is_given(chosen)
    return Menu(name=f"menu-{name}", label=say(chosen) if is_chosen else label, chosen=is_chosen, choices=choices)


def _with(query: PageSearch, name: str, value: Any) -> str:
    """The search with a filter, or without the one that it has; a highest price drops a lowest that is above it."""
    if getattr(query, name) == value:
        return search_url(_less(query, name))
    above = name == "max_price" and query.min_price is not None and query.min_price > value
    return search_url(query.model_copy(update={name: value, "page": 1} | ({"min_price": None} if above else {})))


def _options(choices: Sequence[Counted], chosen: str) -> list[Choice]:
    """The choices of a group, always including the chosen one: otherwise a form would drop it."""
    options = [Choice(value=choice.value, label=f"{choice.value} ({choice.count})") for choice in choices]
    absent = chosen and chosen not in [choice.value for choice in choices]
    return [*options, Choice(value=chosen, label=chosen)] if absent else options


def _least(
    choices: Sequence[Counted], values: Sequence[float], chosen: float | None, called: Callable[[float], str]
) -> list[Choice]:
    counts = {choice.value: f" ({choice.count})" for choice in choices}
    labels = {f"{value:g}": called(value) for value in sorted({*values, chosen or values[0]})}
    return [Choice(value=value, label=f"{text}{counts.get(value, '')}") for value, text in labels.items()]


def _noted(text: str, choices: Sequence[Counted]) -> str:
    return f"{text} ({choices[0].count})" if choices else text
