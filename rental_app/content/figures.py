"""The product's figures as its texts say them: copy names them in braces, the rules alone know them."""

from datetime import timedelta

from rental_app.rules import cancellation, settlement
from rental_app.rules.clock import LATEST_BEFORE_RETURN
from rental_app.rules.extras import HELMET_TRIP_DAYS, SECOND_HELMET
from rental_app.rules.money import format_rupees

HOUR = timedelta(hours=1)
FIGURES = {
    "second_helmet": format_rupees(SECOND_HELMET),
    "helmet_days": str(HELMET_TRIP_DAYS),
    "early_hours": str(cancellation.EARLY // HOUR),
    "late_hours": str(cancellation.LATE // HOUR),
    "early_percent": str(cancellation.EARLY_PERCENT),
    "middle_percent": str(cancellation.MIDDLE_PERCENT),
    "late_percent": str(cancellation.LATE_PERCENT),
    "extend_hours": str(LATEST_BEFORE_RETURN // HOUR),
    "speeding_fine": format_rupees(settlement.SPEEDING_PAISE),
    "refunds_from": f"{settlement.REFUNDS_FROM:%-I}",
    "refunds_to": f"{settlement.REFUNDS_TO:%-I %p}",
}


def with_figures(text: str) -> str:
    """Replace each figure's name in braces by the figure."""
    for name, figure in FIGURES.items():
        text = text.replace(f"{{{name}}}", figure)
    return text
