"""What a card says of vehicles and hosts that are unlike most."""

from sqlmodel import Session

from rental_app.infrastructure.db import read, write
from rental_app.models import User, Vehicle
from rental_app.schemas.search import PageSearch
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.parts.vehicle_card.presenter import Card
from rental_app.web.screens.vehicles import presenter
from tests.support.shop import VISITOR, Shop, moment

# Of 60 letters without a space.
TELUGU = "శ్రీవెంకటేశ్వరమోటార్సైకిల్అద్దెకేంద్రం" * 2
DATES = {"pickup": wall_text(moment(4, 10)), "return_at": wall_text(moment(6, 10))}


def shown(shop: Shop, **dates: str) -> Card:
    """The card of the shop's one vehicle."""
    found = read(presenter.results, VISITOR, PageSearch(location=shop.place.name, **dates))
    return found.cards[0]


def rename(shop: Shop, name: str) -> None:
    """Give the shop's vendor another name."""
    write(lambda session: setattr(session.get_one(User, shop.vendor.id), "name", name))


def test_a_long_name_stays_whole_and_what_is_not_known_is_left_out(shop: Shop) -> None:
    rename(shop, TELUGU[:60])
    card = shown(shop)
    assert card.host == TELUGU[:60]
    assert (card.host_rating, card.host_answers, card.host_trips) == ("", "", "")
    assert (card.rating, card.rating_figures) == ("", "")
    # Without a photo there is the model's drawing, which is said.
    assert (card.is_drawing, card.more) == (True, [])
    assert card.facts[:2] == [shop.place.name, " · Illustration"]
    assert all(fact.startswith(" · ") for fact in card.facts[1:])


def test_ten_thousand_reviews_are_grouped(shop: Shop) -> None:
    def review(session: Session) -> None:
        vehicle = session.get_one(Vehicle, shop.vehicle.id)
        vehicle.stars_total, vehicle.reviews = 43_000, 10_000

    write(review)
    card = shown(shop)
    assert card.rating_figures == "4.3 (10,000)"
    assert card.rating == "4.3 of 5 from 10,000 reviews"


def test_the_price_line_begins_with_the_total_and_ends_with_the_kilometres(shop: Shop) -> None:
    dated, undated = shown(shop, **DATES), shown(shop)
    assert (dated.total, dated.price_for, dated.price_day) == ("₹1,000", "total", " · ₹500 / day")
    assert (undated.total, undated.price_for, undated.price_day) == ("", "/ day", "")
    assert dated.price_kms == undated.price_kms == " · 100 km a day"
