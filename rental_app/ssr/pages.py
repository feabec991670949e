"""The public pages: the subject, the content and the status of each."""

from markupsafe import Markup
from sqlmodel import Session

from rental_app.content.routes import ROUTES, Route
from rental_app.domain.errors import InvalidInputError, NotFoundError
from rental_app.domain.ids import id_in
from rental_app.infrastructure import db
from rental_app.schemas.search import ANY, PageSearch
from rental_app.schemas.wire import Page as ListPage
from rental_app.services import catalogue, vendors
from rental_app.services.pricing.promotions import left_today
from rental_app.services.search import localities
from rental_app.services.throttle import Caller
from rental_app.ssr import structured
from rental_app.ssr.answers import Page, PageAnswer, Request
from rental_app.ssr.document import fill
from rental_app.ssr.head import Subject
from rental_app.ssr.page_cache import Further, nothing_further
from rental_app.ssr.review import review
from rental_app.ssr.vehicle import vehicle
from rental_app.web.parts.presenters import heads
from rental_app.web.parts.presenters.dated_cards import dated_cards
from rental_app.web.parts.presenters.links import city_url, read_query, vendor_url
from rental_app.web.parts.reviews.presenter import FEW as FEW_REVIEWS
from rental_app.web.parts.search_form.presenter import search_form
from rental_app.web.screens.city import presenter as city_presenter
from rental_app.web.screens.compare.presenter import comparison
from rental_app.web.screens.guest_trip import presenter as guest_presenter
from rental_app.web.screens.home import presenter as home_presenter
from rental_app.web.screens.home.presenter import CityLinks, HomeView, HomeWords
from rental_app.web.screens.offers import presenter as offers_presenter
from rental_app.web.screens.texts import presenter as texts_presenter
from rental_app.web.screens.texts.presenter import TextView
from rental_app.web.screens.vehicles import presenter as vehicles_presenter
from rental_app.web.screens.vehicles.filters_presenter import sheet_errors
from rental_app.web.screens.vendor_page import presenter as vendor_presenter
from rental_app.web.screens.vendor_page.presenter import VEHICLES


def home(request: Request) -> PageAnswer:
    """The home page: the search form, the featured vehicles and the links to the localities."""
    shown, words, links, form = db.read(_home, request.caller)
    content = fill("search", "search_words", "cities", city_links_state={"links": links}, **form)
    state = {"shown": shown, "words": words, "loading": False, "problem": ""}
    content |= fill("types", "featured", "models", "why", "how", "stories", "questions", home_state=state)
    data = [structured.business(), structured.questions([*words.questions, *words.more_questions])]
    return PageAnswer("index", Subject(heads.of("/"), "/", data=data), content)


def _home(session: Session, caller: Caller) -> tuple[HomeView, HomeWords, CityLinks, dict[str, object]]:
    shown, words = home_presenter.home_view(session, caller), home_presenter.home_words(session)
    return shown, words, home_presenter.city_links(session, caller), _form(session, caller, ANY)


def _form(
    session: Session, caller: Caller, query: PageSearch, error: InvalidInputError | None = None
) -> dict[str, object]:
    """The states behind the search form."""
    places = [place.name for place in catalogue.locations(session, caller)]
    # If there are no places yet, there is none to choose from.
    choice = query.choice if (query.near or query.location or next(iter(places), "")) in places else ""
    session_state = {"locations": places, "near": query.near, "choice": choice}
    return {"search_state": search_form(query, error), "session_state": session_state}


# The places of the results, besides the search form.
RESULTS_PLACES = (
    "search_line",
    "title",
    "kinds",
    "plain_filters",
    "filter_count",
    "chips",
    "count",
    "views",
    "results",
)


def search(request: Request) -> PageAnswer:
    """The vehicles that the search in the address finds."""
    query, refusal = read_query(request.parameters), None
    try:
        results = db.read(vehicles_presenter.results, request.caller, query)
    except InvalidInputError as error:
        results, refusal = vehicles_presenter.refused(query, error), error
    form = db.read(_form, request.caller, query, refusal)
    # The names of photos do not compress, and a card shows the others only when it is swiped, by a script.
    served = results.model_copy(update={"cards": [card.model_copy(update={"more": []}) for card in results.cards]})
    shown = {"results": served, "text": query.text, "faults": sheet_errors(refusal.fields if refusal else {})}
    content = fill("search", *RESULTS_PLACES, vehicles_state=shown, **form)
    texts = heads.of("/vehicles")
    data = [structured.trail(("Vehicles", "/vehicles"))]
    # Search engines are sent to the list of all vehicles, wherever they find a search.
    data += [structured.vehicles(texts.title, results.cards)] if query == ANY else []
    return PageAnswer("vehicles", Subject(texts, "/vehicles", data=data), content)


def city(request: Request) -> PageAnswer:
    """A locality, only by its address in lower case; 404 for an unknown one."""
    if request.name != request.name.lower():
        return PageAnswer("_/bike-rentals", Subject(heads.missing(), None), moved_to=city_url(request.name.lower()))
    try:
        place = db.read(localities.city, request.caller, request.name)
    except NotFoundError:
        form = db.read(_form, request.caller, PageSearch())
        gone = fill("missing", "search", "search_words", city_state={"missing": True}, **form)
        return PageAnswer("_/bike-rentals", Subject(heads.missing(), None), gone, 404)
    cards = db.read(dated_cards, request.caller, place.vehicles, ANY)
    view = db.read(city_presenter.city_view, place).model_copy(update={"cards": cards})
    form = db.read(_form, request.caller, PageSearch(location=view.name))
    places = ("head", "search", "search_words", "vehicles", "terms", "before_ride", "nearby")
    content = fill(*places, city_state={"city": view}, **form)
    path, name = city_url(view.slug), heads.of_place(view.name)
    data = [
        structured.trail((name, path)),
        structured.fleet(f"Vehicles in {view.name}", place.vehicles),
        structured.questions(view.questions),
    ]
    return PageAnswer("_/bike-rentals", Subject(city_presenter.head(view), path, data=data), content)


def compared(request: Request) -> PageAnswer:
    """The vehicles whose ids the address names; for search engines a comparison is not a page of its own."""
    view = db.read(comparison, request.caller, dict(request.parameters).get("ids", ""), read_query(request.parameters))
    content = fill("compare", compare_page_state={"compared": view})
    data = [structured.trail(("Compare vehicles", "/compare"))]
    return PageAnswer("compare", Subject(heads.of("/compare"), "/compare", data=data), content)


def vendor(request: Request) -> PageAnswer:
    """A vendor, by the id that the address ends with; an address with a former name redirects to the current one."""
    try:
        parts = ListPage.first(VEHICLES), ListPage.first(FEW_REVIEWS)
        profile = db.read(vendors.vendor, request.caller, id_in(request.name), *parts)
    except NotFoundError:
        gone = fill("vendor", vendor_page_state={"vendor": None, "missing": True})
        return PageAnswer("vendors/_", Subject(heads.missing(), None), gone, 404)
    path = vendor_url(profile.slug)
    if request.name != profile.slug:
        return PageAnswer("vendors/_", Subject(heads.missing(), None), moved_to=path)
    cards = db.read(dated_cards, request.caller, profile.vehicles.items, ANY)
    view = vendor_presenter.page_of(profile).model_copy(update={"cards": cards})
    data = [structured.vendor(profile), structured.trail((profile.name, path))]
    subject = Subject(vendor_presenter.head(view), path, profile.image, profile.name, kind="profile", data=data)
    return PageAnswer("vendors/_", subject, fill("vendor", vendor_page_state={"vendor": view}))


def guest_trip(request: Request) -> PageAnswer:
    """A guest's booking, by its secret; 404 for a wrong one, or one that has ended."""
    try:
        trip = db.read(guest_presenter.guest_trip, request.caller, request.name)
    except NotFoundError:
        gone = fill("trip", guest_trip_state={"trip": None, "missing": True})
        return PageAnswer("trip/_", Subject(heads.missing(), None), gone, 404)
    content = fill("trip", guest_trip_state={"trip": trip, "missing": False})
    return PageAnswer("trip/_", Subject(heads.of("/trip/[secret]"), None), content)


def all_offers(request: Request) -> PageAnswer:
    """The offers in force."""
    cards, steps = db.read(offers_presenter.in_force, request.caller), db.read(offers_presenter.steps)
    content = fill("offers", offers_state={"cards": cards, "steps": steps, "failed": False})
    data = [structured.trail(("Offers", "/offers"))]
    return PageAnswer("offers", Subject(heads.of("/offers"), "/offers", data=data), content)


def built_whole(route: Route) -> Page:
    """A page that needs nothing added but its head; a private one gets its content by its own scripts."""

    def answer(_request: Request) -> PageAnswer:
        path = None if route.private else route.path
        data = [] if route.private else [structured.trail((heads.name(route.path), route.path))]
        return PageAnswer(route.built, Subject(heads.of(route.path), path, data=data))

    return answer


def post(request: Request) -> PageAnswer:
    """A post; 404 for one that is not there."""
    article = next((post for post in heads.all_posts() if post.slug == request.name), None)
    if article is None:
        return nowhere(request)
    data = [structured.article(article), structured.trail(("Blog", "/blog"), (article.title, article.path))]
    subject = Subject(heads.post(article), article.path, kind="article", data=data)
    content = fill(
        "post_text", text_state={"shown": _as_html(db.read(texts_presenter.post, request.caller, article.slug))}
    )
    return PageAnswer(article.path.strip("/"), subject, content)


def terms(request: Request) -> PageAnswer:
    """The terms in force, or the version that the address names; 404 for one that there is not.

    Search engines keep those in force alone.
    """
    built, texts = "terms/_" if request.name else "terms", heads.of("/terms")
    try:
        shown = db.read(texts_presenter.terms, request.caller, request.name)
    except NotFoundError:
        gone = fill("terms_text", text_state={"shown": None, "missing": True})
        return PageAnswer(built, Subject(heads.missing(), None), gone, 404)
    content = fill("terms_text", text_state={"shown": _as_html(shown), "missing": False})
    data = [] if request.name else [structured.trail(("Terms", "/terms"))]
    return PageAnswer(built, Subject(texts, None if request.name else "/terms", data=data), content)


def _as_html(shown: TextView) -> dict[str, object]:
    """A text whose HTML, made from Markdown in which HTML is text, is not escaped."""
    return {**shown.model_dump(), "html": Markup(shown.html)}  # noqa: S704


def nowhere(_request: Request) -> PageAnswer:
    """An address at which there is nothing."""
    return PageAnswer("404", Subject(heads.missing(), None), status=404)


def not_in_the_vendor_area(_request: Request) -> PageAnswer:
    """An address below the vendor area at which there is nothing; its page has the vendor's frame."""
    return PageAnswer("vendor/_", Subject(heads.missing(), None), status=404)


def operators_alone(route: Route) -> Page:
    """A page of the console: 404 with the built page, as the server does not know who asks; its scripts show it to
    operators."""

    def answer(_request: Request) -> PageAnswer:
        return PageAnswer(route.built, Subject(heads.missing(), None), status=404)

    return answer


CONSOLE = {route.path: operators_alone(route) for route in ROUTES if route.is_operators}
# The pages that the server fills; the others are complete as they are built.
FILLED: dict[str, Page] = {
    "/": home,
    "/vehicles": search,
    "/vehicle-details/[vehicle_id]": vehicle,
    "/vehicle-details/[vehicle_id]/review": review,
    "/compare": compared,
    "/offers": all_offers,
    "/blog/[post]": post,
    "/terms": terms,
    "/terms/[terms_named]": terms,
    "/[city_slug]/bike-rentals": city,
    "/vendors/[vendor_slug]": vendor,
    "/trip/[secret]": guest_trip,
    "/vendor/[[...splat]]": not_in_the_vendor_area,
    **CONSOLE,
}

# What is cached of a page in FILLED lasts for one edition of the shop. These depend on more: the last use of an offer
# removes it from the list.
DEPENDING: dict[Page, Further] = {all_offers: left_today}
# This shows nothing of the shop, like all that are built whole.
STILL = (not_in_the_vendor_area,)
# The pages that bookings change: a vehicle compared or about to be requested may be taken, a vendor has made one
# more trip. A guest's booking and the console are in no cache.
AFRESH = (compared, vendor, review, guest_trip, *CONSOLE.values())


def further_of(page: Page) -> Further | None:
    """What the cached answers of a page depend on besides the edition; None if it shows nothing of the shop."""
    return DEPENDING.get(page, nothing_further) if page in FILLED.values() and page not in STILL else None


def server_rendered() -> dict[Route, Page]:
    """Every route with the page that answers it."""
    return {route: FILLED.get(route.path) or built_whole(route) for route in ROUTES if route.path != "/404"}
