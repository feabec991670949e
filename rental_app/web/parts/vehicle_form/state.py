"""What Add New Vehicle and Edit Vehicle share: dependent drop-downs, the pricing table, checks of what is typed."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

from rental_app.domain import clock
from rental_app.domain.errors import RentalError
from rental_app.schemas.catalogue import ModelView, PlanView
from rental_app.schemas.vehicles import ELSEWHERE, PickupPlace, VendorPrice
from rental_app.services import catalogue
from rental_app.services.accounts.actor import Actor
from rental_app.services.fleet import listing_checks, own_vehicles
from rental_app.services.fleet.prices import NOT_PRICED
from rental_app.web.parts.presenters.texts import Choice
from rental_app.web.parts.sent_form.state import SentForm
from rental_app.web.parts.vehicle_form.presenter import (
    PlanRow,
    choices,
    plan_rows,
    price_rows,
    source_name,
    source_named,
    typed_figures,
    verdict,
)
from rental_app.web.session.base import read
from rental_app.web.session.browser_drafts import LONGEST_NAME, MOST_FIELDS
from rental_app.web.session.events import error_toast, set_value, success_toast
from rental_app.web.session.handlers import of_the_day
from rental_app.web.session.vendor_auth import manager_action

LONGEST_TEXT = 6000

NOTHING_TO_CHOOSE = "There is nothing to choose from yet: please write to us"


class VehicleForm(SentForm, mixin=True):
    """The parts of a vehicle's form that depend on one another. What is typed stays in the browser."""

    types: list[Choice] = []
    manufacturers: list[Choice] = []
    models: list[Choice] = []
    type_id: str = ""
    manufacturer_id: str = ""
    model_id: str = ""
    plans: list[PlanRow] = []
    # A new number makes the browser draw the pricing table afresh.
    plans_round: int = 0
    # The vendor's earlier vehicles, as Copy Prices From names them.
    sources: list[str] = []
    extra_payment: bool = False
    # Whether the vehicle is kept at its own address.
    elsewhere: bool = False
    # Whether the data do not know the pincode there: its state is typed.
    asks_for_state: bool = False
    values: dict[str, str] = {}
    notes: dict[str, str] = {}
    # Which lists could not be loaded.
    failures: list[str] = []
    _catalogue: list[ModelView] = []
    _prices: dict[str, VendorPrice] = {}
    # What a draft has for the pricing table, which is shown once there is a model.
    _typed_prices: dict[str, str] = {}
    # The values of the vehicle that is being edited, by field.
    _listed_as: dict[str, str] = {}

    @of_the_day
    def years(self) -> list[str]:
        """The last 20 years, counting back from the current one, and an older vehicle's own."""
        years = [str(year) for year in reversed(listing_checks.years())]
        own = self.values.get("year", "")
        return years if not own or own in years else [*years, own]

    @of_the_day
    def today(self) -> str:
        """The Indian calendar day, YYYY-MM-DD."""
        return clock.indian_today(clock.now()).isoformat()

    @manager_action
    async def choose_type(self, actor: Actor, type_id: str) -> AsyncIterator[Any]:
        """Choose a vehicle type: manufacturer and model are reset."""
        self.type_id, self.manufacturer_id, self.model_id = _number(type_id), "", ""
        self.manufacturers, self.models, self._catalogue = [], [], []
        self._show_plans()
        self._forget("vehicleType", "manufacturer", "model")
        for toast in await self._load_choices(actor):
            yield toast

    @manager_action
    async def choose_manufacturer(self, actor: Actor, manufacturer_id: str) -> AsyncIterator[Any]:
        """Choose a manufacturer: the model is reset."""
        self.manufacturer_id, self.model_id = _number(manufacturer_id), ""
        self.models, self._catalogue = [], []
        self._show_plans()
        self._forget("manufacturer", "model")
        for toast in await self._load_choices(actor):
            yield toast

    @manager_action
    async def choose_model(self, _actor: Actor, model_id: str) -> None:
        """Choose a model: the pricing table shows its plans."""
        self.model_id = _number(model_id)
        self._show_plans()
        self._forget("model")

    @manager_action
    async def set_extra_payment(self, _actor: Actor, wanted: bool) -> None:
        """Show or hide the drop-off and pickup payments."""
        self.extra_payment = wanted is True

    @manager_action
    async def choose_standing(self, _actor: Actor, chosen: str) -> None:
        """Show or hide the vehicle's own address."""
        self.elsewhere, self.asks_for_state = chosen == ELSEWHERE, False
        self._forget(*PickupPlace.model_fields, "zipCode")

    @manager_action
    async def check(self, _actor: Actor, typed: dict[str, str]) -> None:
        """Show beside each field what is wrong with what was just typed."""
        fields = [(str(name)[:LONGEST_NAME], str(text)[:LONGEST_TEXT]) for name, text in typed.items()][:MOST_FIELDS]
        # The files of a group were checked as they were chosen.
        self._forget(*(name.removeprefix("files.").removeprefix("drop.") for name, _ in fields))
        self._judge(fields)

    @manager_action
    async def load_again(self, actor: Actor) -> AsyncIterator[Any]:
        """Load the lists that could not be loaded."""
        for toast in await self._load_lists(actor):
            yield toast

    @manager_action
    async def choose_source(self, actor: Actor, text: str) -> AsyncIterator[Any]:
        """Fill the pricing table from the earlier vehicle chosen; any other text is still being typed."""
        for event in await self._copy(actor, text) if text in self.sources else []:
            yield event

    @manager_action
    async def copy_prices(self, actor: Actor, text: str) -> AsyncIterator[Any]:
        """Fill the pricing table from the one earlier vehicle that matches what was typed."""
        for event in await self._copy(actor, text) if text.strip() else []:
            yield event

    async def _copy(self, actor: Actor, text: str) -> list[Any]:
        """Take over the prices of the vehicle that a text names; return the events that report it."""
        source = source_named(text, await read(own_vehicles.assets, actor))
        if source is None:
            return [error_toast("Asset not found")]
        if not source.is_priced:
            return [error_toast(NOT_PRICED)]
        self._prices, self._typed_prices = {price.price_name: price for price in source.prices}, {}
        self._show_prices()
        return [success_toast("Prices copied from selected vehicle!"), set_value("copy-prices", source_name(source))]

    async def _fill(self, actor: Actor, form: Mapping[str, str]) -> list[Any]:
        """Fill the form with what was typed before, as far as it still fits; return toasts for what failed."""
        self.values = {name: text for name, text in form.items() if "." not in name}
        self.extra_payment = form.get("drop_off_pick_extra_payment") == "true"
        self.elsewhere = form.get("stands") == ELSEWHERE
        chosen = (_number(form.get(name, "")) for name in ("vehicleType", "manufacturer", "model"))
        self.type_id, self.manufacturer_id, self.model_id = chosen
        toasts = await self._load_choices(actor)
        if not _offers(self.manufacturers, self.manufacturer_id):
            self.manufacturer_id, self.models, self._catalogue = "", [], []
        if not _offers(self.models, self.model_id):
            self.model_id = ""
        self._typed_prices = price_rows(form)
        self._show_prices()
        self._judge([*self.values.items()])
        return toasts

    def _judge(self, fields: Sequence[tuple[str, str]]) -> None:
        today = clock.indian_today(clock.now())
        verdicts = [(name, *verdict(name, text, today, self._model_plans(), self._listed_as)) for name, text in fields]
        self.errors = self.errors | {name: problem for name, problem, _ in verdicts if problem}
        self.notes = self.notes | {name: note for name, _, note in verdicts if note}
        for name, pincode in fields:
            if name == "zipCode":
                readable = bool(pincode) and name not in self.errors
                self.asks_for_state = readable and not catalogue.is_known(pincode)

    def _judge_prices(self) -> None:
        self._judge([(f"prices.{plan.index}.price", plan.price) for plan in self.plans])

    async def _load_lists(self, actor: Actor) -> list[Any]:
        """Load all lists that the form offers; return toasts for what failed."""
        await self._load_choices(actor)
        assets = await self._listed("Failed to load previous assets", own_vehicles.assets, actor)
        self.sources = [source_name(asset) for asset in assets]
        return [error_toast(failure) for failure in self.failures]

    async def _load_choices(self, actor: Actor) -> list[Any]:
        """Load the lists that the choices require and that are still missing; return toasts for what failed."""
        self.failures = []
        if not self.types:
            self.types = choices(
                await self._listed("Failed to load vehicle types", catalogue.asset_types, actor, int(self.type_id or 0))
            )
            self._explain("vehicleType", self.types)
        if self.type_id and not self.manufacturers:
            of_type = (catalogue.manufacturers, actor, int(self.type_id), int(self.manufacturer_id or 0))
            self.manufacturers = choices(await self._listed("Failed to load manufacturers", *of_type))
            self._explain("manufacturer", self.manufacturers)
        if self.manufacturer_id and not self.models:
            of_maker = (catalogue.models, actor, int(self.manufacturer_id), int(self.model_id or 0))
            self._catalogue = await self._listed("Failed to load models", *of_maker)
            self.models = choices(self._catalogue)
            self._explain("model", self.models)
            self._show_plans()
        return [error_toast(failure) for failure in self.failures]

    def _explain(self, name: str, options: Sequence[Choice]) -> None:
        """Say at a list why there is nothing to choose from."""
        self.notes = {other: text for other, text in self.notes.items() if other != name}
        # What could not be loaded is said above the form.
        if not options and not self.failures:
            self.notes = self.notes | {name: NOTHING_TO_CHOOSE}

    async def _listed(self, failure: str, service: Callable[..., list[Any]], *args: Any) -> list[Any]:
        try:
            return await read(service, *args)
        except RentalError:
            self.failures = [*self.failures, failure]
            return []

    def _show_prices(self) -> None:
        """Show the vendor's changed figures in the pricing table."""
        self.plans_round += 1
        self._show_plans()

    def _show_plans(self) -> None:
        """Show the plans of the model; what is being typed into those of the same name stays."""
        plans = plan_rows(self._model_plans(), self._prices)
        self.plans = [plan.model_copy(update=typed_figures(plan.name, self._typed_prices)) for plan in plans]
        self._forget(*(name for name in [*self.errors, *self.notes] if name.startswith("prices.")))
        self._judge_prices()

    def _model_plans(self) -> list[PlanView]:
        return next((model.prices for model in self._catalogue if str(model.id) == self.model_id), [])

    def _forget(self, *names: str) -> None:
        self.errors = {name: text for name, text in self.errors.items() if name not in names}
        self.notes = {name: text for name, text in self.notes.items() if name not in names}

    def _start_again(self) -> None:
        self.type_id = self.manufacturer_id = self.model_id = ""
        self.manufacturers, self.models, self._catalogue, self._prices, self._typed_prices = [], [], [], {}, {}
        self.values, self.errors, self.notes, self.extra_payment, self.elsewhere = {}, {}, {}, False, False
        self.asks_for_state = False
        self._listed_as = {}
        self._show_prices()


def _offers(choices: Sequence[Choice], value: str) -> bool:
    return any(choice.value == value for choice in choices)


def _number(text: str) -> str:
    return text if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 10 else ""
