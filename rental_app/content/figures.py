"""The product's figures as its texts show them: copy names them in braces."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from functools import lru_cache

from rental_app.content.faq import DOCUMENTS
from rental_app.domain import cancellation
from rental_app.domain.clock import HOUR, INDIA, MAX_AHEAD, MAX_LENGTH, MIN_LENGTH
from rental_app.domain.money import format_rupees
from rental_app.domain.papers import WARNING_DAYS
from rental_app.domain.policies import Policies
from rental_app.domain.retention import BACKUPS_LAST_DAYS, HOLDINGS, in_full

# A name in braces, with what it counts if that follows: one hour is no "1 hours".
PLACEHOLDER = re.compile(r"\{(\w+)\}(?: (hour|minute|day|time)s\b)?")
# A rent paid in full that is cancelled so long before the pickup: on Tuesday, Thursday or Friday before a Saturday.
EXAMPLE_PAISE = 2_000_00
_PICKUP = datetime(2026, 11, 7, 10, tzinfo=INDIA)
EXAMPLES = {"early": timedelta(hours=88), "middle": timedelta(hours=46), "late": timedelta(hours=16)}


def _examples(policies: Policies) -> dict[str, str]:
    figures = {"example_rent": format_rupees(EXAMPLE_PAISE)}
    for name, left in EXAMPLES.items():
        rent = dict.fromkeys(("agreed", "charged", "paid"), EXAMPLE_PAISE)
        terms = cancellation.terms(_PICKUP, _PICKUP - left, policies, **rent, deposit=0)
        figures[f"example_{name}_hours"] = str(left // HOUR)
        figures[f"example_{name}_kept"] = format_rupees(terms.retained)
        figures[f"example_{name}_back"] = format_rupees(terms.returned) if terms.returned else "nothing"
    return figures


_IN_WORDS = (
    *("early_hours", "late_hours", "early_percent", "middle_percent", "late_percent", "partial_percent"),
    *("no_show_hours", "answer_hours", "answer_minutes", "extend_hours", "grace_minutes", "most_full_days"),
    *("object_hours", "charge_days", "helmet_days", "review_days"),
)


def _retention() -> dict[str, str]:
    """What is kept as the rows of a Markdown table, and when it ends as a list, both drawn from one table."""
    rows = [f"| {holding.what} | {holding.why} | {holding.seen_by} |" for holding in HOLDINGS.values() if holding.what]
    ends = [f"- {in_full(holding.until)}" for holding in HOLDINGS.values() if holding.until]
    return {"kept": "\n".join(rows), "ends": "\n".join(ends)}


@lru_cache(maxsize=64)
def figures_of(policies: Policies) -> Mapping[str, str]:
    """What may stand in braces, with the text that fills it in: by the numbers in force, or a booking's own."""
    plain = {
        **{name: str(getattr(policies, name)) for name in _IN_WORDS},
        "second_helmet": format_rupees(policies.second_helmet),
        "speeding_fine": format_rupees(policies.speeding_fine),
        "usual_late": f"{format_rupees(policies.usual_late_from)} to {format_rupees(policies.usual_late_to)}",
        "scooter_speed": f"{policies.scooter_speed} km/h",
        "bike_speed": f"{policies.bike_speed} km/h",
        "range": f"{policies.range_km} km",
        "refunds_from": f"{time(policies.refunds_from):%-I}",
        "refunds_to": f"{time(policies.refunds_to):%-I %p}",
        # These do not change (docs/decisions).
        "shortest_hours": str(MIN_LENGTH // HOUR),
        "longest_days": str(MAX_LENGTH.days),
        "days_ahead": str(MAX_AHEAD.days),
        "warning_days": str(WARNING_DAYS),
        **_examples(policies),
        # A Markdown list, so that the papers are named in one place.
        "documents": documents_listed(DOCUMENTS.points),
        "backup_days": str(BACKUPS_LAST_DAYS),
    }
    # These name others.
    return plain | {name: filled(text, plain) for name, text in _retention().items()}


def filled(text: str, figures: Mapping[str, str]) -> str:
    """Replace each name in braces with what it stands for; others stay. What one of something is called follows it."""

    def figure(found: re.Match[str]) -> str:
        text, unit = figures.get(found[1], f"{{{found[1]}}}"), found[2]
        if not unit:
            return text
        return f"{text} {unit}" if text == "1" else f"{text} {unit}s"

    return PLACEHOLDER.sub(figure, text)


def documents_listed(documents: Sequence[str]) -> str:
    """The documents that riders bring, as a Markdown list."""
    return "\n".join(f"- {document}" for document in documents)
