"""The search form of the home page and of the results."""

import reflex as rx

from rental_app.domain.clock import HORIZON
from rental_app.web.parts.field import field, location_select
from rental_app.web.parts.search_form.presenter import FIELDS
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.parts.theme import BUTTON, FIELD, PANEL
from rental_app.web.react.date_time_picker import Ends, date_time_picker
from rental_app.web.react.heartbeat import heartbeat
from rental_app.web.react.near_me import near_me
from rental_app.web.react.server_rendered import server_rendered

RENEWED_EVERY = 300

_COLUMNS = "sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-[1fr_1fr_1fr_auto]"
_ENDS: Ends = (
    {"id": FIELDS["pickupDate"], "label": "Pickup", "value": SearchState.pickup},
    {"id": FIELDS["returnDate"], "label": "Return", "value": SearchState.return_at},
)
_DURATION = "whitespace-nowrap rounded-full bg-(--amber-a3) px-3 py-1 text-sm font-semibold text-(--amber-12)"


def search_form() -> rx.Component:
    """Location, pickup, return, how long that is, and Search; as served it is a plain form that needs no scripts."""
    form = _form()
    chosen = {"pickupDate": SearchState.chosen_pickup, "returnDate": SearchState.return_at}
    return rx.fragment(
        server_rendered("search", rx.Var.create(SearchState.pickup).bool(), form, form, SearchState.take_over, chosen),
        near_me(SearchState.choose_near),
        heartbeat(SearchState.renew, RENEWED_EVERY),
    )


def _form() -> rx.Component:
    errors = SearchState.errors
    return rx.el.form(
        field(
            "Pickup location",
            "pickupLocation",
            control=location_select,
            error=errors["pickupLocation"],
            id=FIELDS["pickupLocation"],
            on_change=SearchState.choose_place,
            empty_label="Select location",
            class_name=f"{FIELD} select",
            box="sm:col-span-2 lg:col-span-1",
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
                class_name=_DURATION,
                custom_attrs={"aria-label": "Duration"},
            ),
            rx.el.button(rx.icon("search", size=18), "Search", type="submit", class_name=BUTTON["primary"]),
            # Beside the fields, it is moved down by the height of their labels.
            class_name="flex items-center justify-between gap-3 sm:col-span-2 lg:col-span-3 xl:col-span-1 xl:mt-6",
        ),
        on_submit=SearchState.submit(SearchState.chosen_pickup, SearchState.return_at).prevent_default,
        action="/vehicles",
        method="get",
        class_name=f"{PANEL} {_COLUMNS} grid items-start gap-3 p-4 sm:gap-4 sm:p-5",
        custom_attrs={"aria-label": "Search vehicles"},
    )
