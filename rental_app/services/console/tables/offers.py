"""Offers: codes that take something off a booking's price."""

from dataclasses import replace
from functools import partial

from sqlalchemy import Date, bindparam, case, func, select
from sqlmodel import col

from rental_app.models import Booking, Offer
from rental_app.schemas.operating_catalogue import OfferEntry
from rental_app.services.console.deciding import adding, by, retiring
from rental_app.services.console.table import ActionField, Column, Filter, Option, Table
from rental_app.services.operating import catalogue

AHEAD, IN_FORCE, OVER, RETIRED = "Begins later", "In force", "Over", "Retired"
_TODAY = bindparam("today", type_=Date())
_STATE = case(
    (col(Offer.is_retired), RETIRED),
    (col(Offer.ends_on) < _TODAY, OVER),
    (col(Offer.starts_on) > _TODAY, AHEAD),
    else_=IN_FORCE,
)
_USED = (
    select(func.count()).select_from(Booking).where(col(Booking.offer) == Offer.code).correlate(Offer).scalar_subquery()
)
OTHERS, RETIRED_ONES = frozenset({AHEAD, IN_FORCE, OVER}), frozenset({RETIRED})
ALL = OTHERS | RETIRED_ONES
_PUT = partial(by, catalogue.put_offer, OfferEntry)
_FIELDS = (
    ActionField("code", "Code that customers type", "text", column="code"),
    ActionField("title", "Title", "text", column="title"),
    ActionField("terms", "Its terms, in a sentence", "text", column="terms"),
    ActionField("startsOn", "First day, such as 2026-12-01", "text", column="starts"),
    ActionField("endsOn", "Last day", "text", column="ends"),
    ActionField("minimumDays", "Least days of a rental", "text", column="days"),
    ActionField("percent", "Percent off, 0 for rupees", "text", column="percent"),
    ActionField("cap", "At most, in rupees", "rupees", required=False, column="cap"),
    ActionField("off", "Rupees off, 0 for percent", "rupees", column="off"),
    ActionField("uses", "Uses allowed", "text", required=False, column="uses"),
    ActionField("usesEach", "Uses by each customer", "text", required=False, column="each"),
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
        Column(
            "state", "State", _STATE, "state", tones={AHEAD: "waits", IN_FORCE: "good", OVER: "plain", RETIRED: "plain"}
        ),
        Column("terms", "Terms", col(Offer.terms), listed=False),
        Column("days", "Least days", col(Offer.minimum_days), "number", listed=False),
        Column("cap", "At most", col(Offer.cap_paise), "money", listed=False),
        Column("uses", "Uses allowed", col(Offer.uses), "number", listed=False),
        Column("each", "Uses each", col(Offer.uses_each), "number", listed=False),
        Column("retired", "Retired", case((col(Offer.is_retired), "true"), else_="false"), listed=False, told=False),
    ),
    sort="-ends",
    search=(col(Offer.code), col(Offer.title)),
    filters=(
        Filter(
            "state",
            "State",
            tuple(
                Option(value, word, word == _STATE)
                for value, word in (("ahead", AHEAD), ("in_force", IN_FORCE), ("over", OVER), ("retired", RETIRED))
            ),
        ),
    ),
    state="state",
    actions=tuple(
        replace(action, states=RETIRED_ONES if action.name == "offer" else OTHERS if action.name == "retire" else ALL)
        for action in retiring(_PUT, _FIELDS)
    ),
    adding=adding(_PUT, "Add an offer", _FIELDS),
    versioned=True,
)
