"""What cancelling or extending a booking costs, as its customer reads it before confirming."""

from datetime import datetime, timedelta

from pydantic import BaseModel

from rental_app.domain import cancellation, clock
from rental_app.domain.money import format_rupees
from rental_app.domain.policies import Policies
from rental_app.schemas.trips import Cancellation, Extension
from rental_app.web.parts.presenters.texts import Fact, kilometres


class CancelTerms(BaseModel):
    """What cancelling retains and refunds; `paise` is what its customer agrees to by confirming."""

    facts: list[Fact]
    why: str
    dearer: str
    paise: int


def cancel_terms(terms: Cancellation) -> CancelTerms:
    """A cancellation's preview as the question shows it."""
    amounts = [
        ("Kept by the vendor", format_rupees(terms.kept)),
        ("Refunded to you", format_rupees(terms.returned)),
        ("Deposit, refunded in full", format_rupees(terms.deposit) if terms.deposit else ""),
    ]
    dearer = f"From {clock.friendly(terms.dearer_at)}, cancelling costs more." if terms.dearer_at else ""
    return CancelTerms(
        facts=[Fact(label=label, value=value) for label, value in amounts if value],
        why=_why(terms),
        dearer=dearer,
        paise=terms.kept,
    )


def _why(terms: Cancellation) -> str:
    if not terms.kept:
        return "Cancelling now costs nothing."
    if terms.returned or terms.dearer_at:
        return f"Cancelling now keeps {terms.percent} % of the price."
    return "What has been paid so far is kept."


def cancelling(pickup: datetime, instant: datetime, total: int, policies: Policies) -> list[Fact]:
    """What is kept of a total (paise) by a cancellation, from an instant on: nothing before it is paid, then more and
    more of it; and of a part payment."""
    facts = [Fact(label="Free", value="until you have paid, and while the vendor has not answered")]
    at: datetime | None = instant
    while at:
        terms = cancellation.terms(pickup, at, policies, agreed=total, charged=total, paid=total, deposit=0)
        until = f"until {clock.friendly(terms.dearer_at)}" if terms.dearer_at else _last(len(facts))
        facts.append(Fact(label=f"{format_rupees(terms.retained)} kept", value=f"paid in full, {until}"))
        at = terms.dearer_at + timedelta(seconds=1) if terms.dearer_at else None
    share = "all" if policies.partial_percent == 100 else f"{policies.partial_percent} %"
    return [*facts, Fact(label="Paid in part", value=f"{share} of that is kept, at any time")]


def _last(count: int) -> str:
    return "after that" if count > 1 else "from now on"


class LaterReturn(BaseModel):
    """A later return, what it costs and how far it goes; by confirming, its customer agrees to `paise` and
    `kms_included`."""

    until: str
    extra: str
    total: str
    kms: str
    paise: int
    kms_included: int | None


def later_return(extension: Extension) -> LaterReturn:
    """An extension's preview as the page shows it."""
    return LaterReturn(
        until=clock.friendly(extension.return_at),
        extra=format_rupees(extension.extra),
        total=format_rupees(extension.total),
        kms=kilometres(extension.kms_included),
        paise=extension.extra,
        kms_included=extension.kms_included,
    )
