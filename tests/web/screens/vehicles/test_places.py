"""Anywhere, near, and the map: one choice of place in the bar, the form, the heading, the results and the address."""

from urllib.parse import parse_qsl

import pytest

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.money import counted
from rental_app.infrastructure.db import read
from rental_app.schemas.search import AvailabilityRequest, PageSearch
from rental_app.services.search.filters import FILTERS
from rental_app.web.parts.city_map.presenter import place_map
from rental_app.web.parts.presenters.links import read_query, search_url, wall_text
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.screens.vehicles import presenter
from rental_app.web.screens.vehicles.filters import sort_select
from rental_app.web.screens.vehicles.filters_presenter import CHIPS, SHEET, SORTS, filters
from rental_app.web.screens.vehicles.state import VehiclesState
from rental_app.web.session.base import SessionState
from tests.support.page_states import page_of
from tests.support.shop import VISITOR, Shop, add_vehicle, moment
from tests.support.state_tabs import answers, journey
from tests.support.visits import go

ENDS = {"pickup": wall_text(moment(4, 10)), "return_at": wall_text(moment(5, 10))}


def results(query: PageSearch) -> presenter.Results:
    return read(presenter.results, VISITOR, query)


def test_a_refused_search_says_around_which_place_it_is() -> None:
    """The running page's title says so, and the served one is made of the same results."""
    refused = presenter.refused(PageSearch(near="Madhapur", **ENDS), InvalidInputError("Not this"))
    assert (refused.near, refused.searched) == ("Madhapur", True)


def test_list_and_map_tell_the_same(shop: Shop) -> None:
    add_vehicle(shop.vendor)
    for query in (PageSearch(), PageSearch(types=("Scooter",)), PageSearch(**ENDS), PageSearch(**ENDS, max_price=900)):
        on_map = results(query.model_copy(update={"view": "map"}))
        assert on_map.on_map
        places, pins = on_map.city_map.places, on_map.city_map.pins
        assert len(places) == 13
        assert sum(int(pin.count) for pin in pins) == on_map.total
        for place in places:
            there = results(read_query(parse_qsl(place.href.partition("?")[2])))
            assert (place.figures == "none") == (there.total == 0)
            # The same map, and the place's vehicles below it or, on a list, beside it.
            assert there.city_map
            assert there.chosen == f"in {place.name}"
            assert len(there.cards) == min(there.total, 24)
            if there.total:
                cheapest = results(query.at(place.name).model_copy(update={"sort": "price"})).cards[0]
                least = cheapest.total if query.complete else cheapest.daily
                assert (place.count, place.figures) == (f": {counted(there.total, 'vehicle')} ", f"from {least}")
                assert place.number in ("", f"{there.total}"), place.name


def test_a_city_without_a_drawing_has_its_places_alone(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = results(PageSearch(view="map")).city_map
    assert drawn.ground.endswith("#ground")
    monkeypatch.setattr("rental_app.web.parts.city_map.presenter.drawing", lambda _city: None)
    bare = results(PageSearch(view="map")).city_map
    assert (bare.ground, bare.names, len(bare.places)) == ("", "", 13)
    assert place_map("Madhapur", (17.4483, 78.3915)) is None


def test_a_vehicle_is_on_the_map_at_once() -> None:
    found = place_map("Madhapur", (17.4483, 78.3915))
    assert (found.place, found.names.partition("#")[2]) == ("Madhapur", "close-names")
    assert place_map("Delhi", (28.6, 77.2)) is None, "not in this drawing"


def test_a_place_without_vehicles_names_the_nearest_that_have_some(shop: Shop) -> None:
    query = PageSearch(location="Testpur", types=("Car",), **ENDS)
    found = results(query)
    assert (found.total, len(found.elsewhere)) == (0, 4)
    first = found.elsewhere[0]
    assert "km away · " in first.note
    assert " from ₹" in first.note
    there = read_query(parse_qsl(first.href.partition("?")[2]))
    assert (there.location, there.types, there.pickup) == (first.text, ("Car",), query.pickup)
    assert results(there).total == int(first.note.split(" · ")[1].split()[0])


def test_near_a_place_everything_is_there_with_its_distance_and_the_way_back(shop: Shop) -> None:
    near = results(PageSearch(near="Madhapur"))
    assert near.total == results(PageSearch()).total
    assert near.cards[0].location == "Madhapur"
    assert near.cards[5].distance == "2 km away"
    assert near.around_text == "Only in Madhapur"
    inside = results(PageSearch(location="Madhapur"))
    assert {card.distance for card in inside.cards} == {""}
    assert inside.around_text == "Include nearby areas"
    assert read_query(parse_qsl(inside.around_url.partition("?")[2])).near == "Madhapur"
    with pytest.raises(InvalidInputError):
        results(PageSearch(near="Atlantis"))


def test_a_form_without_scripts_says_anywhere_and_near_by_its_location() -> None:
    anywhere = read_query([("pickupLocation", "anywhere"), ("pickupDate", ENDS["pickup"])])
    assert (anywhere.location, anywhere.near, anywhere.faults) == ("", "", {})
    near = read_query([("pickupLocation", "near Uppal")])
    assert (near.location, near.near) == ("", "Uppal")
    assert read_query([("view", "map")]).view == "map"
    assert read_query([("view", "globe")]).view == ""
    assert "view=map" in search_url(PageSearch(view="map"))
    assert PageSearch(near="Uppal", sort="distance", within_km=5).at("anywhere") == PageSearch()


def test_nearest_is_offered_only_where_there_is_a_place_to_start_from() -> None:
    assert str(sort_select()).count("disabled:") == len(SORTS)
    for query in (PageSearch(), PageSearch(location="Uppal"), PageSearch(near="Uppal")):
        shown = filters(query)
        assert ("distance" in [choice.value for choice in shown.sorts]) is (query != PageSearch())
        assert [name for name in SORTS if name not in shown.barred] == [choice.value for choice in shown.sorts]


def test_every_filter_narrows_is_in_the_sheet_or_the_form_and_has_a_chip() -> None:
    """A field of the search that stands nowhere else would be taken and ignored."""
    in_the_form = {"location", "near", "within_km", "pickup", "return_at", "types", "text", "sort"}
    narrows_elsewhere = {"pickup", "return_at", "near", "sort", "facets"}
    fields = set(AvailabilityRequest.model_fields)
    assert fields == set(FILTERS) | narrows_elsewhere
    assert fields - {"facets"} == set(SHEET) | in_the_form
    assert fields - {"facets", "location", "pickup", "return_at", "sort", "types"} == set(CHIPS)


def test_zero_is_a_filter_with_a_chip_too() -> None:
    chips = filters(PageSearch(max_deposit=0, min_price=0)).chips
    assert [(chip.text, chip.href) for chip in chips] == [
        ("From ₹0", "/vehicles?max_deposit=0"),
        ("Deposit up to ₹0", "/vehicles?min_price=0"),
    ]


@journey
async def test_one_choice_holds_everywhere(shop: Shop) -> None:
    page = await page_of(None, VehiclesState, "/vehicles?type=Scooter")
    session, form = await page.get_state(SessionState), await page.get_state(SearchState)
    await answers(session.start())
    await answers(page.load())
    assert (session.choice, page.results.place) == ("", "")
    assert "type=Scooter" in await answers((await page.get_state(SearchState)).choose_place("Uppal"))
    for choice, address in {"anywhere": "", "near Uppal": "&near=Uppal", "Uppal": "pickupLocation=Uppal&"}.items():
        said = await answers((await page.get_state(SearchState)).choose_place(choice))
        assert session.choice == choice
        assert address.strip("&") in said
    await answers((await page.get_state(SearchState)).choose_near("Madhapur"))
    assert (session.choice, session.selected_location) == ("near Madhapur", "Uppal"), "where one is is not stored"
    await answers((await page.get_state(SearchState)).choose_near("Atlantis"))
    assert session.choice == ""
    await answers(form.choose_pickup(ENDS["pickup"]))
    assert "Please select a location" in await answers(form.submit())
    await answers((await page.get_state(SearchState)).choose_place("anywhere"))
    assert "pickupDate" in await answers(form.submit())
    go(page._get_root_state(), search_url(PageSearch(near="Madhapur", **ENDS)))
    await answers(page.load())
    assert (session.choice, page.results.place, page.results.near) == ("near Madhapur", "", "Madhapur")
    go(page._get_root_state(), search_url(PageSearch(**ENDS, view="map")))
    await answers(page.load())
    shown = page.results.city_map.places if page.results.city_map else []
    assert (session.choice, page.results.place, len(shown)) == ("anywhere", "", 13)


@journey
async def test_only_an_address_without_a_search_is_given_the_remembered_place(shop: Shop) -> None:
    page = await page_of(None, VehiclesState, "/vehicles")
    root, session = page._get_root_state(), await page.get_state(SessionState)
    await answers(session.start())
    await answers((await page.get_state(SearchState)).choose_place("Testpur"))
    went = await answers(page.load())
    assert ("_redirect" in went, "/vehicles?pickupLocation=Testpur" in went, page.results.cards) == (True, True, [])
    go(root, "/vehicles?pickupLocation=Testpur")
    await answers(page.load())
    assert (page.results.place, page.results.total) == ("Testpur", 1)
    assert page.results.filters.kinds[0].href == "/vehicles?pickupLocation=Testpur&type=Scooter"
    # The link to a popular model leads everybody to the same vehicles.
    go(root, "/vehicles?model=Activa+6G")
    await answers(page.load())
    assert (page.results.place, page.results.total) == ("", results(PageSearch(model="Activa 6G")).total)
    go(root, "/vehicles?pickupLocation=Testpur")
    await answers(page.load())
    assert '/vehicles"' in await answers((await page.get_state(SearchState)).choose_place(""))
    go(root, "/vehicles")
    await answers(page.load())
    assert (page.results.place, page.results.total) == ("", results(PageSearch()).total)
