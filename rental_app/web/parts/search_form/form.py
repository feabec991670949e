"""The search form of the home page and of the results."""

import reflex as rx

from rental_app.domain.clock import HORIZON
from rental_app.infrastructure.settings import settings
from rental_app.schemas.search import ANYWHERE
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.field import field, location_select
from rental_app.web.parts.search_form.presenter import FIELDS
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.parts.theme import FIELD, PANEL, SCRIPTED
from rental_app.web.react.date_time_picker import Ends, date_time_picker
from rental_app.web.react.heartbeat import heartbeat
from rental_app.web.react.near_me import near_me
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.react.sheet import closes_sheet, opens_sheet, sheet
from rental_app.web.session.base import SessionState

RENEWED_EVERY = 300
# The form, and the sheet that it is in on a phone.
_FORM, _SHEET, _TITLE = "search-form", "search-sheet", "Where and when?"

_COLUMNS = "sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-[1fr_1fr_1fr_auto]"
_ENDS: Ends = (
    {"id": FIELDS["pickupDate"], "label": "Pickup", "value": SearchState.pickup},
    {"id": FIELDS["returnDate"], "label": "Return", "value": SearchState.return_at},
)
_BADGE = "shrink-0 whitespace-nowrap bg-(--amber-a3) font-semibold text-(--amber-12)"
_DURATION = f"{_BADGE} w-fit rounded-md px-3 py-1 text-sm"
_AT_ONCE = (
    "grid size-13 shrink-0 cursor-pointer place-items-center rounded-2xl bg-(--accent-9) text-(--accent-contrast)"
    " hover:bg-(--accent-10)"
)
_FOOT = "flex justify-between gap-3 max-sm:flex-col sm:col-span-2 sm:items-center lg:col-span-3 xl:col-span-1 xl:mt-6"
_PLACES = "mt-2 flex list-none flex-wrap gap-2 p-0 sm:hidden"
_PLACE = (
    "min-h-10 cursor-pointer rounded-full border border-(--gray-a7) px-3.5 text-sm font-medium"
    " aria-pressed:border-(--accent-9) aria-pressed:bg-(--accent-a3)"
)


def search_form(opener: rx.Component | None = None) -> rx.Component:
    """Location, pickup, return, how long that is, and Search; as served it is a plain form that needs no scripts.

    A phone has it in a sheet, opened by an `opener` with the attributes `OPENS_SEARCH`, or else by what the search is.
    """
    form = _form()
    chosen = {"pickupDate": SearchState.chosen_pickup, "returnDate": SearchState.return_at}
    return rx.fragment(
        opener or _compact(),
        sheet(
            rx.el.div(
                rx.el.h2(_TITLE, tab_index=-1, class_name="text-xl font-bold tracking-tight outline-none"),
                button(
                    rx.icon("x", size=20),
                    class_name="grid size-11 cursor-pointer place-items-center rounded-full",
                    label="Close",
                    custom_attrs=closes_sheet(_SHEET),
                ),
                class_name=f"mb-1 flex items-center justify-between sm:hidden {SCRIPTED}",
            ),
            server_rendered(
                "search", rx.Var.create(SearchState.pickup).bool(), form, form, SearchState.take_over, chosen
            ),
            near_me(SearchState.choose_near),
            id=_SHEET,
            label=_TITLE,
        ),
        heartbeat(SearchState.renew, RENEWED_EVERY),
    )


OPENS_SEARCH = opens_sheet(_SHEET)


def search_words(place: rx.Var[str], dates: rx.Var[str], duration: rx.Var[str]) -> rx.Component:
    """Where and when, in two lines, and how long that is; without a place it is anywhere."""
    return rx.el.span(
        rx.el.span(
            rx.el.strong(
                rx.cond(place, place, f"Anywhere in {settings().city}"),
                class_name="truncate font-semibold text-(--ink)",
            ),
            rx.cond(duration, rx.el.span(duration, class_name=f"{_BADGE} rounded-md px-1.5 text-xs leading-5")),
            class_name="flex items-center gap-2",
        ),
        rx.el.span(dates, class_name="block text-[13px] leading-5 text-(--muted)"),
        class_name="block min-w-0 flex-1",
    )


def _compact() -> rx.Component:
    """A phone's one control: its words open the sheet, its button searches at once."""
    near, choice = SessionState.near, SessionState.choice
    place = rx.cond(near, f"Near {near}", rx.cond(choice == ANYWHERE, "", choice))
    words = search_words(place, SearchState.dates_line, SearchState.duration)
    control = rx.el.div(
        button(
            words,
            rx.el.span("Change", class_name="sr-only"),
            on_click=SearchState.look_anywhere,
            class_name="flex min-w-0 flex-1 cursor-pointer self-stretch items-center pl-4 text-left",
            custom_attrs=OPENS_SEARCH,
        ),
        submit(
            rx.icon("search", size=22),
            form=_FORM,
            on_click=SearchState.look_anywhere,
            class_name=_AT_ONCE,
            label="Search",
            # What is missing is said by the server, at its field.
            custom_attrs={"formNoValidate": True},
        ),
        class_name=f"{PANEL} flex h-19 items-center gap-2 rounded-3xl pr-3 sm:hidden {SCRIPTED}",
    )
    return server_rendered("search_words", rx.Var.create(SearchState.pickup).bool(), control, control)


def _places() -> rx.Component:
    """The localities as a list, which takes one press less than the drop-down."""

    def place(label: rx.Var[str] | str, choice: rx.Var[str] | str) -> rx.Component:
        pressed = rx.cond(SessionState.choice == choice, "true", "false")
        chip = button(
            label,
            on_click=SearchState.choose_place(choice),
            class_name=_PLACE,
            custom_attrs={"aria-pressed": pressed},
        )
        return rx.el.li(chip, key=choice)

    return rx.el.ul(
        place(f"Anywhere in {settings().city}", ANYWHERE),
        rx.foreach(SessionState.locations, lambda name: place(name, name)),
        class_name=f"{_PLACES} {SCRIPTED}",
        custom_attrs={"aria-label": "Localities"},
    )


def _form() -> rx.Component:
    errors = SearchState.errors
    return rx.el.form(
        rx.el.div(
            field(
                "Pickup location",
                "pickupLocation",
                control=location_select,
                error=errors["pickupLocation"],
                id=FIELDS["pickupLocation"],
                on_change=SearchState.choose_place,
                empty_label="Select location",
                class_name=f"{FIELD} select",
            ),
            _places(),
            class_name="sm:col-span-2 lg:col-span-1",
        ),
        date_time_picker(
            id=FIELDS["pickupDate"],
            name="pickupDate",
            label="Pickup",
            value=SearchState.pickup,
            on_change=SearchState.choose_pickup,
            is_preset=SearchState.chosen_pickup == "",
            error=errors["pickupDate"],
            ends=_ENDS,
            summary=SearchState.duration,
            note=SearchState.moved,
        ),
        date_time_picker(
            id=FIELDS["returnDate"],
            name="returnDate",
            label="Return",
            value=SearchState.return_at,
            on_change=SearchState.choose_return,
            error=errors["returnDate"],
            not_before=SearchState.return_from,
            days_ahead=HORIZON.days,
            ends=_ENDS,
            summary=SearchState.duration,
            note=SearchState.moved,
        ),
        rx.el.div(
            rx.el.output(
                rx.cond(SearchState.duration, SearchState.duration, "Duration"),
                # Until both ends are chosen it only keeps its place.
                class_name=rx.cond(SearchState.duration, _DURATION, f"{_DURATION} invisible max-sm:hidden"),
                custom_attrs={"aria-label": "Duration"},
            ),
            submit(rx.icon("search", size=18), "Search", extra="max-sm:min-h-12"),
            # Beside the fields, it is moved down by the height of their labels.
            class_name=_FOOT,
        ),
        on_submit=SearchState.submit(SearchState.chosen_pickup, SearchState.return_at).prevent_default,
        id=_FORM,
        action="/vehicles",
        method="get",
        class_name=f"{PANEL} {_COLUMNS} grid items-start gap-3 p-4 sm:gap-4 sm:p-5 xl:pb-3",
        custom_attrs={"aria-label": "Search vehicles"},
    )
