"""Offers: codes that take something off a booking's price."""

from sqlalchemy import Date, bindparam, case, func, select
from sqlmodel import col

from rental_app.models import Booking, Offer
from rental_app.services.console.table import Column, Filter, Option, Table

AHEAD, IN_FORCE, OVER = "Begins later", "In force", "Over"
_TODAY = bindparam("today", type_=Date())
_STATE = case((col(Offer.ends_on) < _TODAY, OVER), (col(Offer.starts_on) > _TODAY, AHEAD), else_=IN_FORCE)
_USED = (
    select(func.count()).select_from(Booking).where(col(Booking.offer) == Offer.code).correlate(Offer).scalar_subquery()
)

TABLE = Table(
    name="offers",
    title="Offers",
    one="offer",
    key=col(Offer.id),
    source=Offer.__table__,  # type: ignore[attr-defined]
    columns=(
        Column("code", "Code", col(Offer.code), sortable=True),
        Column("title", "Title", col(Offer.title)),
        Column("starts", "From", col(Offer.starts_on), "day", sortable=True),
        Column("ends", "To", col(Offer.ends_on), "day", sortable=True),
        Column("percent", "Percent", col(Offer.percent), "number"),
        Column("off", "Rupees off", col(Offer.off_paise), "money"),
        Column("used", "Used", _USED, "number"),
        Column("state", "State", _STATE, "state", tones={AHEAD: "waits", IN_FORCE: "good", OVER: "plain"}),
        Column("terms", "Terms", col(Offer.terms), listed=False),
        Column("days", "Least days", col(Offer.minimum_days), "number", listed=False),
        Column("cap", "At most", col(Offer.cap_paise), "money", listed=False),
        Column("uses", "Uses in all", col(Offer.uses), "number", listed=False),
        Column("each", "Uses each", col(Offer.uses_each), "number", listed=False),
    ),
    sort="-ends",
    search=(col(Offer.code), col(Offer.title)),
    filters=(
        Filter(
            "state",
            "State",
            tuple(
                Option(value, word, word == _STATE)
                for value, word in (("ahead", AHEAD), ("in_force", IN_FORCE), ("over", OVER))
            ),
        ),
    ),
    state="state",
)
