"""Rules by which a vendor charges more or less on certain days."""

from typing import Annotated

from rental_app.api.dependencies import CallRouter, CurrentManager, id_of, refusals
from rental_app.api.idempotency import OnlyOnce
from rental_app.infrastructure.db import read, write
from rental_app.schemas.prices import PreviewAnswer, PreviewRequest, PriceRuleAnswer, PriceRuleIn, PriceRulesAnswer
from rental_app.schemas.wire import Answer, Id
from rental_app.services.fleet import price_rules

router = CallRouter(prefix="/api/vendor/price-rules", tags=["vendor"])
RuleId = Annotated[Id, id_of("rule")]


@router.get("", responses=refusals(401, 403, 429))
def mine(actor: CurrentManager) -> PriceRulesAnswer:
    """The vendor's price rules. The first to apply to a day counts: dates before weekdays, one vehicle before all."""
    return PriceRulesAnswer(rules=read(price_rules.of_vendor, actor))


@router.post("", responses=refusals(400, 401, 403, 404, 409, 429))
def add(actor: CurrentManager, body: PriceRuleIn, once: OnlyOnce) -> PriceRuleAnswer:
    """Charge more or less on a weekday, or on some days, from the next quote on."""
    return once(lambda rule: PriceRuleAnswer(message=price_rules.ADDED, rule=rule), price_rules.add, actor, body)


@router.post("/preview", responses=refusals(400, 401, 403, 404, 409, 429))
def preview(actor: CurrentManager, body: PreviewRequest) -> PreviewAnswer:
    """What a customer would pay for a vehicle over a window with this rule, and without it."""
    return PreviewAnswer(preview=read(price_rules.preview, actor, body))


@router.put("/{rule_id}", responses=refusals(400, 401, 403, 404, 429))
def change(actor: CurrentManager, rule_id: RuleId, body: PriceRuleIn) -> PriceRuleAnswer:
    """Replace a price rule, from the next quote on."""
    return PriceRuleAnswer(message=price_rules.CHANGED, rule=write(price_rules.change, actor, rule_id, body))


@router.delete("/{rule_id}", responses=refusals(401, 403, 404, 429))
def remove(actor: CurrentManager, rule_id: RuleId) -> Answer:
    """Remove a price rule."""
    return Answer(message=write(price_rules.remove, actor, rule_id))
