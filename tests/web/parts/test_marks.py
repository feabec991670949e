"""Favourites and comparisons, in tabs with and without a login, are never mixed up between users."""

import pytest
from reflex.istate.data import RouterData

from rental_app.domain.ids import MOST_FAVOURITES, read_ids, written_ids
from rental_app.infrastructure.db import read
from rental_app.models import User
from rental_app.schemas.search import PageSearch
from rental_app.web.parts.favourite_and_compare.state import CompareState, FavouritesState
from rental_app.web.parts.presenters.links import vehicle_url, wall_text
from rental_app.web.screens.compare.presenter import comparison
from rental_app.web.screens.compare.state import ComparePageState
from rental_app.web.screens.favourites.presenter import favourites
from rental_app.web.screens.favourites.state import FavouritesPageState
from rental_app.web.session.base import PrivateState, SessionState
from tests.support.shop import VISITOR, Shop, add_user, add_vehicle, count, moment, put
from tests.support.state_tabs import answers, hand_over, is_asked, journey, tab_of, told
from tests.support.within import within

Tab = FavouritesState


async def opened(user: User | None) -> Tab:
    """A tab that has loaded its first page."""
    tab = await tab_of(user, FavouritesState)
    await answers(tab.start())
    return tab


@journey
async def test_what_is_marked_before_a_login_is_taken_along_once(shop: Shop) -> None:
    other = add_vehicle(shop.vendor)
    tab = await opened(None)
    for car in (shop.vehicle, other):
        assert await told(tab.toggle(car.id, True)) == []
    assert (tab.ids, tab.kept, count("favourite")) == ([other.id, shop.vehicle.id], f"{other.id},{shop.vehicle.id}", 0)
    assert tab.answered == [other.id, 2]
    await hand_over(tab, shop.customer)
    assert "merge_after_login" in await answers(tab.start())
    await answers(tab.merge_after_login())
    assert (tab.ids, tab.kept, count("favourite")) == ([other.id, shop.vehicle.id], "", 2)
    await answers(tab.toggle(other.id, False))
    await answers(tab.start())
    assert tab.ids == [shop.vehicle.id]
    assert (await opened(shop.customer)).ids == [shop.vehicle.id]
    assert (await opened(add_user())).ids == []


@journey
async def test_a_logout_leaves_nothing_behind(shop: Shop) -> None:
    tab = await opened(shop.customer)
    await answers(tab.toggle(shop.vehicle.id, True))
    page = await tab.get_state(FavouritesPageState)
    await answers(page.load())
    compared = await tab.get_state(CompareState)
    await answers(compared.toggle(shop.vehicle.id, True))
    assert (len(page.cards), len(compared.shown)) == (1, 1)
    session = await tab.get_state(SessionState)
    await answers(session.logout())
    await answers(session.logged_out(None))
    await answers(tab.start())
    await answers(page.load())
    assert (tab.ids, page.cards, compared.ids, compared.shown) == ([], [], [], [])
    assert isinstance(tab, PrivateState)


@journey
async def test_another_login_in_the_same_tab_shows_only_its_own(shop: Shop) -> None:
    tab, other = await opened(shop.customer), add_user()
    await answers(tab.toggle(shop.vehicle.id, True))
    session = await tab.get_state(SessionState)
    await session._forget_user()
    await hand_over(tab, other)
    await answers(tab.start())
    assert tab.ids == []


@journey
async def test_what_is_refused_is_told_and_answered(shop: Shop) -> None:
    hidden = add_vehicle(shop.vendor, is_approved=False)
    for user in (None, shop.customer):
        tab = await opened(user)
        for vehicle_id in (-1, 0, 10**30):
            assert "no such vehicle" in str(await told(tab.toggle(vehicle_id, True)))
        for vehicle_id in (hidden.id or 0, 2**31 - 1):
            before = tab.answered[1]
            assert "not listed" in str(await told(tab.toggle(vehicle_id, True)))
            assert (tab.ids, tab.answered) == ([], [vehicle_id, before + 1])
    tab = await opened(None)
    tab.kept = (
        ",".join(str(number) for number in range(1, MOST_FAVOURITES + 1) if number != shop.vehicle.id)
        + f",{MOST_FAVOURITES + 1}"
    )
    assert "200 favourites" in str(await told(tab.toggle(shop.vehicle.id, True)))


@journey
async def test_an_ended_session_marks_nothing(shop: Shop) -> None:
    tab = await opened(shop.customer)
    (await tab.get_state(SessionState)).token = "forged"
    assert is_asked(await answers(tab.toggle(shop.vehicle.id, True)))
    assert (tab.ids, count("favourite")) == ([], 0)


@journey
async def test_the_page_tells_what_is_free_what_is_gone_and_what_is_like_it(shop: Shop) -> None:
    gone, like = add_vehicle(shop.vendor), add_vehicle(shop.vendor)
    tab = await opened(shop.customer)
    for car in (shop.vehicle, gone):
        await answers(tab.toggle(car.id, True))
    gone.is_active = False
    put(gone)
    page = await tab.get_state(FavouritesPageState)
    await answers(page.load())
    assert [(each.id, each.availability, each.is_free) for each in page.cards] == [(shop.vehicle.id, "Free now", True)]
    assert [each.id for each in page.gone] == [gone.id]
    assert {each.id for each in page.similar} == {shop.vehicle.id, like.id} | {each.id for each in page.similar[2:]}
    # Once unmarked, it stays on the page until that is left, so that this can be undone.
    await answers(tab.toggle(shop.vehicle.id, False))
    assert (tab.ids, [each.id for each in page.cards]) == ([gone.id], [shop.vehicle.id])


@journey
async def test_three_vehicles_are_compared_and_no_fourth(shop: Shop) -> None:
    cars = [shop.vehicle, *[add_vehicle(shop.vendor) for _ in range(3)]]
    tab = await tab_of(None, CompareState)
    for car in cars[:3]:
        assert await told(tab.toggle(car.id, True)) == []
    assert "already comparing 3 vehicles" in str(await told(tab.toggle(cars[3].id, True)))
    assert tab.ids == [car.id for car in cars[:3]]
    assert tab.address == f"/compare?ids={cars[0].id},{cars[1].id},{cars[2].id}"
    assert len(tab.shown) == 3
    await answers(tab.toggle(cars[0].id, False))
    assert (tab.ids, len(tab.shown)) == ([cars[1].id, cars[2].id], 2)
    cars[1].is_active = False
    put(cars[1])
    tab.shown = []
    await answers((await tab.get_state(FavouritesState)).start())
    assert (tab.ids, len(tab.shown)) == ([cars[2].id], 1)
    await answers(tab.clear())
    assert (tab.ids, tab.shown, tab.kept) == ([], [], "")


@journey
async def test_what_another_tab_compares_is_named_here_too(shop: Shop) -> None:
    first, second, third = shop.vehicle.id or 0, *[add_vehicle(shop.vendor).id or 0 for _ in range(2)]
    tab = await tab_of(None, CompareState)
    tab.kept = str(first)
    await answers(tab.toggle(second, True))
    assert [car.href for car in tab.shown] == [vehicle_url(first), vehicle_url(second)]
    for kept in ([first, second, third], [third, first], []):
        tab.kept = written_ids(kept)
        await answers(tab.show())
        assert [car.href for car in tab.shown] == [vehicle_url(each) for each in kept]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("1,2,3", [1, 2, 3]),
        ("3,3,1,3", [3, 1]),
        ("", []),
        ("abc,1;2, 4,-5,0,1e3,٣,2147483648,7", [7]),
        ("1," * 100_000, [1]),
        (",".join(map(str, range(1, 400))), [*range(1, MOST_FAVOURITES + 1)]),
    ],
)
def test_what_a_browser_or_an_address_says_is_read_as_ids(text: str, ids: list[int]) -> None:
    assert read_ids(text) == ids


@journey
async def test_the_comparison_of_an_address(shop: Shop) -> None:
    gone = add_vehicle(shop.vendor, is_active=False)
    cheap = add_vehicle(shop.vendor, daily=10_000)
    page = await tab_of(None, ComparePageState)

    async def asked(ids: str) -> tuple[list[int], list[int], list[str]]:
        path = f"/compare?ids={ids}"
        page._get_root_state().router = RouterData.from_router_data({"pathname": "/compare", "asPath": path})
        await answers(page.load())
        return [car.id for car in page.compared.cars], [each.id for each in page.compared.gone], page.compared.notes

    shown = [shop.vehicle.id, cheap.id]
    assert await asked(f"{shop.vehicle.id},{cheap.id}") == (shown, [], [])
    rows = {row.label: row for row in page.compared.rows} if page.compared else {}
    assert (rows["Price a day"].texts, rows["Price a day"].differs) == (["₹500", "₹100"], True)
    assert not rows["Deposit"].differs
    assert await asked(f"{shop.vehicle.id},{gone.id},{shop.vehicle.id}") == ([shop.vehicle.id], [gone.id], [])
    assert (await asked(f"{shop.vehicle.id},{cheap.id},1,2,3"))[2][0].startswith("Up to 3")
    assert await asked("2147483647,nonsense") == ([], [], ["Some vehicles in this link do not exist."])
    assert await asked("") == ([], [], [])
    # Without any in the address, those chosen in this tab.
    await answers((await page.get_state(CompareState)).toggle(cheap.id, True))
    assert (await asked(""))[0] == [cheap.id]


@pytest.mark.parametrize("ends", [("2030-01-01T10:00", "2199-12-31T10:00"), ("2030-01-05T10:00", "2030-01-01T10:00")])
def test_dates_that_nobody_can_book_are_no_dates(shop: Shop, ends: tuple[str, str]) -> None:
    """Impossible dates are ignored: pricing three hundred years, which anyone can put in a URL, took all memory."""
    query, vehicle_id = PageSearch(pickup=ends[0], return_at=ends[1]), shop.vehicle.id or 0
    with within(2):
        compared = read(comparison, VISITOR, f"{vehicle_id}", query)
        (kept,) = read(favourites, VISITOR, [vehicle_id], query).cards
    assert (compared.window, compared.rows[0].label, compared.rows[-1].texts) == ("", "Price a day", ["Free now"])
    assert kept.availability == "Free now"


def test_a_vehicle_whose_papers_run_out_is_not_free(shop: Shop) -> None:
    shop.vehicle.insurance_expiry_date = moment(4).date()
    put(shop.vehicle)
    for last, said in {4: "Free on your dates", 5: "This vehicle's documents expire before your return"}.items():
        query = PageSearch(pickup=wall_text(moment(3)), return_at=wall_text(moment(last)))
        (kept,) = read(favourites, VISITOR, [shop.vehicle.id or 0], query).cards
        assert (kept.availability, kept.is_free) == (said, last == 4)
        assert read(comparison, VISITOR, str(shop.vehicle.id), query).rows[-1].texts == [said]


def test_a_rating_is_compared_as_the_cards_say_it(shop: Shop) -> None:
    shop.vehicle.stars_total, shop.vehicle.reviews = 17, 4
    put(shop.vehicle)
    rows = read(comparison, VISITOR, str(shop.vehicle.id), PageSearch()).rows
    assert [row.texts for row in rows if row.label == "Rating"] == [["4.3 of 5 from 4 reviews"]]
