"""The public pages: what each is about, what goes into it, and with what status it answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rental_app import db
from rental_app.content.faq import FAQ, HOUSE_RULES, LOCAL_FAQ
from rental_app.content.marketing import OFFER_STEPS
from rental_app.content.titles import BUILT_WHOLE
from rental_app.errors import InvalidInputError, NotFoundError, RentalError
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.cards import Price, VehiclePage
from rental_app.schemas.city import CityView
from rental_app.schemas.vehicles import PublicVehicle
from rental_app.served import structured
from rental_app.served.content import render
from rental_app.served.head import Subject
from rental_app.services import bookings, shop
from rental_app.services.throttle import Caller
from rental_app.settings import settings
from rental_app.views import cities, heads, offers, vehicles
from rental_app.views.bookings import price_text
from rental_app.views.links import Query, city_url, read_query, shown, vehicle_url
from rental_app.views.vehicles import Results, vehicle_page


@dataclass(frozen=True, slots=True)
class Answer:
    """A built page by its name, what it is about, the HTML for its places, and the status; or the path that it has."""

    page: str
    subject: Subject
    content: dict[str, str] = field(default_factory=dict)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    moved_to: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """What an address asks for: its variable part, its parameters, and who asks."""

    caller: Caller
    name: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)


Page = Callable[[Request], Answer]


def home(request: Request) -> Answer:
    """The home page: the featured vehicles and the links to the localities."""
    caller = request.caller
    cards, links = db.read(lambda session: (vehicles.featured(session, caller), cities.city_links(session, caller)))
    data = [structured.business(), structured.questions(FAQ)]
    content = {"featured": render("featured", cards=cards) if cards else "", "cities": render("cities", links=links)}
    return Answer("index", Subject(heads.of("/"), "/", data=data), content)


def search(request: Request) -> Answer:
    """The vehicles that the search in the address gives."""
    query, problem, found = read_query(request.parameters), "", Results([], 0)
    try:
        found = db.read(vehicles.results, request.caller, query, query.location)
    except InvalidInputError as error:
        problem = error.message
    content = {
        "title": render("title", place=query.location),
        "count": render("count", line=_counted(found) if not problem else ""),
        "results": render("results", found=found, problem=problem),
    }
    texts = heads.of("/vehicles")
    data = [structured.trail(("Vehicles", "/vehicles")), structured.vehicles(texts.title, found.cards)]
    return Answer("vehicles", Subject(texts, "/vehicles", data=data), content)


def _counted(found: Results) -> str:
    return vehicles.count_line(len(found.cards), found.total)


def vehicle(request: Request) -> Answer:
    """A vehicle, with the price of the window in the address; 404 for one that is not listed."""
    try:
        car = db.read(shop.public_view, request.caller, _number(request.name))
    except NotFoundError:
        gone = {"vehicle": render("no_vehicle")}
        return Answer("vehicle-details/_", Subject(heads.missing_vehicle(), None), gone, 404)
    view, query = vehicle_page(car, settings().city), read_query(request.parameters)
    price, refusal = _price(request.caller, car, query)
    chosen = {"pickup": shown(query.pickup), "return_at": shown(query.return_at)}
    said = {"price": price, "refusal": refusal, "delivery_note": vehicles.DELIVERY_NOTE}
    content = render("vehicle", car=view, **said, **chosen)
    return Answer("vehicle-details/_", _about(car, view), {"vehicle": content})


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _price(caller: Caller, car: PublicVehicle, query: Query) -> tuple[Price | None, str]:
    """The price of a window, or why it cannot be had; neither without a window."""
    if not query.pickup or not query.return_at:
        return None, ""
    wanted = BookingRequest(car=car.id, pickup=query.pickup, return_at=query.return_at)
    try:
        return price_text(db.read(bookings.quote_for, caller, wanted)), ""
    except RentalError as error:
        return None, error.message


def _about(car: PublicVehicle, view: VehiclePage) -> Subject:
    path, texts = vehicle_url(car.id, Query()), heads.vehicle(view)
    data = [
        structured.vehicle(car, texts.description),
        structured.trail(("Vehicles", "/vehicles"), (view.title, path)),
    ]
    return Subject(texts, path, car.image, f"{view.title}, {view.color}", "product", data)


def city(request: Request) -> Answer:
    """A locality, by its address in small letters only; 404 for one that is not known."""
    if request.name != request.name.lower():
        return Answer("_/bike-rentals", Subject(heads.missing(), None), moved_to=city_url(request.name.lower()))
    try:
        found = db.read(cities.city, request.caller, request.name)
    except NotFoundError:
        return Answer("_/bike-rentals", Subject(heads.missing(), None), {"missing": render("no_city")}, 404)
    content = {
        "head": render("city_head", city=found),
        "vehicles": render("city_vehicles", city=found),
        "terms": render("city_terms", city=found, rules=HOUSE_RULES),
        "nearby": render("city_nearby", city=found),
    }
    return Answer("_/bike-rentals", _about_city(found), content)


def _about_city(found: CityView) -> Subject:
    path, name = city_url(found.slug), f"Bike on rent in {found.name}"
    data = [
        structured.trail((name, path)),
        structured.vehicles(f"Vehicles in {found.name}", found.cards),
        structured.questions(LOCAL_FAQ),
    ]
    return Subject(heads.city(found), path, data=data)


def all_offers(request: Request) -> Answer:
    """The offers in force."""
    found = db.read(offers.in_force, request.caller)
    content = {"offers": render("offers", offers=found, steps=OFFER_STEPS)}
    data = [structured.trail(("Offers", "/offers"))]
    return Answer("offers", Subject(heads.of("/offers"), "/offers", data=data), content)


def built_whole(path: str) -> Page:
    """A page to which nothing has to be added but its head."""

    def answer(_request: Request) -> Answer:
        data = [structured.trail((heads.name(path), path))]
        return Answer(path.strip("/"), Subject(heads.of(path), path, data=data))

    return answer


def post(request: Request) -> Answer:
    """A post; 404 for one that is not there."""
    found = next((post for post in heads.all_posts() if post.slug == request.name), None)
    if found is None:
        return Answer("404", Subject(heads.missing(), None), status=404)
    data = [structured.article(found), structured.trail(("Blog", "/blog"), (found.title, found.path))]
    return Answer(found.path.strip("/"), Subject(heads.post(found), found.path, kind="article", data=data))


def my_bookings(_request: Request) -> Answer:
    """A customer's bookings, which come with the page's own scripts."""
    return Answer("my-bookings", Subject(heads.of("/my-bookings"), None))


@dataclass(frozen=True, slots=True)
class Route:
    """A page's path, its function, and what answers in its place while a part of the system is away."""

    path: str
    page: Page
    shell: str
    texts: str


ROUTES = (
    Route("/", home, "index", "/"),
    Route("/vehicles", search, "vehicles", "/vehicles"),
    Route("/vehicle-details/{name}", vehicle, "vehicle-details/_", "/vehicle-details/[vehicle_id]"),
    Route("/offers", all_offers, "offers", "/offers"),
    *(Route(path, built_whole(path), path.strip("/"), path) for path in BUILT_WHOLE),
    Route("/blog/{name}", post, "404", "/404"),
    Route("/my-bookings", my_bookings, "my-bookings", "/my-bookings"),
    Route("/{name}/bike-rentals", city, "_/bike-rentals", "/[city_slug]/bike-rentals"),
)
