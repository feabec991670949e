"""The product's figures as its texts show them: copy names them in braces, only the rules define them."""

from datetime import timedelta

from rental_app.content.faq import DOCUMENTS
from rental_app.rules import cancellation, settlement
from rental_app.rules.clock import LATEST_BEFORE_RETURN, MAX_AHEAD, MAX_LENGTH, MIN_LENGTH
from rental_app.rules.expiry import LONGEST_ANSWER, SHORTEST_ANSWER
from rental_app.rules.extras import HELMET_TRIP_DAYS, SECOND_HELMET
from rental_app.rules.money import format_rupees

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
FIGURES = {
    "second_helmet": format_rupees(SECOND_HELMET),
    "helmet_days": str(HELMET_TRIP_DAYS),
    "early_hours": str(cancellation.EARLY // HOUR),
    "late_hours": str(cancellation.LATE // HOUR),
    "early_percent": str(cancellation.EARLY_PERCENT),
    "middle_percent": str(cancellation.MIDDLE_PERCENT),
    "late_percent": str(cancellation.LATE_PERCENT),
    "no_show_hours": str(cancellation.WAITING_TIME // HOUR),
    "answer_hours": str(LONGEST_ANSWER // HOUR),
    "answer_minutes": str(SHORTEST_ANSWER // MINUTE),
    "shortest_hours": str(MIN_LENGTH // HOUR),
    "longest_days": str(MAX_LENGTH.days),
    "days_ahead": str(MAX_AHEAD.days),
    "extend_hours": str(LATEST_BEFORE_RETURN // HOUR),
    "grace_minutes": str(settlement.GRACE // MINUTE),
    "most_full_days": str(settlement.MOST_FULL_DAYS),
    "object_hours": str(settlement.TIME_TO_OBJECT // HOUR),
    "speeding_fine": format_rupees(settlement.SPEEDING_PAISE),
    "refunds_from": f"{settlement.REFUNDS_FROM:%-I}",
    "refunds_to": f"{settlement.REFUNDS_TO:%-I %p}",
    # A Markdown list, so that the papers are named in one place.
    "documents": "\n".join(f"- {paper}" for paper in DOCUMENTS.points),
}


def with_figures(text: str) -> str:
    """Replace each figure's name in braces with the figure."""
    for name, figure in FIGURES.items():
        text = text.replace(f"{{{name}}}", figure)
    return text
