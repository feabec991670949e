"""Titles and descriptions of pages; those of a vehicle, a vendor or a locality are their own screens'."""

from dataclasses import dataclass

from rental_app.content.posts import Post, posts
from rental_app.content.routes import BY_PATH, NO_VEHICLE, Route
from rental_app.infrastructure.settings import settings
from rental_app.web.parts.presenters.texts import fill


@dataclass(frozen=True, slots=True)
class Head:
    """A page's title in the browser's tab, and its description for search engines."""

    title: str
    description: str


UNKNOWN = Head("", "")
SOCIAL_IMAGE = "/social.png"


def of(route: str) -> Head:
    """The head of a page whose title never varies, or of any page of its kind."""
    return _filled(BY_PATH[route])


def missing() -> Head:
    """An address with nothing there."""
    return of("/404")


def missing_vehicle() -> Head:
    """A vehicle that is not listed."""
    return _filled(NO_VEHICLE)


def post(article: Post) -> Head:
    """A post of the blog."""
    return Head(named(article.title), article.summary)


def of_any(route: str, problem: str) -> Head:
    """The head of a page whose own is not known yet: that of its kind if it could not be loaded, as it is served then.

    `problem` says why it could not be.
    """
    return of(route) if problem else UNKNOWN


def of_place(name: str) -> str:
    """What the page of a locality, or of the city, is called."""
    return f"Bike on rent in {name}"


def all_posts() -> tuple[Post, ...]:
    """The posts of the blog, newest first."""
    return posts(settings().product_name, settings().city)


def name(route: str) -> str:
    """The name of a page in a breadcrumb trail: its title without the product's name."""
    return fill(BY_PATH[route].name)


def _filled(route: Route) -> Head:
    return Head(fill(route.title), fill(route.description))


def named(text: str) -> str:
    """A title with the product's name."""
    return f"{text} | {settings().product_name}"
