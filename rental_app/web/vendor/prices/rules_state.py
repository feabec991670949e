"""Price rules: listed, tried out while they are typed, added, changed and removed."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError, RentalError
from rental_app.domain.ids import read_id
from rental_app.schemas.prices import PreviewRequest, PriceRuleIn
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.fleet import price_rules
from rental_app.web.session.base import PrivateState, read, removed, write
from rental_app.web.session.browser_drafts import read_draft
from rental_app.web.session.events import close_dialog, focus, open_dialog, success_toast
from rental_app.web.session.handlers import form_handler
from rental_app.web.session.vendor_auth import manager_action, manager_change, manager_load
from rental_app.web.vendor.prices.rules_presenter import (
    DATES,
    FIELDS,
    NEW,
    PreviewText,
    RuleLine,
    preview_text,
    rental_of_form,
    rule_line,
    rule_of_form,
)
from rental_app.web.vendor.prices.state import PricesState

RULE, REMOVE = "price-rule", "remove-price-rule"
LONGEST = 40


class PriceRulesState(PrivateState):
    """The rules shown, and the one in the dialog, if that is being edited; `rule` is 0 for a new one."""

    rules: list[RuleLine] = []
    problem: str = ""
    rule: int = 0
    editing: bool = False
    # The initial values of the dialog's form; what is typed stays in the browser and is noted below.
    form: dict[str, str] = {}
    by_dates: bool = False
    # Weekdays that do not follow one another, which a call may have chosen.
    apart: str = ""
    for_all: bool = True
    errors: dict[str, str] = {}
    preview: PreviewText | None = None
    preview_problem: str = ""
    busy: bool = False
    asked_about: str = ""
    _typed: dict[str, str] = {}

    @manager_load
    async def load(self, actor: Actor) -> None:
        """Show the rules."""
        await self._show(actor)

    @manager_action
    async def begin(self, actor: Actor) -> AsyncIterator[Any]:
        """Open the dialog for a new rule."""
        await self._fill(actor, 0, NEW)
        yield open_dialog(RULE)

    @manager_action
    async def edit(self, actor: Actor, rule_id: int) -> AsyncIterator[Any]:
        """Open the dialog on one of the rules."""
        if line := self._line(rule_id):
            await self._fill(actor, line.id, line.form)
            yield open_dialog(RULE)

    @manager_action
    async def regain(self, actor: Actor, _lost: int | bool, draft: str) -> None:
        """Fill the open dialog again after the server has lost it, with what its form held."""
        form = read_draft(draft)
        await self._fill(actor, _rule_of(form), _rule_fields(form))

    @manager_action
    async def note_typed(self, actor: Actor, typed: dict[str, str]) -> None:
        """Try out the rule as it is typed."""
        fields = _rule_fields(typed)
        self.errors = {name: text for name, text in self.errors.items() if name not in fields}
        await self._try(actor, self._typed | fields)

    @manager_change
    @form_handler()
    async def save(self, actor: Actor, form: dict[str, Any]) -> AsyncIterator[Any]:
        """Add or change the rule in the dialog; refusals are explained beside their fields."""
        texts = {name: str(form.get(name) or "")[:LONGEST] for name in FIELDS}
        rule, request = _rule_of(form), validated(PriceRuleIn, rule_of_form(texts))
        if rule:
            await write(price_rules.change, actor, rule, request)
        else:
            await write(price_rules.add, actor, request)
        yield close_dialog(RULE)
        yield success_toast(price_rules.CHANGED if rule else price_rules.ADDED)
        await self._show(actor)

    def _begins(self, _form: object) -> bool:
        self.errors = {}
        return True

    async def _refused(self, error: RentalError) -> AsyncIterator[Any]:
        messages = {"when" if name.startswith("weekday") else name: text for name, text in error.fields.items()}
        self.errors = {name: messages[name] for name in FIELDS if name in messages}
        if self.errors:
            yield focus(field_id(next(iter(self.errors))))
        raise error

    @manager_action
    async def ask_remove(self, _actor: Actor, rule_id: int) -> AsyncIterator[Any]:
        """Ask before a rule is removed."""
        if line := self._line(rule_id):
            self.rule, self.asked_about = line.id, f"{line.days}, {line.vehicles}: {line.change}"
            yield open_dialog(REMOVE)

    @manager_change
    async def remove(self, actor: Actor) -> AsyncIterator[Any]:
        """Remove the rule asked about."""
        toast = await removed(price_rules.remove, actor, self.rule)
        yield close_dialog(REMOVE)
        yield toast
        await self._show(actor)

    def _line(self, rule_id: int) -> RuleLine | None:
        return next((line for line in self.rules if line.id == rule_id), None)

    async def _fill(self, actor: Actor, rule_id: int, form: Mapping[str, str]) -> None:
        choices = (await self.get_state(PricesState)).choices
        self.rule, self.editing, self.errors = rule_id, True, {}
        self.apart = form.get("when", "") if "," in form.get("when", "") else ""
        self.form = {"car": choices[0].value if choices else ""} | dict(form)
        await self._try(actor, self.form)

    async def _try(self, actor: Actor, typed: Mapping[str, str]) -> None:
        """Price a rental under the typed rule; without a percentage there is nothing to show."""
        self._typed = dict(typed)
        self.by_dates, self.for_all = typed.get("when") == DATES, not typed.get("vehicle")
        self.preview, self.preview_problem = None, ""
        if not typed.get("percent"):
            return
        today = clock.indian_today(clock.now())
        try:
            rental = rental_of_form(typed, today)
            request = validated(PreviewRequest, rule_of_form(typed) | rental | {"rule": self.rule or None})
            self.preview = preview_text(await read(price_rules.preview, actor, request))
        except InvalidInputError as error:
            message = "; ".join(error.fields.values()) or error.message
            self.preview_problem = "Choose the days of pickup and return" if error.code == "bad_date" else message
        except RentalError as error:
            self.preview_problem = error.message

    async def _show(self, actor: Actor) -> None:
        names = {choice.value: choice.label for choice in (await self.get_state(PricesState)).choices}
        self.rules = [rule_line(rule, names) for rule in await read(price_rules.of_vendor, actor)]
        self.problem = ""


def field_id(name: str) -> str:
    """The id of a field of the dialog."""
    return f"rule-{name}"


def _rule_of(form: Mapping[str, Any]) -> int:
    """The rule that a form was opened on, which it names itself: the server may have lost it since; 0 for a new one."""
    return read_id(str(form.get("rule") or ""))


def _rule_fields(form: Mapping[str, str]) -> dict[str, str]:
    return {name: text[:LONGEST] for name, text in form.items() if name in FIELDS}
