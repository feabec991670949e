"""The steps of a handover and of a return, done on a phone beside the vehicle."""

from typing import Any

import reflex as rx

from rental_app.domain.clock import HORIZON
from rental_app.domain.uploads import DAMAGE_GROUP, PUBLIC_GROUPS
from rental_app.schemas.validation import LABELS
from rental_app.schemas.wire import MAX_TEXT
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.field import field, field_error
from rental_app.web.parts.presenters.documents import SeenDocument
from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.parts.presenters.trip import PAPERS
from rental_app.web.parts.theme import BUTTON, CHECKBOX, MUTED
from rental_app.web.react.browser_draft import drafted
from rental_app.web.react.compared import compared
from rental_app.web.react.date_time_picker import past_input
from rental_app.web.react.form_changes import form_changes
from rental_app.web.react.modal import opens
from rental_app.web.react.uploads import trip_photos
from rental_app.web.react.walk import part_of
from rental_app.web.vendor.booking.account import due_now
from rental_app.web.vendor.booking.presenter import VendorTrip
from rental_app.web.vendor.booking.readings_presenter import (
    FUEL,
    ODOMETER,
    ChargedLine,
    ComparedFigure,
    DamageText,
    DoneStep,
    SettlementText,
    Side,
)
from rental_app.web.vendor.booking.readings_state import TAKE_BACK
from rental_app.web.vendor.booking.readings_state import ReadingState as State
from rental_app.web.vendor.booking.state import PAYMENTS, VendorTripState

_NUMBER: dict[str, Any] = {"input_mode": "numeric", "auto_complete": "off", "max_length": 12}


def handover_steps() -> rx.Component:
    """What is done beside the vehicle when it goes out."""
    trip = VendorTripState.trip
    return rx.fragment(
        _step(
            "papers",
            "See the documents",
            _papers(),
            after="Next: readings",
            hint="Hold each original beside the person. Nothing is copied.",
        ),
        _readings(),
        _photos(),
        _step(
            "helmets",
            "Helmets",
            _count("helmets", rx.cond(State.draft.helmets, State.draft.helmets, trip.helmets_due)),
            after="Next: money",
            hint="How many go out with the customer.",
        ),
        _money(trip),
        _part(
            "done",
            "Hand it over",
            rx.el.p("The readings and photos are final then, and the customer sees them at once.", class_name=MUTED),
            _folded(),
            _when("Went out at", "wentOutAt", State.draft.went_out, State.note_went_out),
            _still_missing(),
            _foot(button("Hand over ", trip.plate, variant="primary", on_click=State.hand_over, disabled=State.busy)),
        ),
    )


def return_steps() -> rx.Component:
    """What is done beside the vehicle when it comes back."""
    before = VendorTripState.trip.before
    return rx.fragment(
        _readings(),
        _photos(),
        _step(
            "helmets",
            "Helmets",
            _count("helmets", State.draft.helmets),
            _was("At the handover: ", before.helmets),
            after="Next: speeding fines",
            hint="How many came back.",
        ),
        _step(
            "speedings",
            "Speeding fines",
            _count("speedings", rx.cond(State.draft.speedings, State.draft.speedings, "0")),
            after="Next: damages",
        ),
        _damages(),
        _check(),
    )


def _part(name: str, title: str, *content: rx.Component, is_titled: bool = True) -> rx.Component:
    look = "text-[26px] leading-8 font-bold tracking-tight text-(--ink)" if is_titled else "sr-only"
    return rx.el.section(
        rx.el.h2(title, tab_index=-1, class_name=look),
        *content,
        custom_attrs=part_of(name) | {"aria-label": title},
    )


def _foot(*content: rx.Component) -> rx.Component:
    return rx.el.div(*content, class_name="walk-foot")


def _step(
    name: str, title: str, *content: rx.Component, after: str, hint: str = "", is_titled: bool = True
) -> rx.Component:
    form = f"step-{name}"
    return _part(
        name,
        title,
        rx.el.p(hint, class_name=MUTED) if hint else rx.fragment(),
        rx.el.form(
            rx.el.input(type="hidden", name="step", value=name, read_only=True),
            *content,
            _foot(submit(after)),
            id=form,
            # So that nothing that another phone has changed stays in it.
            key=f"{name}-{State.round}",
            on_submit=State.note,
            no_validate=True,
            auto_complete="off",
            custom_attrs={"aria-label": title},
            class_name="flex flex-1 flex-col gap-4",
        ),
        form_changes(form, on_typed=State.note_typed),
        is_titled=is_titled,
    )


def _was(*text: rx.Var[Any] | str) -> rx.Component:
    return rx.el.p(*text, class_name=f"{MUTED} -mt-2 text-sm")


def _readings() -> rx.Component:
    before = VendorTripState.trip.before
    odometer = _was("At the handover: ", before.read)
    fuel = _was("At the handover: ", before.filled)
    return _step(
        "readings",
        "Readings",
        *_odometer(),
        rx.cond(before, odometer),
        _fuel(),
        rx.cond(before, fuel),
        after="Next: photos",
    )


_WORDS = "cursor-pointer rounded-full font-medium text-(--ink) hover:bg-(--gray-a3)"


def _money(trip: rx.Var[VendorTrip]) -> rx.Component:
    def foot(*record: rx.Component) -> rx.Component:
        onward = button(
            "Hand over with money unpaid" if record else "Next: hand over",
            on_click=State.after_money,
            class_name=_WORDS if record else BUTTON["primary"],
        )
        return _foot(*record, onward)

    return _part(
        "money",
        "Take the money",
        rx.el.dl(rx.foreach(trip.payments.handover, _line), class_name="border-y border-(--line) py-1"),
        rx.el.div(due_now(trip, foot), id=PAYMENTS, tab_index=-1, class_name="flex flex-1 flex-col gap-4"),
    )


def _line(line: rx.Var[Fact]) -> rx.Component:
    look = "flex justify-between gap-3 py-2.5 last:border-t last:border-(--line) last:font-bold"
    return rx.el.div(
        rx.el.dt(line.label), rx.el.dd(line.value, class_name="tabular-nums"), class_name=look, key=line.label
    )


def _check() -> rx.Component:
    return _part(
        "done",
        "Check and finish",
        rx.el.p("Due ", VendorTripState.trip.due_back, ".", class_name=MUTED),
        _sides_compared(),
        _figures_compared(),
        _when("Came back at", "cameBackAt", State.draft.came_back, State.note_came_back),
        _breakdown(),
        rx.cond(State.settlement, _settlement(State.settlement)),
        _folded(),
        _still_missing(),
        _foot(
            button("Receive vehicle", variant="primary", custom_attrs=opens(TAKE_BACK) | {"aria-haspopup": "dialog"})
        ),
    )


def _when(label: str, name: str, text: rx.Var[str], handler: rx.EventHandler) -> rx.Component:
    """When it happened, if it is noted only later."""
    return field(
        label,
        name,
        control=past_input(label, days_back=HORIZON.days),
        box="min-w-0",
        default_value=text,
        # Not a moment later: what is pressed next acts by it.
        on_change=handler,
        key=f"{name}-{State.round}",
        error=State.errors[name],
        hint="Leave it empty if it is just now. The customer sees both times.",
    )


def _breakdown() -> rx.Component:
    return rx.el.label(
        rx.el.input(
            type="checkbox",
            checked=State.draft.broke_down,
            on_change=State.note_breakdown,
            class_name=CHECKBOX,
        ),
        rx.el.span(
            rx.el.strong("It broke down"),
            ": nothing is charged for being late, and another vehicle can go on with the trip.",
        ),
        class_name="flex min-h-11 items-center gap-3",
    )


def _folded() -> rx.Component:
    """The steps that are done, a line each; a wrong one is undone and done again."""
    return rx.cond(
        State.draft.folded,
        rx.el.ul(
            rx.foreach(State.draft.folded, _done_step),
            class_name="list-none divide-y divide-(--line) border-y border-(--line) p-0",
            custom_attrs={"aria-label": "Done"},
        ),
    )


def _done_step(one: rx.Var[DoneStep]) -> rx.Component:
    return rx.el.li(
        rx.icon("check", size=18, class_name="shrink-0 text-(--good)"),
        rx.el.span(one.label, class_name="font-medium"),
        rx.el.span(one.text, class_name=f"{MUTED} min-w-0 flex-1 text-right"),
        button(
            "Undo",
            rx.el.span(" ", one.label, class_name="sr-only"),
            on_click=State.undo(one.name),
            class_name="min-h-11 cursor-pointer px-1 font-semibold text-(--accent-11) underline",
        ),
        key=one.name,
        class_name="flex min-h-12 items-center gap-3",
    )


def _still_missing() -> rx.Component:
    return rx.cond(State.draft.missing, rx.el.p("Still to do: ", State.draft.missing, role="status", class_name=MUTED))


def _sides_compared() -> rx.Component:
    chip = (
        "inline-flex min-h-11 flex-1 cursor-pointer items-center justify-center gap-1 rounded-full border"
        " border-(--gray-a7) px-2 text-sm font-medium aria-pressed:border-(--chosen) aria-pressed:bg-(--chosen)"
        " aria-pressed:text-(--surface)"
    )
    chips = [
        button(
            side,
            rx.cond(
                rx.Var.create(State.seen).contains(side),
                rx.icon("check", size=16, custom_attrs={"aria-label": "compared"}),
            ),
            on_click=State.compare(side),
            class_name=chip,
            custom_attrs={"aria-pressed": rx.cond(State.side == side, "true", "false")},
        )
        for side in PUBLIC_GROUPS
    ]
    return rx.el.div(
        rx.el.div(*chips, class_name="flex gap-2"),
        rx.foreach(State.draft.sides, lambda side: rx.cond(State.side == side.name, _pair(side))),
        button(
            "A new mark? Charge it",
            on_click=State.go("damages"),
            class_name="min-h-11 cursor-pointer self-start font-semibold text-(--red-11) underline",
        ),
        custom_attrs={"aria-label": "Photos compared", "role": "group"},
        class_name="flex flex-col gap-3",
    )


def _pair(side: rx.Var[Side]) -> rx.Component:
    taken = VendorTripState.trip.facts.handover.at
    return compared(side.name, before=side.before, before_when=f"Handover, {taken}", now=side.now, now_when="Now")


def _figures_compared() -> rx.Component:
    head = "py-2 pl-3 text-right text-sm font-medium"
    return rx.el.table(
        rx.el.thead(
            rx.el.tr(
                rx.el.th("Reading", scope="col", class_name="py-2 text-left text-sm font-medium"),
                *[rx.el.th(text, scope="col", class_name=head) for text in ("Handover", "Now", "Difference")],
            ),
            class_name=MUTED,
        ),
        rx.el.tbody(rx.foreach(State.draft.compared, _compared)),
        class_name="w-full tabular-nums",
    )


def _compared(row: rx.Var[ComparedFigure]) -> rx.Component:
    asks = button(
        row.difference,
        rx.el.span(": charge it", class_name="sr-only"),
        on_click=State.go("damages"),
        class_name="min-h-11 cursor-pointer font-semibold text-(--red-11) underline",
    )
    return rx.el.tr(
        rx.el.th(row.label, scope="row", class_name="py-2 text-left font-normal"),
        rx.el.td(row.before, class_name="pl-3 text-right"),
        rx.el.td(row.now, class_name="pl-3 text-right"),
        rx.el.td(rx.cond(row.is_less, asks, row.difference), class_name="pl-3 text-right"),
        key=row.label,
        class_name="border-t border-(--line)",
    )


def _papers() -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(LABELS["papersSeen"], class_name="sr-only"),
        rx.el.input(type="hidden", name="papers", value="1"),
        rx.cond(
            VendorTripState.documents,
            rx.foreach(VendorTripState.documents.rows, _sent_paper),
            rx.fragment(*[_paper(name, label, _papers_icon(name)) for name, label in PAPERS.items()]),
        ),
        field_error("papersSeen", State.errors["papersSeen"]),
    )


# Drawn below the check box before it, which is as large, for a thumb.
_TICK = (
    "grid size-12 shrink-0 place-items-center rounded-[14px] border-2 border-[#7f8e8a] text-transparent"
    " peer-checked:border-(--accent-9) peer-checked:bg-(--accent-9) peer-checked:text-(--accent-contrast)"
    " peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-(--brand)"
)
_PAPER_ICONS = {
    "government_id": "landmark",
    "licence": "id-card",
    "work_proof": "briefcase",
    "residence_proof": "house",
}


def _papers_icon(name: str) -> rx.Component:
    return rx.icon(_PAPER_ICONS[name], size=20)


def _sent_paper(one: rx.Var[SeenDocument]) -> rx.Component:
    """A document of which we know how it stands: one that we have checked is ticked from the start."""
    icon = _papers_icon("residence_proof")
    for name in ("work_proof", "licence", "government_id"):
        icon = rx.cond(one.at_handover == name, _papers_icon(name), icon)
    is_checked = (one.state == "accepted") & (one.problem == "")
    wrong = rx.el.span(one.problem, class_name="block text-sm font-normal text-(--red-11)")
    checked = rx.el.span("Checked by us", class_name="block text-sm font-normal text-(--good)")
    label = rx.fragment(one.title, rx.cond(one.problem, wrong, rx.cond(is_checked, checked)))
    return rx.fragment(_paper(one.at_handover, label, icon, is_checked), key=one.at_handover)


def _paper(
    name: rx.Var[str] | str, label: rx.Component | str, icon: rx.Component, is_checked: rx.Var[bool] | bool = False
) -> rx.Component:
    return rx.el.label(
        rx.el.span(
            icon,
            class_name="grid size-11 shrink-0 place-items-center rounded-xl bg-(--gray-a3) text-(--accent-11)",
        ),
        rx.el.span(label, class_name="flex-1 font-semibold"),
        rx.el.input(
            type="checkbox",
            name=name,
            default_checked=rx.Var.create(State.draft.papers).contains(name) | is_checked,
            class_name="peer absolute right-0 z-1 size-12 cursor-pointer opacity-0",
        ),
        rx.el.span(rx.icon("check", size=24), class_name=_TICK),
        class_name="relative flex min-h-16 cursor-pointer items-center justify-between gap-3 border-b border-(--line)",
    )


def _odometer() -> tuple[rx.Component, ...]:
    return (
        field(
            "Odometer (km)",
            "odometer",
            default_value=State.draft.odometer,
            error=State.errors["odometer"],
            **_NUMBER,
        ),
        trip_photos(ODOMETER, noted=True, waiting=State.draft.odometer_photos, errors=State.errors),
    )


def _fuel() -> rx.Component:
    return field(
        "How full, in eighths",
        "fuelEighths",
        rx.el.option("Choose", value=""),
        *[rx.el.option(choice.label, value=choice.value) for choice in FUEL],
        control=rx.el.select,
        default_value=State.draft.fuel,
        error=State.errors["fuelEighths"],
    )


def _photos() -> rx.Component:
    # The side that is to be photographed stands as the title.
    return _step(
        "photos",
        "Photos",
        trip_photos(
            *PUBLIC_GROUPS,
            framed=True,
            before=State.draft.sides,
            noted=True,
            waiting=State.draft.photos,
            errors=State.errors,
        ),
        after="Next: helmets",
        is_titled=False,
    )


def _count(name: str, value: rx.Var[str]) -> rx.Component:
    return field(LABELS[name], name, default_value=value, error=State.errors[name], **_NUMBER)


def _damages() -> rx.Component:
    return _part(
        "damages",
        "Damages",
        rx.el.p("What is broken, missing or less than at the handover, each with a photo and its price."),
        rx.foreach(State.draft.compared, _difference),
        rx.el.ul(rx.foreach(State.draft.damages, _damage), class_name="list-none p-0"),
        rx.el.form(
            field("What is damaged", "note", max_length=MAX_TEXT, error=State.errors["note"]),
            field(
                "Price (₹)",
                "amount",
                input_mode="decimal",
                max_length=12,
                error=State.errors["amount"],
            ),
            trip_photos(DAMAGE_GROUP, most=1, waiting=rx.Var.create([]), errors=State.errors),
            submit("Add damage", variant="quiet", extra="min-h-11 self-start"),
            key=f"damage-{State.damage_round}",
            on_submit=State.add_damage,
            no_validate=True,
            auto_complete="off",
            custom_attrs=drafted("damage") | {"aria-label": "Damage"},
            class_name="flex flex-col gap-3",
        ),
        _foot(button("Next: check and finish", variant="primary", on_click=State.go("done"))),
    )


def _difference(row: rx.Var[ComparedFigure]) -> rx.Component:
    text = rx.el.p(row.label, ": ", rx.el.strong(row.difference), ". Charge it here?", class_name="text-(--red-11)")
    return rx.cond(row.is_less, text)


def _damage(damage: rx.Var[DamageText]) -> rx.Component:
    return rx.el.li(
        rx.el.span(damage.note, ": ", rx.el.strong(damage.amount), class_name="wrap-anywhere"),
        button("Remove", rx.el.span(" ", damage.note, class_name="sr-only"), on_click=State.drop_damage(damage.id)),
        class_name="flex items-center justify-between gap-3 py-2",
    )


# What goes back stands last.
_SUMS = "mt-2 grid grid-cols-3 gap-3 rounded-2xl bg-(--gray-a3) px-4 py-3 text-(--ink) [&>:last-child_dd]:text-(--good)"


def _settlement(costs: rx.Var[SettlementText]) -> rx.Component:
    return rx.el.div(
        rx.el.h3("What is kept", class_name="text-lg font-bold text-(--ink)"),
        rx.cond(
            costs.lines,
            rx.el.dl(rx.foreach(costs.lines, _kept_line), class_name="divide-y divide-(--line)"),
            rx.el.p("Nothing beyond the rent.", class_name=MUTED),
        ),
        rx.cond(
            costs.fuel,
            rx.el.p("Fuel or charge: ", rx.el.strong(costs.fuel), ". It costs what you add for it under Damages."),
        ),
        rx.el.dl(rx.foreach(costs.sums, _sum), class_name=_SUMS),
        rx.el.p("Rent after it: ", costs.rent, ". Deposit: ", costs.deposit, ".", class_name=f"{MUTED} mt-1 text-sm"),
        role="status",
        custom_attrs={"aria-label": "What a return now costs"},
        class_name="flex flex-col gap-1",
    )


def _kept_line(line: rx.Var[ChargedLine]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(line.label, rx.cond(line.how, rx.el.span(line.how, class_name=f"{MUTED} block text-[13px]"))),
        rx.el.dd(line.amount, class_name="font-bold tabular-nums"),
        class_name="flex justify-between gap-3 py-2.5",
    )


def _sum(one: rx.Var[Fact]) -> rx.Component:
    look = "text-lg font-bold tabular-nums"
    return rx.el.div(
        rx.el.dt(one.label, class_name=f"{MUTED} text-[13px]"), rx.el.dd(one.value, class_name=look), key=one.label
    )


def steps(kind: str) -> rx.Component:
    """The steps of a handover or a return."""
    return handover_steps() if kind == "handover" else return_steps()
