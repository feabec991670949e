"""A model of a booking's account in a few lines, to check the real one against."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil

from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE

RENT = ("rental", "extension", "discount")
CHARGES = (*RENT, "cancellation", "late", "kilometres", "speeding", "damage", "challan")


@dataclass
class Expected:
    """A booking of two days at one Full Day price, 100 km per day: its lines as kinds with their paise, in order."""

    pickup: datetime
    return_at: datetime
    status: str = "pending"
    stage: str = "booked"
    price: int = 2 * DAILY_PAISE
    # The Full Day price of its vehicle, and the lowest of all that it had.
    daily: int = DAILY_PAISE
    full_day: int = DAILY_PAISE
    # What was charged when it was confirmed, less what moving it took off.
    agreed: int = 2 * DAILY_PAISE
    lines: list[tuple[str, int]] = field(default_factory=list)
    reversed_lines: set[int] = field(default_factory=set)
    just_reversed: set[int] = field(default_factory=set)
    # What the vendor has proposed and until when: a later return, or the place of a line to be taken back.
    later: datetime | None = None
    place: int | None = None
    answer_by: datetime | None = None
    came_back: datetime | None = None
    broke_down: bool = False
    continued: bool = False

    def sum(self, *kinds: str) -> int:
        return sum(paise for kind, paise in self.lines if kind in kinds)

    @property
    def held(self) -> int:
        return self.sum("deposit taken") - self.sum("deposit kept", "deposit returned")

    @property
    def rent(self) -> int:
        return self.sum(*CHARGES) - self.sum("payment", "deposit kept") + self.sum("refund")

    @property
    def deposit(self) -> int:
        ahead = self.status != "cancelled" and self.stage in ("booked", "out")
        return (DEPOSIT_PAISE if ahead else 0) - self.held

    @property
    def charged(self) -> int:
        assert self.sum(*RENT) >= 0, "nobody is owed what was never charged"
        return self.sum(*RENT)

    @property
    def paid(self) -> int:
        return max(0, self.sum("payment") - self.sum("refund"))

    def most(self, of: str, direction: str) -> int:
        """Return the most that can be paid."""
        return {
            ("rent", "in"): self.rent,
            ("rent", "out"): -self.rent,
            ("deposit", "in"): self.deposit,
            ("deposit", "out"): self.held,
        }[of, direction]

    def kept(self, now: datetime) -> int:
        """Return what a cancellation keeps."""
        if self.status == "pending":
            return 0
        left = self.pickup - now
        percent = 25 if left > timedelta(hours=72) else 75 if left >= timedelta(hours=24) else 100
        if self.paid < min(self.agreed, self.charged):
            return self.paid
        return (min(self.charged, self.paid) * percent + 50) // 100

    def can_undo(self, place: int) -> bool:
        """Return whether a line can be reversed: once, and not the rent of a trip that did not take place."""
        ended = self.status == "cancelled" or self.stage == "no_show"
        is_rent = self.lines[place][0] in RENT
        return place not in self.reversed_lines and not (is_rent and (ended or self.along(place) is None))

    def along(self, place: int) -> list[int] | None:
        """Return the places of the discounts that are taken back with a charge; None if it may not be taken back."""
        kind, paise = self.lines[place]
        missing, taken = paise - self.charged, list[int]()
        if kind not in RENT or paise < 0 or missing <= 0:
            return taken
        for discount in range(len(self.lines) - 1, -1, -1):
            what, off = self.lines[discount]
            if missing > 0 and what == "discount" and off < 0 and discount not in self.reversed_lines:
                taken.append(discount)
                missing += off
        off = -sum(self.lines[one][1] for one in taken)
        return taken if kind != "discount" and missing <= 0 and off <= paise else None

    def needs_yes(self, place: int) -> bool:
        """Return whether the customer has to agree: a charge that was taken back is restored at once, or with them."""
        kind, paise = self.lines[place]
        fits = kind not in RENT or -paise <= self.price - self.charged
        return kind in CHARGES and paise < 0 and not (place in self.just_reversed and fits)

    def waits(self, now: datetime) -> bool:
        """Return whether something that was proposed can still be agreed to."""
        return self.answer_by is not None and now < self.answer_by

    def propose(self, now: datetime, later: datetime | None = None, place: int | None = None) -> None:
        """Propose a later return, or a line to be taken back."""
        self.later, self.place, self.answer_by = later, place, now + timedelta(hours=24)
        if later and self.return_at > now:
            self.answer_by = min(self.answer_by, self.return_at)

    def end_proposal(self) -> None:
        """Drop what is proposed."""
        self.later = self.place = self.answer_by = None

    def charge(self, paise: int) -> None:
        """Charge a challan after the return; the deposit pays it as far as it is held."""
        self.lines.append(("challan", paise))
        self._keep()
        self.settle()

    def undo(self, place: int) -> None:
        """Reverse a line."""
        assert place not in self.reversed_lines
        for each in (place, *(self.along(place) or ())):
            kind, paise = self.lines[each]
            self.reversed_lines.add(each)
            self.just_reversed.add(len(self.lines))
            self.lines.append((kind, -paise))

    def replace_rent(self, kept: int) -> None:
        """Replace every charge for the vehicle with what is kept."""
        for place, (kind, paise) in list(enumerate(self.lines)):
            is_charge = kind in RENT and (paise < 0) == (kind == "discount")
            if is_charge and place not in self.reversed_lines:
                self.reversed_lines.add(place)
                self.lines.append((kind, -paise))
        if kept:
            self.lines.append(("cancellation", kept))

    def extend(self, return_at: datetime) -> None:
        """Charge for what is longer: what was agreed before, for any vehicle that it had, stays agreed."""
        days, self.return_at = self._days, return_at
        if extra := (self._days - days) * self.daily:
            self.lines.append(("extension", extra))
            self.price += extra

    def move(self, daily: int) -> None:
        """Give it a vehicle at another Full Day price: what it costs less comes off what is still charged."""
        less = max(0, self.price - self._days * daily)
        if off := min(less, self.charged):
            self.lines.append(("discount", -off))
        self.price, self.agreed = self.price - less, self.agreed - off
        self.daily, self.full_day = daily, min(self.full_day, daily)

    def come_back(self, now: datetime, kms: int, speedings: int, damage: int, broke_down: bool = False) -> None:
        """Take the vehicle back: add its charges, and keep the part of the deposit that goes towards them."""
        charges = {
            "late": 0 if broke_down else self._late(now),
            "kilometres": max(0, kms - 100 * self._days) * 500,
            "speeding": speedings * 10_000,
            "damage": damage,
        }
        self.lines += [(kind, paise) for kind, paise in charges.items() if paise]
        self._keep()
        self.stage, self.came_back, self.broke_down = "returned", now, broke_down
        self.end_proposal()
        self.settle()

    def go_on(self) -> int:
        """Go on with another vehicle: what is held of the deposit moves along."""
        self.continued, moved = True, self.held
        if moved:
            self.lines.append(("deposit returned", moved))
        self.settle()
        return moved

    def _keep(self) -> None:
        if (kept := min(self.rent, self.held)) > 0:
            self.lines.append(("deposit kept", kept))

    def settle(self) -> None:
        """Settle if nobody owes anything."""
        if self.stage == "returned" and not self.rent and not self.deposit:
            self.stage = "settled"

    @property
    def _days(self) -> int:
        return (self.return_at - self.pickup).days

    def _late(self, now: datetime) -> int:
        hours = max(0, ceil((now - self.return_at - timedelta(minutes=15)) / timedelta(hours=1)))
        return sum(min(5_000 * min(24, hours - day), 2 * self.full_day) for day in range(0, hours, 24))
