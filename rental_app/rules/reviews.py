"""Reviews: how long they may be written, what their stars come to, and what is shown of who wrote them."""

from datetime import timedelta

TIME_TO_REVIEW = timedelta(days=14)
STARS = (5, 4, 3, 2, 1)
NOBODY = "A customer"


def rating(stars_total: int, reviews: int) -> float | None:
    """The average of so many reviews to one decimal, halves upwards; None without any."""
    return (20 * stars_total + reviews) // (2 * reviews) / 10 if reviews else None


def short_name(name: str) -> str:
    """What everybody sees of a customer's name: 'Anjali Rao' as 'Anjali R.'."""
    first, *more = name.split() or [NOBODY]
    return f"{first} {more[-1][0]}." if more else first
