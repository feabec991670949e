"""What the vehicle form offers, and what it says about what is typed."""

from collections.abc import Mapping, Sequence
from datetime import date

from pydantic import BaseModel

from rental_app.domain.errors import InvalidInputError
from rental_app.domain.money import format_rupees, to_rupees
from rental_app.domain.papers import expiry_note, lapse_problem
from rental_app.domain.pricing import PLAN_NAMES
from rental_app.schemas.catalogue import CatalogueItem, PlanView
from rental_app.schemas.validation import validated
from rental_app.schemas.vehicles import Asset, PriceIn, VehicleData, VendorPrice, VendorVehicle
from rental_app.web.parts.presenters.texts import Choice

PAPERS = {"insurance_expiry_date": "Insurance", "pollution_expiry_date": "The pollution certificate"}


class PlanRow(BaseModel):
    """A row of the pricing table as the form first shows it."""

    index: int
    name: str
    info: str
    price: str
    kms_limit: str
    active: bool


def form_values(vehicle: VendorVehicle) -> dict[str, str]:
    """A listed vehicle in the fields of the form that lists one."""
    wire = vehicle.model_dump(mode="json", by_alias=True, exclude={"files", "asset_model"})
    return {name: str(value) for name, value in wire.items() if isinstance(value, str | int | float)}


def choices(items: Sequence[CatalogueItem]) -> list[Choice]:
    """Things of the catalogue as options."""
    return [Choice(value=str(item.id), label=item.name) for item in items]


def source_name(asset: Asset) -> str:
    """The name of an earlier vehicle in Copy Prices From."""
    return f"{asset.asset_manufacturer} {asset.asset_model.name} - {asset.rc_number}"


def source_named(text: str, assets: Sequence[Asset]) -> Asset | None:
    """The earlier vehicle of that name, or else the only one whose name contains all words of the text."""
    words = text.lower().split()
    named = [asset for asset in assets if source_name(asset) == text]
    fitting = named or [asset for asset in assets if all(word in source_name(asset).lower() for word in words)]
    return fitting[0] if len(fitting) == 1 else None


def plan_rows(plans: Sequence[PlanView], own: Mapping[str, VendorPrice]) -> list[PlanRow]:
    """The pricing table for a model's plans, with the vendor's own figures where there are any."""
    return [_plan_row(index, plan, own) for index, plan in enumerate(plans)]


def _plan_row(index: int, plan: PlanView, own: Mapping[str, VendorPrice]) -> PlanRow:
    price = own.get(plan.price_name)
    return PlanRow(
        index=index,
        name=plan.price_name,
        # No break between a word and its figure.
        info=f"Min:\u00a0{format_rupees(plan.recommended_price)} Max:\u00a0{format_rupees(plan.max_price)}",
        price=str(to_rupees(price.price_paise)) if price else "",
        kms_limit=str(price.kms_limit) if price else "",
        # A plan without a price is not offered if the vehicle has other prices.
        active=price.status == "Active" if price else not own,
    )


def price_rows(form: Mapping[str, str]) -> dict[str, str]:
    """What was typed into the rows of the pricing table, by field."""
    return {name: text for name, text in form.items() if name.startswith("prices.")}


def typed_figures(plan: str, form: Mapping[str, str]) -> dict[str, str | bool]:
    """What was typed into the pricing table for a plan, if its row was shown."""
    rows = (name.removesuffix(".price_name") for name, text in form.items() if text == plan)
    row = next((row for row in rows if f"{row}.price_name" in form), "")
    if not row:
        return {}
    figures = {name: form.get(f"{row}.{name}", "") for name in ("price", "kms_limit")}
    return figures | {"active": form.get(f"{row}.status") == "Active"}


def verdict(
    name: str, text: str, today: date, plans: Sequence[PlanView] = (), listed: Mapping[str, str] = {}
) -> tuple[str, str]:
    """What is wrong with a field, and what the vendor should know about it.

    `plans` are those of the chosen model, `listed` the values of a vehicle that is being edited.
    """
    if problem := _problem_with(name, text):
        return problem, ""
    if name in PAPERS and text:
        if text != listed.get(name) and (problem := lapse_problem(date.fromisoformat(text), today)):
            return problem, ""
        day = date.fromisoformat(text)
        note = expiry_note(PAPERS[name], day, today)
        more = ": customers cannot book the vehicle until it is renewed" if day < today else ""
        return "", (f"{note}{more}" if note else "")
    for index, plan in enumerate(plans):
        if name == f"prices.{index}.price" and text.strip():
            return "", _price_note(validated(PriceIn, {"price_name": plan.price_name, "price": text}), plan)
    return "", ""


def _price_note(price: PriceIn, plan: PlanView) -> str:
    """Advice, never a refusal: bounds are displayed only (specification, section 5)."""
    if not price.price_paise or plan.recommended_price <= price.price_paise <= plan.max_price:
        return ""
    side = "Below" if price.price_paise < plan.recommended_price else "Above"
    usual = f"{format_rupees(plan.recommended_price)} to {format_rupees(plan.max_price)}"
    return f"{side} the advised {usual}. The choice is yours."


def _problem_with(name: str, value: str) -> str:
    """What is wrong with one submitted field by itself; '' when nothing is, it is blank, or there is no such field."""
    *price, part = name.split(".")
    try:
        if value.strip() and price:
            validated(PriceIn, {"price_name": PLAN_NAMES[0], part: value})
        elif value.strip():
            validated(VehicleData, {part: value})
    except InvalidInputError as error:
        return error.fields.get(part, "")
    return ""
