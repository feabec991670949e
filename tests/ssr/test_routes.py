"""The route table and all that follows from it."""

import pytest

from rental_app.content.routes import NO_VEHICLE, PRIVATE, ROUTES
from rental_app.reflex_patches import TEMPLATES
from rental_app.ssr import pages
from rental_app.ssr.page_cache import nothing_further
from rental_app.ssr.pages import AFRESH, DEPENDING, FILLED, STILL, further_of, server_rendered
from rental_app.web.pages import BINDINGS, PAGES, POSTS
from rental_app.web.parts.presenters import heads
from rental_app.web.session.base import PrivateState


def test_every_route_is_bound_to_a_page_and_every_page_has_a_route() -> None:
    assert {route.path for route in ROUTES} == {*BINDINGS, POSTS}
    posts = {post.path for post in heads.all_posts()}
    assert {page.route for page in PAGES} == {*BINDINGS, *posts}
    assert FILLED.keys() <= {route.path for route in ROUTES}


def test_addresses_and_texts_are_unlike() -> None:
    assert len({route.path for route in ROUTES}) == len(ROUTES)
    texts = [(route.title, route.description) for route in (*ROUTES, NO_VEHICLE)]
    assert len({description for _, description in texts}) == len(texts)
    assert all(title and description.endswith(".") for title, description in texts)


def test_a_route_knows_its_pattern_and_its_built_page() -> None:
    known = {route.path: (route.pattern, route.built) for route in ROUTES}
    assert known["/"] == ("/", "index")
    assert known["/vehicle-details/[vehicle_id]"] == ("/vehicle-details/{name}", "vehicle-details/_")
    assert known["/vendor/profile"] == ("/vendor/profile", "vendor/profile")
    assert known["/vendor/[[...splat]]"] == ("/vendor/{name:path}", "vendor/_")


def test_what_belongs_to_somebody_is_private() -> None:
    assert {"/my-bookings", "/vendor"} <= set(PRIVATE)
    assert "/404" not in PRIVATE
    assert all(route.private for route in ROUTES if route.is_vendors)
    # Their load events fill states that are cleared at logout.
    filled = f"{PrivateState.get_full_name()}."
    somebodys = {path for path, of in BINDINGS.items() for event in of.on_load if filled in event.state_full_name}
    assert [route.path for route in ROUTES if route.path in somebodys and not route.private] == []
    assert "/favourites" in somebodys
    assert all(route.icons[0] and route.icons[1] for route in ROUTES if route.is_vendors and route.menu)


def test_what_shows_the_shop_is_cached_for_one_edition_unless_it_says_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert {*AFRESH, *DEPENDING, *STILL} <= set(FILLED.values())
    for route, page in server_rendered().items():
        assert (further_of(page) is not None) == (route.path in FILLED and page not in STILL), route.path
    monkeypatch.setitem(pages.FILLED, "/new", pages.nowhere)
    assert further_of(pages.nowhere) is nothing_further


def test_pages_with_a_variable_part_are_prerendered() -> None:
    built = {f"/{route.built}" for route in ROUTES if "[" in route.path and route.path != POSTS}
    assert built | {"/404"} == set(TEMPLATES)
