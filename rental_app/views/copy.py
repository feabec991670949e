"""Copy with the settings filled in."""

from rental_app.settings import settings


def fill(text: str) -> str:
    """Replace `{product}` and `{city}` by the settings of these names."""
    return text.replace("{product}", settings().product_name).replace("{city}", settings().city)
