"""A trip's tax invoice, the credit and debit notes about it, and its rental agreement, as PDFs.

Each is made from its stored snapshot alone.
"""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus
from rental_app.domain.errors import ConflictError, NotFoundError
from rental_app.domain.gst import BPS
from rental_app.domain.money import format_rupees, grouped
from rental_app.domain.policies import Policies
from rental_app.infrastructure.settings import settings
from rental_app.models import (
    AgreedLine,
    AgreementSnapshot,
    Booking,
    InvoiceSnapshot,
    IssuedPaper,
    Snapshot,
    User,
    Vehicle,
)
from rental_app.models.issued_paper import AGREEMENT, INVOICE
from rental_app.services import issued_papers, throttle, words
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import invoices, ledger
from rental_app.services.bookings.access import Trip, find
from rental_app.services.files.pdf import add_facts, add_prose, add_table, blank, when

# The lines of an invoice within a state, and between two.
WITHIN, ACROSS = (34, 50, 12, 24, 22, 22, 26), (34, 60, 14, 28, 26, 28)
PRICE = (150, 40)
PERCENT = BPS // 100


def invoice_of(session: Session, actor: Actor, ref: str) -> bytes:
    """The tax invoice as a PDF; raises NotFoundError for anyone but the booking's sides and operators, and
    ConflictError while there is none (`not_issued`; `no_gst_number` if its vendor issues none)."""
    throttle.count("look", actor)
    return invoice(session, find(session, actor, ref))


def invoice(session: Session, trip: Trip) -> bytes:
    """The same for a side that is known to have access."""
    if paper := invoices.invoice_of(session, trip.vendor_id, trip.booking.reference):
        return _tax_paper(paper)
    if not session.get_one(User, trip.vendor_id).gst_number:
        raise ConflictError("This vendor has no GST number: the receipt is the bill of this trip", code="no_gst_number")
    raise ConflictError("There is a tax invoice once the vehicle is back", code="not_issued")


def note_of(session: Session, actor: Actor, ref: str, entry: int) -> bytes:
    """The credit or debit note for a line of the account as a PDF; raises NotFoundError (booking, note)."""
    throttle.count("look", actor)
    return note(session, find(session, actor, ref), entry)


def note(session: Session, trip: Trip, entry: int) -> bytes:
    """The same for a side that is known to have access."""
    if paper := invoices.note_of(session, trip.vendor_id, trip.booking.reference, entry):
        return _tax_paper(paper)
    raise NotFoundError("There is no credit or debit note for this line", code="unknown_note")


def _tax_paper(paper: IssuedPaper) -> bytes:
    """An invoice or a note as a PDF, made from its snapshot alone."""
    snapshot = issued_papers.read(paper, InvoiceSnapshot)
    kind = "tax invoice" if paper.kind == INVOICE else paper.kind
    page = blank(f"{kind.capitalize()} {paper.number_text}", kind, snapshot.at, snapshot.product)
    about = f"{snapshot.of} of {when(snapshot.of_at)}" if snapshot.of_at else ""
    facts = [
        ("Number", paper.number_text),
        ("Date", when(paper.made_at)),
        ("Invoice", about),
        ("Supplier", f"{snapshot.supplier}, {snapshot.address}"),
        ("GSTIN", f"{snapshot.gst_number}, {snapshot.supplier_state}"),
        ("Recipient", ", ".join(filter(None, (snapshot.customer, snapshot.customer_address, "not registered")))),
        ("Place of supply", snapshot.place),
        ("Booking", snapshot.reference),
        ("Vehicle", snapshot.vehicle),
        ("RC number", snapshot.plate),
        ("Period", f"{when(snapshot.pickup_at)} to {when(snapshot.return_at)}"),
    ]
    add_facts(page, [(label, text) for label, text in facts if text])
    within = snapshot.place == snapshot.supplier_state
    add_table(page, WITHIN if within else ACROSS, 4 if within else 3, _lines(snapshot, within=within))
    total = [("Total", format_rupees(snapshot.total)), ("In words", snapshot.words), ("Reverse charge", "No")]
    add_facts(page, [*total, *_money(snapshot)])
    return bytes(page.output())


def _lines(snapshot: InvoiceSnapshot, *, within: bool) -> Iterable[Sequence[str]]:
    names = ("cgst", "sgst") if within else ("igst",)
    rate = snapshot.rate_bps / PERCENT
    heads = (f"CGST {rate / 2:g} %", f"{snapshot.own_tax} {rate / 2:g} %") if within else (f"IGST {rate:g} %",)
    yield "What", "Note", "SAC", "Taxable value", *heads, "Amount"
    for line in snapshot.lines:
        taxed = line.taxable or not line.paise
        amounts = [getattr(line, name) for name in ("taxable", *names)]
        shown = [format_rupees(paise) for paise in amounts] if taxed else ["Not taxed", *("" for _ in names)]
        yield line.what, line.note, snapshot.sac if taxed else "", *shown, format_rupees(line.paise)
    yield "Total", "", "", *(format_rupees(getattr(snapshot, name)) for name in ("taxable", *names, "total"))


def _money(snapshot: InvoiceSnapshot) -> list[tuple[str, str]]:
    """How the account stood when an invoice was issued, with signs; notes say nothing of it."""
    if snapshot.of:
        return []
    facts = [("Paid", -snapshot.paid), ("Deposit kept", -snapshot.deposit_kept), ("Due", snapshot.due)]
    deposit = [
        ("Deposit taken", snapshot.deposit_taken),
        ("Deposit kept", -snapshot.deposit_kept),
        ("Deposit returned", -snapshot.deposit_returned),
        ("Deposit held", snapshot.held),
    ]
    return [
        *((label, _signed(paise)) for label, paise in facts if paise or label != "Deposit kept"),
        *((label, _signed(paise)) for label, paise in deposit if snapshot.deposit_taken),
    ]


def _signed(paise: int) -> str:
    return f"{'+' if paise > 0 else ''}{format_rupees(paise)}"


def agreement_of(session: Session, actor: Actor, ref: str) -> bytes:
    """The rental agreement as a PDF; raises NotFoundError for anyone but the booking's sides and operators,
    ConflictError (`not_confirmed`), and StoreFirstError as `issued_papers.frozen` does."""
    throttle.count("look", actor)
    return agreement(session, find(session, actor, ref))


def agreement(session: Session, trip: Trip) -> bytes:
    """The same for a side that is known to have access: stored when it is first read, and anew once something else is
    agreed."""
    booking, instant = trip.booking, clock.now()
    is_off = booking.status == BookingStatus.CANCELLED and not ledger.lines(session, booking)
    if booking.status == BookingStatus.PENDING or is_off:
        raise ConflictError("There is an agreement once the booking is confirmed", code="not_confirmed")
    ref, vendor_id = booking.reference, trip.vendor_id
    about = f"{ref}/{_digest(booking)}"
    paper = issued_papers.frozen(
        session,
        vendor_id,
        AGREEMENT,
        about,
        instant,
        # In a transaction of its own, if this one may not write.
        lambda writing, _: _agreed(writing, writing.get_one(Booking, trip.id), vendor_id, instant),
    )
    return _agreement(issued_papers.read(paper, AgreementSnapshot))


def _digest(booking: Booking) -> str:
    """What tells one state of what was agreed from another: a later return, another vehicle, another price."""
    agreed = booking.model_dump(
        mode="json",
        include={
            *("vehicle_id", "customer_id", "pickup_at", "return_at", "price_paise", "deposit_paise", "kms_included"),
            *("lines", "booked", "terms_version", "terms_accepted_at"),
        },
    )
    return hashlib.sha256(repr(sorted(agreed.items())).encode()).hexdigest()[:16]


def _agreed(session: Session, booking: Booking, vendor_id: int, instant: datetime) -> AgreementSnapshot:
    """What an agreement says if it is made at an instant."""
    booked, version = Snapshot(**booking.booked), booking.terms_version or ""
    policies = Policies.of(booking.policies)
    vendor, customer = session.get_one(User, vendor_id), session.get_one(User, booking.customer_id)
    return AgreementSnapshot(
        at=instant,
        product=settings().product_name,
        reference=booking.reference,
        vendor=vendor.gst_name or vendor.name,
        address=vendor.full_address,
        gst_number=vendor.gst_number,
        customer=customer.name,
        vehicle=f"{booked.title}, {booked.year}, {booked.color}",
        plate=session.get_one(Vehicle, booking.vehicle_id).rc_number,
        pickup_at=booking.pickup_at,
        return_at=booking.return_at,
        price_lines=[
            AgreedLine(what=f"{line['quantity']} × {line['label']}", paise=line["amount"]) for line in booking.lines
        ],
        price=booking.price_paise,
        deposit=booking.deposit_paise,
        kms_included=booking.kms_included,
        late_penalty=booked.late_penalty_paise,
        distance_penalty=booked.distance_penalty_paise,
        speed_limit=booked.speed_limit_kmph,
        vehicle_terms=booked.terms,
        vendor_terms=booked.vendor_terms,
        terms_version=version,
        accepted_at=booking.terms_accepted_at,
        terms=words.terms_of(session, version),
        cancelling=_cancelling(policies),
        late_from=f", {policies.grace_minutes} minutes after the return" if policies.grace_minutes else "",
    )


def _cancelling(policies: Policies) -> str:
    early, late = policies.early_hours, policies.late_hours
    return (
        f"{policies.early_percent} % of a rent paid in full is kept more than {early} hours before the pickup,"
        f" {policies.middle_percent} % up to {late} hours before it, {policies.late_percent} % later;"
        f" {policies.partial_percent} % of a part payment"
    )


def _agreement(snapshot: AgreementSnapshot) -> bytes:
    """An agreement as a PDF, made from its snapshot alone."""
    page = blank(f"Rental agreement {snapshot.reference}", "rental agreement", snapshot.at, snapshot.product)
    beyond = f"each one beyond {format_rupees(snapshot.distance_penalty)}"
    kms = "Unlimited" if snapshot.kms_included is None else f"{grouped(snapshot.kms_included)} km, {beyond}"
    accepted = (
        f"Version {snapshot.terms_version}, accepted {when(snapshot.accepted_at)}" if snapshot.accepted_at else ""
    )
    facts = [
        ("Booking", snapshot.reference),
        ("Vendor", f"{snapshot.vendor}, {snapshot.address}"),
        ("GSTIN", snapshot.gst_number),
        ("Customer", snapshot.customer),
        ("Vehicle", snapshot.vehicle),
        ("RC number", snapshot.plate),
        ("Window", f"{when(snapshot.pickup_at)} to {when(snapshot.return_at)}"),
        ("Price", format_rupees(snapshot.price)),
        ("Deposit", format_rupees(snapshot.deposit)),
        ("Kilometres", kms),
        ("Late return", f"{format_rupees(snapshot.late_penalty)} an hour{snapshot.late_from}"),
        ("Cancelling", snapshot.cancelling),
        ("Speed limit", f"{snapshot.speed_limit} km/h" if snapshot.speed_limit else ""),
        ("Terms", accepted or "Agreed with the vendor, without those of the site"),
        ("Made", when(snapshot.at)),
    ]
    add_facts(page, [(label, text) for label, text in facts if text])
    lines = [(line.what, format_rupees(line.paise)) for line in snapshot.price_lines]
    add_table(page, PRICE, 1, [("Price", "Amount"), *lines, ("Total", format_rupees(snapshot.price))])
    add_prose(page, _texts(snapshot))
    return bytes(page.output())


def _texts(snapshot: AgreementSnapshot) -> str:
    """The terms of the vehicle, of its vendor, and ours, as Markdown."""
    own = (("Terms of the vehicle", snapshot.vehicle_terms), (f"Terms of {snapshot.vendor}", snapshot.vendor_terms))
    listed = [
        f"## {title}\n\n" + "\n".join(f"- {line}" for line in text.splitlines() if line.strip())
        for title, text in own
        if text.strip()
    ]
    return "\n\n".join([*listed, snapshot.terms.replace("# Terms\n", f"# Terms of {snapshot.product}\n", 1)])
