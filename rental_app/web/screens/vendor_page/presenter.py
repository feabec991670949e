"""A vendor's public page."""

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.characters import initials
from rental_app.domain.money import counted, grouped
from rental_app.domain.reviews import answers_within
from rental_app.infrastructure.settings import settings
from rental_app.schemas.search import ANY, PageSearch
from rental_app.schemas.wire import Page
from rental_app.services import vendors
from rental_app.services.throttle import Caller
from rental_app.services.vendors import PublicVendor
from rental_app.web.parts.presenters import heads
from rental_app.web.parts.presenters.dated_cards import dated_cards
from rental_app.web.parts.presenters.texts import Fact, lines
from rental_app.web.parts.reviews.presenter import ReviewsView, reviews_view
from rental_app.web.parts.vehicle_card.presenter import Card, card

# How many vehicles are shown at first, and how many more at a press.
VEHICLES = 60


class VendorPage(BaseModel):
    """What the page shows; `image` is blank without a picture, `more` is how many vehicles are not shown yet."""

    name: str
    initials: str
    image: str
    facts: list[Fact]
    terms: list[str]
    count_line: str
    cards: list[Card]
    more: int
    reviews: ReviewsView


def vendor_page(
    session: Session, caller: Caller, vendor_id: int, vehicles: int, reviews: int, query: PageSearch = ANY
) -> VendorPage:
    """The page of a vendor with this many vehicles and reviews, for the dates of a query if it has both.

    Raises NotFoundError.
    """
    vendor = vendors.vendor(session, caller, vendor_id, Page.first(vehicles), Page.first(reviews))
    return page_of(vendor).model_copy(update={"cards": dated_cards(session, caller, vendor.vehicles.items, query)})


def page_of(vendor: PublicVendor) -> VendorPage:
    """A vendor as the page shows them."""
    shown, total = len(vendor.vehicles.items), vendor.vehicles.total or 0
    count_line = counted(total, "vehicle") + (f", {shown} of them below" if shown < total else "")
    facts = {
        "Answers": answers_within(vendor.answers_in).capitalize() if vendor.answers_in is not None else "",
        "Trips made": grouped(vendor.trips) if vendor.trips else "",
        "Cancelled by them": f"{counted(vendor.cancelled, 'confirmed booking')} in 12 months"
        if vendor.cancelled
        else "",
        "Here since": f"{clock.indian(vendor.since):%B %Y}",
        "Hours": vendor.hours.text,
        "Closed on": ", ".join(vendor.hours.closed),
        "Delivery": "Delivers and collects vehicles" if vendor.delivers else "",
    }
    return VendorPage(
        name=vendor.name,
        initials=initials(vendor.name),
        image=vendor.image,
        facts=[Fact(label=label, value=value) for label, value in facts.items() if value],
        terms=lines(vendor.terms),
        count_line=count_line,
        cards=[card(car) for car in vendor.vehicles.items],
        more=total - shown,
        reviews=reviews_view(vendor.reviews),
    )


def head(page: VendorPage) -> heads.Head:
    """A vendor's page."""
    rating = f" Rated {page.reviews.rating} {page.reviews.count}." if page.reviews.rating else ""
    vehicles = f"{counted(len(page.cards) + page.more, 'vehicle')}, " if page.cards else ""
    return heads.Head(
        heads.named(f"{page.name}, vehicles for rent in {settings().city}"),
        f"Rent from {page.name} in {settings().city}: {vehicles}hours and terms.{rating}",
    )


def head_in_tab(page: VendorPage | None, missing: bool, problem: str) -> heads.Head:
    """A vendor's page in a tab, where the vendor has to be loaded first; `problem` says why it could not be."""
    if missing:
        return heads.missing()
    return head(page) if page else heads.of_any("/vendors/[vendor_slug]", problem)
