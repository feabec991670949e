"""The words of the shop as pages show them, with names in braces filled in."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.content.figures import filled
from rental_app.content.words import DOCUMENTS
from rental_app.services import words


class PointView(BaseModel):
    """A heading with a sentence or two; `number` counts them from 1."""

    number: int
    title: str
    text: str


class FaqView(BaseModel):
    """A question with its answer, and points below that."""

    text: str
    answer: str
    points: list[str]


class TestimonialView(BaseModel):
    """What a customer says; `initial` stands in for a face."""

    quote: str
    name: str
    initial: str
    rode: str


class CoverView(BaseModel):
    """What cancelling costs and what a rental covers."""

    free: str
    kept: str
    covered: str
    not_covered: str
    breakdown: str


def questions(session: Session, *, local: bool = False) -> list[FaqView]:
    """The questions and answers, or those alone that matter on the day."""
    rows = [row for row in _value(session, "faq") if row["local"] or not local]
    return questions_of(rows, words.figures(session))


def points(session: Session, key: str) -> list[PointView]:
    """The points under a key."""
    return points_of(_value(session, key), words.figures(session))


def lines(session: Session, key: str) -> list[str]:
    """The lines under a key."""
    figures = words.figures(session)
    return [filled(line, figures) for line in _value(session, key)]


def testimonials(session: Session) -> list[TestimonialView]:
    """What customers say."""
    return testimonials_of(_value(session, "testimonials"), words.figures(session))


def cover(session: Session) -> CoverView:
    """What cancelling costs and what a rental covers."""
    return cover_of(_value(session, "cover"), words.figures(session))


def _value(session: Session, key: str) -> Any:
    return words.newest(session, key).value


def questions_of(value: Any, figures: Mapping[str, str]) -> list[FaqView]:
    """Questions as they are stored; a point that names the documents stands for all of them."""
    return [
        FaqView(
            text=filled(row["question"], figures),
            answer=filled(row["answer"], figures),
            points=[line for point in row["points"] for line in _lines_of(point, figures)],
        )
        for row in value
    ]


def _lines_of(point: str, figures: Mapping[str, str]) -> list[str]:
    if point == f"{{{DOCUMENTS}}}":
        return [line.removeprefix("- ") for line in figures[DOCUMENTS].splitlines()]
    return [filled(point, figures)]


def points_of(value: Any, figures: Mapping[str, str]) -> list[PointView]:
    """Points as they are stored."""
    return [
        PointView(number=number, title=filled(row["title"], figures), text=filled(row["text"], figures))
        for number, row in enumerate(value, 1)
    ]


def testimonials_of(value: Any, figures: Mapping[str, str]) -> list[TestimonialView]:
    """What customers say as it is stored."""
    filled_in = [{name: filled(text, figures) for name, text in row.items()} for row in value]
    return [TestimonialView(**row, initial=row["name"][:1]) for row in filled_in]


def cover_of(value: Any, figures: Mapping[str, str]) -> CoverView:
    """What cancelling costs and what is covered as it is stored."""
    return CoverView(
        **{
            name: filled(value[key], figures)
            for name, key in (
                ("free", "free"),
                ("kept", "kept"),
                ("covered", "covered"),
                ("not_covered", "notCovered"),
                ("breakdown", "breakdown"),
            )
        }
    )
