"""All prices of a vendor's fleet in one table."""

from rental_app.api.dependencies import CallRouter, CurrentManager, refusals
from rental_app.api.idempotency import OnlyOnce, message_answer
from rental_app.infrastructure.db import read, write
from rental_app.schemas.prices import CopyPrices, FleetPrices, FleetPricesAnswer, PricesRefusal
from rental_app.schemas.wire import Answer
from rental_app.services.fleet import prices
from rental_app.services.fleet.prices import PricesChangedError, PricesRefusedError

router = CallRouter(prefix="/api/vendor/prices", tags=["vendor"])


@router.get("", responses=refusals(401, 403, 429))
def mine(actor: CurrentManager) -> FleetPricesAnswer:
    """Every plan of every vehicle."""
    return FleetPricesAnswer(prices=read(prices.of_vendor, actor))


@router.put("", responses=refusals(400, 401, 403, 404, 409, 429, conflict=PricesRefusal))
def change(actor: CurrentManager, body: FleetPrices) -> Answer:
    """Change plans of any vehicles, all or none; bookings keep their prices.

    Fields left out of an existing plan stay as they are. A plan sent with the values `shown` for it is refused if it
    has been changed since: 409 `prices_changed`, with the current `prices`.
    """
    try:
        return Answer(message=write(prices.change, actor, body))
    except (PricesRefusedError, PricesChangedError) as error:
        # On the wire a plan is named by its position in the list that was sent.
        error.fields = {
            f"{at}.price": error.plans[price.key] for at, price in enumerate(body.root) if price.key in error.plans
        }
        raise


@router.post("/copy", responses=refusals(400, 401, 403, 404, 409, 429))
def copy(actor: CurrentManager, body: CopyPrices, once: OnlyOnce) -> Answer:
    """Copy the plans of one vehicle to others, in place of their own.

    A vehicle without an active Full Day price is not copied from: 409 `not_priced`.
    """
    return once(message_answer, prices.copy, actor, body)
