"""Long texts as their pages show them."""

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.content import legal
from rental_app.domain.errors import NotFoundError
from rental_app.services import words
from rental_app.services.throttle import Caller
from rental_app.web.parts.presenters import heads
from rental_app.web.parts.presenters.texts import Link


class TextView(BaseModel):
    """A text: its HTML below its heading.

    Of the terms also which version they are, whether that is `past`, and links to the others.
    """

    heading: str
    html: str
    version: str = ""
    past: bool = False
    others: list[Link] = []


def terms(session: Session, caller: Caller, version: str = "") -> TextView:
    """A version of the terms, or those in force; raises NotFoundError."""
    found = words.terms(session, caller, version)
    heading, html = legal.parted(found.text)
    others = [Link(text=name, href=terms_url(name)) for name in found.versions if name != found.version]
    return TextView(heading=heading, html=html, version=found.version, past=not found.in_force, others=others)


def terms_url(version: str) -> str:
    """The address of a version of the terms."""
    return f"/terms/{version}"


def post(session: Session, caller: Caller, slug: str) -> TextView:
    """A post of the blog; raises NotFoundError."""
    article = next((post for post in heads.all_posts() if post.slug == slug), None)
    if article is None:
        raise NotFoundError("There is no such post")
    return TextView(heading=article.title, html=article.html(words.figures_for(session, caller)))
