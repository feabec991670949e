"""The product's figures as its texts show them: copy names them in braces.

The rules define them; those that no rule needs, as vendors set them for each vehicle, are defined here.
"""

from datetime import datetime, timedelta

from rental_app.content.faq import DOCUMENTS
from rental_app.domain import cancellation, settlement
from rental_app.domain.bookings import LONGEST_ANSWER, SHORTEST_ANSWER
from rental_app.domain.clock import HOUR, INDIA, LATEST_BEFORE_RETURN, MAX_AHEAD, MAX_LENGTH, MIN_LENGTH
from rental_app.domain.money import format_rupees
from rental_app.domain.papers import WARNING_DAYS
from rental_app.domain.pricing import HELMET_TRIP_DAYS, SECOND_HELMET
from rental_app.domain.reviews import TIME_TO_REVIEW

MINUTE = timedelta(minutes=1)
# A rent paid in full that is cancelled so long before the pickup: on Tuesday, Thursday or Friday before a Saturday.
EXAMPLE_PAISE = 2_000_00
_PICKUP = datetime(2026, 11, 7, 10, tzinfo=INDIA)
EXAMPLES = {"early": timedelta(hours=88), "middle": timedelta(hours=46), "late": timedelta(hours=16)}


def _examples() -> dict[str, str]:
    figures = {"example_rent": format_rupees(EXAMPLE_PAISE)}
    for name, left in EXAMPLES.items():
        rent = dict.fromkeys(("agreed", "charged", "paid"), EXAMPLE_PAISE)
        terms = cancellation.terms(_PICKUP, _PICKUP - left, **rent, deposit=0)
        figures[f"example_{name}_hours"] = str(left // HOUR)
        figures[f"example_{name}_kept"] = format_rupees(terms.retained)
        figures[f"example_{name}_back"] = format_rupees(terms.returned) if terms.returned else "nothing"
    return figures


FIGURES = {
    "second_helmet": format_rupees(SECOND_HELMET),
    "helmet_days": str(HELMET_TRIP_DAYS),
    "early_hours": str(cancellation.EARLY // HOUR),
    "late_hours": str(cancellation.LATE // HOUR),
    "early_percent": str(cancellation.EARLY_PERCENT),
    "middle_percent": str(cancellation.MIDDLE_PERCENT),
    "late_percent": str(cancellation.LATE_PERCENT),
    "partial_percent": str(cancellation.PARTIAL_PERCENT),
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
    "review_days": str(TIME_TO_REVIEW.days),
    "warning_days": str(WARNING_DAYS),
    "usual_late": "₹50 to ₹200",
    "scooter_speed": "70 km/h",
    "bike_speed": "90 km/h",
    "range": "150 km",
    "refunds_from": f"{settlement.REFUNDS_FROM:%-I}",
    "refunds_to": f"{settlement.REFUNDS_TO:%-I %p}",
    **_examples(),
    # A Markdown list, so that the papers are named in one place.
    "documents": "\n".join(f"- {paper}" for paper in DOCUMENTS.points),
}


def with_figures(text: str) -> str:
    """Replace each figure's name in braces with the figure."""
    for name, figure in FIGURES.items():
        text = text.replace(f"{{{name}}}", figure)
    return text
