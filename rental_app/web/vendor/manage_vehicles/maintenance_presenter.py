"""A vehicle's maintenance, as texts."""

from pydantic import BaseModel

from rental_app.domain.money import format_rupees, grouped, to_rupees
from rental_app.schemas.fleet import MaintenanceKind, MaintenanceView, YearCost

KINDS: dict[MaintenanceKind, str] = {
    "service": "Service",
    "tyres": "Tyres",
    "battery": "Battery",
    "brakes": "Brakes",
    "repair": "Repair",
    "claim": "Insurance claim",
    "other": "Other",
}


class EntryLine(BaseModel):
    """What was done, as the sheet shows it, and the initial values of the form that changes it."""

    id: int
    title: str
    cost: str
    details: str
    following: str
    is_due: bool
    form: dict[str, str]


def entry_line(entry: MaintenanceView) -> EntryLine:
    """An entry in words."""
    day = f"{entry.done_on.day} {entry.done_on:%b %Y}"
    at = [f"at {grouped(entry.odometer_km)} km"] if entry.odometer_km is not None else []
    due = [f"{entry.next_on.day} {entry.next_on:%b %Y}"] if entry.next_on else []
    due += [f"{grouped(entry.next_km)} km"] if entry.next_km is not None else []
    return EntryLine(
        id=entry.id,
        title=KINDS[entry.kind],
        cost=format_rupees(entry.cost_paise),
        details=", ".join(filter(None, [day, *at, entry.note])),
        following=f"{'Due since' if entry.is_due else 'Next'}: {' or '.join(due)}" if due else "",
        is_due=entry.is_due,
        form={
            "kind": entry.kind,
            "doneOn": entry.done_on.isoformat(),
            "odometer": "" if entry.odometer_km is None else str(entry.odometer_km),
            "cost": str(to_rupees(entry.cost_paise)),
            "note": entry.note,
            "nextOn": entry.next_on.isoformat() if entry.next_on else "",
            "nextKm": "" if entry.next_km is None else str(entry.next_km),
        },
    )


def year_line(year: YearCost) -> str:
    """What a year's maintenance cost."""
    return f"{year.year}: {format_rupees(year.cost_paise)}"
