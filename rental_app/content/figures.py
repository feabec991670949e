"""The product's figures as its texts say them: copy names them in braces, the rules alone know them."""

from rental_app.rules.extras import HELMET_TRIP_DAYS, SECOND_HELMET
from rental_app.rules.money import format_rupees

FIGURES = {"second_helmet": format_rupees(SECOND_HELMET), "helmet_days": str(HELMET_TRIP_DAYS)}


def with_figures(text: str) -> str:
    """Replace each figure's name in braces by the figure."""
    for name, figure in FIGURES.items():
        text = text.replace(f"{{{name}}}", figure)
    return text
