"""What the home page shows of the shop: vehicles, models and localities."""

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.domain.money import counted, format_rupees, grouped
from rental_app.schemas.search import ANY, AvailabilityRequest, PageRequest, PageSearch
from rental_app.services import catalogue
from rental_app.services.search import listings
from rental_app.services.throttle import Caller
from rental_app.web.parts.presenters import heads, words
from rental_app.web.parts.presenters.dated_cards import dated_cards
from rental_app.web.parts.presenters.links import city_url, search_url
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.presenters.words import FaqView, PointView, TestimonialView
from rental_app.web.parts.vehicle_card.presenter import Card

FEATURED, MODELS = 3, 8
# The types that the page draws.
TYPES = ("Scooter", "Motorcycle", "Electric", "Car")
# Two lines on a phone.
SHOWN = 4
# Those that a phone shows at first.
QUESTIONS = 3


class ModelLink(Link):
    """A model with its drawing."""

    drawing: str


class HomeView(BaseModel):
    """What the home page shows of the shop; `counts` says how many vehicles there are of each type."""

    featured: list[Card] = []
    models: list[ModelLink] = []
    counts: dict[str, str] = dict.fromkeys(TYPES, "")


class HomeWords(BaseModel):
    """The words of the page that operators edit; a phone folds away `more_questions` under the `fold_line`."""

    why: list[PointView]
    how: list[PointView]
    stories: list[TestimonialView]
    questions: list[FaqView]
    more_questions: list[FaqView]
    fold_line: str


class CityLinks(BaseModel):
    """Links to localities' pages: those that a phone shows, and those that it folds away."""

    shown: list[Link] = []
    folded: list[Link] = []
    fold_line: str = ""


def featured(session: Session, caller: Caller, query: PageSearch = ANY) -> list[Card]:
    """Three vehicles that operators put first, or the shop's first, for the dates of a query if it has both."""
    return dated_cards(session, caller, listings.featured(session, caller, FEATURED), query)


def popular_models(session: Session, caller: Caller, query: PageSearch = ANY) -> list[ModelLink]:
    """The models that many offer, with the lowest price of a day, linked for the dates of a query."""
    return [
        ModelLink(
            text=each.cheapest.title,
            href=search_url(query.model_copy(update={"model": each.cheapest.model_name})),
            note=f"from {format_rupees(each.cheapest.daily_paise)} a day",
            drawing=each.cheapest.drawing,
        )
        for each in listings.popular(session, caller, MODELS)
    ]


def type_counts(session: Session, caller: Caller) -> dict[str, str]:
    """How many vehicles there are of each type that the page draws; '' for one that the catalogue does not have."""
    request = AvailabilityRequest(facets=True)
    facets = listings.listed(session, caller, request, PageRequest(limit=1)).facets
    counts = {choice.value: grouped(choice.count) for choice in facets.types} if facets else {}
    return {name: counts.get(name, "") for name in TYPES}


def home_view(session: Session, caller: Caller, query: PageSearch = ANY) -> HomeView:
    """What the home page shows of the shop, for the dates of a query if it has both."""
    return HomeView(
        featured=featured(session, caller, query),
        models=popular_models(session, caller, query),
        counts=type_counts(session, caller),
    )


def home_words(session: Session) -> HomeWords:
    """The words of the page."""
    questions = words.questions(session)
    return HomeWords(
        why=words.points(session, "why"),
        how=words.points(session, "how"),
        stories=words.testimonials(session),
        questions=questions[:QUESTIONS],
        more_questions=questions[QUESTIONS:],
        fold_line=counted(len(questions) - QUESTIONS, "more question") if len(questions) > QUESTIONS else "",
    )


def city_links(session: Session, caller: Caller) -> CityLinks:
    """A link to the page of each locality."""
    places = catalogue.locations(session, caller)
    links = [Link(text=heads.of_place(place.name), href=city_url(place.slug)) for place in places]
    shown, folded = links[:SHOWN], links[SHOWN:]
    return CityLinks(shown=shown, folded=folded, fold_line=counted(len(folded), "more locality", "more localities"))
