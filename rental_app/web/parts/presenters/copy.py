"""Copy with the settings and figures filled in."""

from rental_app.content.figures import with_figures
from rental_app.infrastructure.settings import settings


def fill(text: str) -> str:
    """Replace `{product}`, `{city}` and the names of figures with what they stand for."""
    return with_figures(text).replace("{product}", settings().product_name).replace("{city}", settings().city)
