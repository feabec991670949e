"""What vendors owe of the commission: what their statements say, less what they have paid."""

from collections.abc import Mapping
from datetime import time
from typing import NamedTuple

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.content.messages import COMMISSION_PAID
from rental_app.domain import clock, handover
from rental_app.domain.acts import Act
from rental_app.domain.clock import Window
from rental_app.domain.errors import ConflictError, NotFoundError
from rental_app.domain.money import format_rupees
from rental_app.models import CommissionPayment, User
from rental_app.schemas.operating import CommissionView, PaidCommission
from rental_app.services import audit
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.letters import tell
from rental_app.services.accounts.operators import enter
from rental_app.services.earnings import statements
from rental_app.services.earnings.figures import commissions

NOTED = "Payment noted, and the vendor is told"


class Commissions(NamedTuple):
    """What all vendors owe for a month."""

    month: str
    vendors: list[CommissionView]


def of_month(session: Session, actor: Actor, month: str) -> Commissions:
    """What each vendor owes for a month such as 2026-11, the most first; those without anything are left out.

    Raises ForbiddenError, and NotFoundError for a month that has not begun.
    """
    enter(actor)
    owed, paid = commissions(session, _window(month)), _paid(session, month)
    names = select(col(User.id), col(User.name)).where(col(User.id).in_({*owed, *paid}))
    views = [_view(row.id, row.name, owed, paid) for row in session.execute(names)]
    return Commissions(month, sorted((view for view in views if view.commission or view.paid), key=_most_first))


def note_paid(session: Session, actor: Actor, vendor_id: int, month: str, payment: PaidCommission) -> CommissionView:
    """Note what a vendor has paid of a month's commission, or take back what was noted by mistake; they are told.

    Raises ForbiddenError, NotFoundError (vendor, month), InvalidInputError (paid in the future, or before the month
    began) and ConflictError (`more_than_owed`, `already_noted`).
    """
    enter(actor)
    vendor = _held(session, vendor_id)
    instant = clock.now()
    paid_at = handover.paid_at(payment.paid_on, _window(month).pickup, instant)
    before = _of_vendor(session, vendor, month)
    _require_possible(session, before, month, payment)
    paise = payment.amount if payment.direction == "in" else -payment.amount
    row = CommissionPayment(
        vendor_id=vendor_id,
        month=month,
        paise=paise,
        reference=payment.reference,
        who_id=actor.id,
        at=instant,
        paid_at=paid_at,
    )
    session.add(row)
    session.flush()
    _freeze_statement(session, vendor_id, month)
    now = _of_vendor(session, vendor, month)
    about = f"{month} {payment.reference}"
    paid_on = {"paid_on": payment.paid_on} if paid_at else {}
    owed_before, owed_after = {"owed": before.owed}, {"owed": now.owed, "paise": paise} | paid_on
    audit.record(session, actor, Act.COMMISSION_PAID, ("user", vendor_id), about, owed_before, owed_after)
    note = f"{format_rupees(paise)} for {clock.indian(_window(month).pickup):%B %Y} ({payment.reference})"
    note += f", paid on {clock.full_day(clock.indian_today(paid_at))}" if paid_at else ""
    tell(session, COMMISSION_PAID, vendor_id, note=note)
    return now


def _freeze_statement(session: Session, vendor_id: int, month: str) -> None:
    """Freeze the statement of the month that is paid for."""
    first, instant = clock.indian_today(_window(month).pickup), clock.now()
    if statements.is_over(first, instant):
        statements.freeze(session, vendor_id, first, instant)


def _held(session: Session, vendor_id: int) -> User:
    """A vendor, blocked ones too; locked, so that two payments are noted one after the other."""
    own = select(User).where(col(User.id) == vendor_id, col(User.role) == "Vendor").with_for_update(key_share=True)
    vendor = session.scalars(own).first()
    if vendor is None:
        raise NotFoundError("There is no such vendor", code="unknown_vendor")
    return vendor


def _require_possible(session: Session, before: CommissionView, month: str, payment: PaidCommission) -> None:
    most = before.owed if payment.direction == "in" else before.paid
    if payment.amount > most:
        left = "owed" if payment.direction == "in" else "noted as paid"
        message = f"That is more than the {format_rupees(max(0, most))} {left} for this month"
        raise ConflictError(message, code="more_than_owed", fields={"amount": message})
    same = (col(CommissionPayment.vendor_id) == before.vendor, col(CommissionPayment.month) == month)
    named = (col(CommissionPayment.reference) == payment.reference, col(CommissionPayment.paise) == payment.amount)
    if payment.direction == "in" and session.scalars(select(CommissionPayment).where(*same, *named)).first():
        raise ConflictError("A payment of this reference is noted already", code="already_noted")


def _of_vendor(session: Session, vendor: User, month: str) -> CommissionView:
    vendor_id = vendor.id or 0
    owed, paid = commissions(session, _window(month), vendor_id), _paid(session, month, vendor_id)
    return _view(vendor_id, vendor.name, owed, paid)


def _paid(session: Session, month: str, vendor_id: int | None = None) -> dict[int, int]:
    """What was paid for a month (paise), by vendor."""
    own = [col(CommissionPayment.vendor_id) == vendor_id] if vendor_id else []
    rows = (
        select(col(CommissionPayment.vendor_id), func.sum(CommissionPayment.paise))
        .where(col(CommissionPayment.month) == month, *own)
        .group_by(col(CommissionPayment.vendor_id))
    )
    return {row[0]: int(row[1]) for row in session.execute(rows)}


def _view(vendor_id: int, name: str, owed: Mapping[int, int], paid: Mapping[int, int]) -> CommissionView:
    sums, payments = owed.get(vendor_id, 0), paid.get(vendor_id, 0)
    return CommissionView(vendor=vendor_id, name=name, commission=sums, paid=payments, owed=sums - payments)


def _most_first(view: CommissionView) -> tuple[int, str]:
    return -view.owed, view.name


def _window(month: str) -> Window:
    """The instants of an Indian month. Raises NotFoundError for what is none, or has not begun."""
    first = clock.month_of(month)
    if first is None or first > clock.indian_today(clock.now()):
        raise NotFoundError("There is no such month", code="unknown_month")
    return Window(*clock.month_bounds(clock.at(first, time())))
