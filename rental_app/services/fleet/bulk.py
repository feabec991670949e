"""One change of many of a vendor's vehicles, for all of them or for none."""

from collections.abc import Callable, Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain.acts import Act, changes
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.domain.money import PAISE_PER_RUPEE, counted, format_rupees
from rental_app.domain.pricing import DEAREST, FULL_DAY, plan_sort_key
from rental_app.models import TITLE, Vehicle, VehiclePrice, titled
from rental_app.schemas.calendars import BlockRequest
from rental_app.schemas.fleet import TERMS, BulkAction, BulkAnswer, BulkRequest, ChangedPrice
from rental_app.schemas.prices import PlanKey
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, require_manager, require_own
from rental_app.services.calendar import blocks
from rental_app.services.fleet import prices, renewal, vehicles

NO_PRICES = "None of these vehicles has such a price"
Plan = tuple[Vehicle, VehiclePrice]


def change(session: Session, actor: Actor, request: BulkRequest) -> BulkAnswer:
    """Change many of the actor's vehicles, all or none.

    Raises ForbiddenError, InvalidInputError, NotFoundError (one is not theirs) and ConflictError: `vehicle_retired`,
    `booked` and `blocked` (a block), `prices_changed` and `not_priced` (a price), `paper_renewed` (a renewal).
    """
    throttle.count("change", actor)
    require_manager(actor)
    request.require_sense()
    require_own(session, actor, *request.ids, lock=True)
    return _ACTIONS[request.action](session, actor, request)


def _fleet(session: Session, request: BulkRequest) -> list[Vehicle]:
    return list(session.scalars(select(Vehicle).where(col(Vehicle.id).in_(request.ids)).order_by(col(Vehicle.id))))


def _switch(session: Session, actor: Actor, request: BulkRequest) -> BulkAnswer:
    wanted = request.action == "resume"
    ahead = []
    for vehicle in _fleet(session, request):
        ahead += vehicles.set_active(session, actor, vehicle, wanted).bookings
    done = "on the platform" if wanted else "blocked from booking"
    return BulkAnswer(message=f"{_counted(request)} now {done}", bookings=ahead)


def _block(session: Session, actor: Actor, request: BulkRequest) -> BulkAnswer:
    block = {"vehicle": None, "from": request.begin, "to": request.end, "reason": request.reason, "note": request.note}
    made = blocks.add_to(session, actor, BlockRequest.model_validate(block), request.ids, "These")
    return BulkAnswer(message=f"{counted(len({each.vehicle for each in made}), 'vehicle')} blocked")


def preview(session: Session, actor: Actor, request: BulkRequest) -> BulkAnswer:
    """What a change of prices would do; raises as `change` does, and does nothing for other actions."""
    throttle.count("quote", actor)
    require_manager(actor)
    request.require_sense()
    require_own(session, actor, *request.ids)
    if request.action != "price":
        return BulkAnswer()
    return BulkAnswer(prices=_views(session, request, _new_prices(session, request)))


def _price(session: Session, actor: Actor, request: BulkRequest) -> BulkAnswer:
    priced = _new_prices(session, request)
    changed = _views(session, request, priced)
    for (_, row), new in priced:
        before, row.price_paise = {row.price_name: row.price_paise}, new
        subject, now = ("vehicle", row.vehicle_id), {row.price_name: new}
        audit.record(session, actor, Act.PRICES_CHANGED, subject, before=before, after=now)
    return BulkAnswer(message=f"{counted(len(changed), 'price')} changed", prices=changed)


def _new_prices(session: Session, request: BulkRequest) -> list[tuple[Plan, int]]:
    """Each plan that changes with its new price (paise)."""
    plans = _plans(session, request)
    if not plans:
        raise ConflictError(NO_PRICES, code="not_priced")
    _require_shown(plans, request)
    after = [_changed(row.price_paise, request) for _, row in plans]
    _require_possible(plans, after, request)
    return list(zip(plans, after, strict=True))


def _views(session: Session, request: BulkRequest, priced: Sequence[tuple[Plan, int]]) -> list[ChangedPrice]:
    titles = _titles(session, request)
    return [
        ChangedPrice(
            vehicle=row.vehicle_id,
            rc_number=vehicle.rc_number,
            title=titles[row.vehicle_id],
            price_name=row.price_name,
            before=row.price_paise,
            after=new,
        )
        for (vehicle, row), new in priced
    ]


def _plans(session: Session, request: BulkRequest) -> list[Plan]:
    """The prices that change, by vehicle in the order given."""
    meant = (col(Vehicle.id).in_(request.ids), col(VehiclePrice.price_paise) > 0)
    statement = (
        select(Vehicle, VehiclePrice).join(VehiclePrice, col(VehiclePrice.vehicle_id) == Vehicle.id).where(*meant)
    )
    if request.plan:
        statement = statement.where(col(VehiclePrice.price_name) == request.plan)
    plans = [(vehicle, row) for vehicle, row in session.execute(statement)]
    place = {vehicle: at for at, vehicle in enumerate(request.ids)}
    return sorted(plans, key=lambda plan: (place[plan[1].vehicle_id], plan_sort_key(plan[1].price_name)))


def _require_shown(plans: Sequence[Plan], request: BulkRequest) -> None:
    """Raise PricesChangedError for prices that are no longer those shown."""
    now = {PlanKey(row.vehicle_id, row.price_name): row for _, row in plans}
    shown = {PlanKey(each.vehicle, each.price_name): each.price_paise for each in request.shown}
    others = [row for key, row in now.items() if key in shown and row.price_paise != shown[key]]
    if others:
        views = [prices.view_of(row) for row in others]
        raise prices.PricesChangedError({view.key: prices.in_words(view) for view in views}, views)


def _changed(paise: int, request: BulkRequest) -> int:
    """A price after the change, in whole rupees."""
    if request.percent is None:
        return paise + (request.amount or 0) * PAISE_PER_RUPEE
    rupees = (paise * (100 + request.percent) + 100 * PAISE_PER_RUPEE // 2) // (100 * PAISE_PER_RUPEE)
    return rupees * PAISE_PER_RUPEE


def _require_possible(plans: Sequence[Plan], after: Sequence[int], request: BulkRequest) -> None:
    """Raise InvalidInputError naming the vehicles whose prices would be nothing, or too high."""
    problems = [
        f"{vehicle.rc_number}: {row.price_name} would be {format_rupees(max(0, new))}"
        for (vehicle, row), new in zip(plans, after, strict=True)
        if not 0 < new <= DEAREST
    ]
    if problems:
        more = f"; and {len(problems) - 5} more" if len(problems) > 5 else ""
        message = f"{'; '.join(problems[:5])}{more}. A price is from ₹1 to {format_rupees(DEAREST)}"
        field = "percent" if request.percent is not None else "amount"
        raise InvalidInputError(message, code="impossible_price", fields={field: message})


def _titles(session: Session, request: BulkRequest) -> dict[int, str]:
    named = titled(select(col(Vehicle.id), TITLE).select_from(Vehicle)).where(col(Vehicle.id).in_(request.ids))
    return {row[0]: row[1] for row in session.execute(named)}


def _terms(session: Session, actor: Actor, request: BulkRequest) -> BulkAnswer:
    terms = {name: getattr(request, name) for name in TERMS if getattr(request, name) is not None}
    if request.kms_limit is not None:
        _limit_kilometres(session, actor, request, request.kms_limit)
    for vehicle in _fleet(session, request) if terms else ():
        before, after = changes({name: getattr(vehicle, name) for name in terms}, terms)
        vehicle.sqlmodel_update(terms)
        audit.record(session, actor, Act.LISTING_CHANGED, ("vehicle", vehicle.id or 0), before=before, after=after)
    return BulkAnswer(message=f"Terms of {_counted(request)} changed")


def _limit_kilometres(session: Session, actor: Actor, request: BulkRequest, kms_limit: int) -> None:
    named = request.plan or FULL_DAY
    plans = select(VehiclePrice).where(
        col(VehiclePrice.vehicle_id).in_(request.ids), col(VehiclePrice.price_name) == named
    )
    rows_of_plan = session.scalars(plans.order_by(col(VehiclePrice.vehicle_id))).all()
    if not rows_of_plan:
        raise ConflictError(NO_PRICES, code="not_priced")
    for row in rows_of_plan:
        before, row.kms_limit = {named: {"kms_limit": row.kms_limit}}, kms_limit
        subject, now = ("vehicle", row.vehicle_id), {named: {"kms_limit": kms_limit}}
        audit.record(session, actor, Act.PRICES_CHANGED, subject, before=before, after=now)


def _renew(session: Session, actor: Actor, request: BulkRequest) -> BulkAnswer:
    if request.paper is None or request.valid_until is None:
        raise AssertionError("checked by require_sense")
    notes = {
        renewal.set_date(session, actor, vehicle, request.paper, request.valid_until)
        for vehicle in _fleet(session, request)
    }
    parts = [f"{request.paper} of {_counted(request)} renewed.", *sorted(filter(None, notes))]
    return BulkAnswer(message=" ".join(parts))


def _counted(request: BulkRequest) -> str:
    return counted(len(request.ids), "vehicle")


Service = Callable[[Session, Actor, BulkRequest], BulkAnswer]
_ACTIONS: dict[BulkAction, Service] = {
    "pause": _switch,
    "resume": _switch,
    "block": _block,
    "price": _price,
    "terms": _terms,
    "renew": _renew,
}
