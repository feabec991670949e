"""The vendor's page of one booking, made for a phone beside the vehicle."""

import reflex as rx

from rental_app.domain.bookings import BookingStatus
from rental_app.domain.clock import HORIZON
from rental_app.domain.uploads import DAMAGE_GROUP
from rental_app.schemas.reviews import MAX_WORDS
from rental_app.schemas.wire import MAX_TEXT
from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.badges import plate
from rental_app.web.parts.block import facts_list, panel
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import alert_line
from rental_app.web.parts.field import field, lines_input
from rental_app.web.parts.links import link_button, other_bookings
from rental_app.web.parts.notice import failure, notice, out_of_date
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.presenters.trip import ContactLinks, Event, Objection, ProposalText, Reading
from rental_app.web.parts.reviews.part import own_review, report_dialog, stars
from rental_app.web.parts.reviews.presenter import CustomerRating, ReviewText
from rental_app.web.parts.theme import BLOCK_TITLE, BUTTON, LIST, MUTED, NOTE, PANEL, SKELETON, STAGE
from rental_app.web.parts.trips import code_field, objection
from rental_app.web.parts.window_pickers.pickers import open_hours
from rental_app.web.react.browser_draft import browser_draft, drafted
from rental_app.web.react.date_time_picker import date_time_picker
from rental_app.web.react.heartbeat import heartbeat
from rental_app.web.react.here import is_here
from rental_app.web.react.modal import opens
from rental_app.web.react.own_files import photo
from rental_app.web.react.uploads import trip_photos
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.booking.account import account, payments
from rental_app.web.vendor.booking.documents import customers_documents
from rental_app.web.vendor.booking.presenter import VendorTrip
from rental_app.web.vendor.booking.questions import questions, typed_dialogs
from rental_app.web.vendor.booking.review_state import ANSWER as REVIEW_ANSWER
from rental_app.web.vendor.booking.review_state import REVIEW, TripReviewState
from rental_app.web.vendor.booking.state import ABSENT, CHARGE, CODE, EXTEND, GIVE_UP, GUEST_LINK, field_id
from rental_app.web.vendor.booking.state import VendorTripState as State

_EXTEND_FORM = "extend-form"
_ALL = "/vendor/manage-bookings"
_HERE = is_here(State.asked_url)


def vendor_trip() -> rx.Component:
    """A booking: handover and return, payments, account, what else can be done, and its history."""
    other = rx.cond(
        State.missing & _HERE,
        notice(
            "There is no such booking", "It may belong to somebody else's vehicle.", link_button("All bookings", _ALL)
        ),
        rx.cond(State.problem, failure("This booking could not be loaded", State.problem, [State.load]), _skeleton()),
    )
    return rx.fragment(
        vendor_layout(
            "Booking",
            rx.cond(State.trip.bool() & _HERE, _booking(State.trip), other),
            questions(),
            heartbeat(State.refresh),
            waiting=_skeleton(),
            dialog=rx.fragment(typed_dialogs(), report_dialog()),
        ),
        # Outside of the content for vendors only: after a restart nobody is known to be a vendor at first.
        browser_draft(_EXTEND_FORM, State.later != "", State.regain_extension),
    )


def _skeleton() -> rx.Component:
    return rx.el.div(
        *[rx.el.div(class_name=f"{SKELETON} h-56") for _ in range(3)],
        class_name="flex flex-col gap-5",
        custom_attrs={"aria-hidden": "true"},
    )


def _booking(trip: rx.Var[VendorTrip]) -> rx.Component:
    facts = trip.facts
    return rx.el.div(
        rx.cond(State.problem, out_of_date(State.problem, [State.load])),
        _head(trip),
        rx.cond(facts.objections, _objections(facts.objections)),
        rx.cond(facts.proposal, _proposed(facts.proposal)),
        rx.cond(trip.wait, rx.el.p(trip.wait, class_name=NOTE)),
        rx.cond(trip.reading, _next(trip)),
        rx.cond(State.documents, customers_documents(State.documents)),
        rx.cond(trip.continue_url, _going_on(trip)),
        rx.cond(facts.receipt, rx.fragment(payments(trip), account(trip))),
        rx.cond(facts.handover, _noted("At handover", facts.handover)),
        rx.cond(facts.returned, _noted("At return", facts.returned)),
        rx.cond(trip.can_extend, _extension(trip)),
        rx.cond(trip.can_mark_absent, _absence()),
        rx.cond(trip.charges_until, _charging(trip)),
        rx.cond(trip.can_give_up, _giving_up()),
        rx.cond(trip.review, _reviews(trip)),
        _history(facts.history),
        id="booking",
        tab_index=-1,
        class_name="flex max-w-3xl flex-col gap-5",
    )


def _next(trip: rx.Var[VendorTrip]) -> rx.Component:
    """The way to the handover or the return, when it is due."""
    address = f"/vendor/bookings/{trip.facts.reference}/{trip.reading}"
    text = rx.cond(trip.reading == "handover", "Hand the vehicle over", "Receive vehicle")
    return rx.el.a(text, href=address, class_name=f"{BUTTON['primary']} min-h-12 self-start")


def _head(trip: rx.Var[VendorTrip]) -> rx.Component:
    facts = trip.facts
    return rx.el.section(
        rx.el.div(
            rx.el.img(
                src=facts.image,
                alt="",
                custom_attrs={"width": "640", "height": "400"},
                class_name=f"aspect-[8/5] h-auto w-28 shrink-0 rounded-xl object-contain {STAGE}",
            ),
            rx.el.div(
                rx.el.h2(facts.vehicle, class_name=BLOCK_TITLE),
                plate(trip.plate),
                rx.el.p(facts.reference, class_name="text-sm font-semibold tabular-nums"),
                rx.el.p(trip.stage, role="status", class_name="font-medium"),
                class_name="min-w-0",
            ),
            class_name="flex items-center gap-4 max-[17.5rem]:flex-wrap",
        ),
        rx.el.p("Booked by ", rx.el.strong(trip.customer), class_name="mt-4 wrap-anywhere"),
        rx.cond(trip.rating, _customer(trip.rating)),
        rx.cond(facts.contact.phone, _reach(facts.contact)),
        rx.cond(trip.is_guests, _guest_link()),
        rx.cond(
            facts.status == BookingStatus.PENDING,
            rx.el.div(
                link_button("Answer this request", f"{_ALL}?booking={trip.id}"),
                class_name="mt-3",
            ),
        ),
        other_bookings(facts.other_bookings),
        facts_list(trip.details),
        class_name=f"{PANEL} p-4 sm:p-6",
        custom_attrs={"aria-label": "Booking"},
    )


def _reach(contact: rx.Var[ContactLinks]) -> rx.Component:
    away = {"target": "_blank", "rel": "noopener"}
    look = f"{BUTTON['quiet']} max-w-full"
    return rx.el.div(
        rx.el.a(rx.icon("phone", size=18), "Call ", contact.phone, href=f"tel:{contact.phone}", class_name=look),
        rx.el.a(rx.icon("message-circle", size=18), "WhatsApp", href=contact.whatsapp, class_name=look, **away),
        rx.cond(
            contact.maps,
            rx.el.a(rx.icon("map-pin", size=18), "Directions", href=contact.maps, class_name=look, **away),
        ),
        class_name="mt-3 flex flex-wrap gap-2",
    )


def _guest_link() -> rx.Component:
    return rx.el.div(
        button("Send the link again", on_click=State.send_link, disabled=State.busy),
        alert_line(State.errors[GUEST_LINK], "mt-2"),
        class_name="mt-3",
    )


def _proposed(proposal: rx.Var[ProposalText]) -> rx.Component:
    """What waits for the customer's yes, which they can give here by a code."""
    is_sent = State.code_for == proposal.id
    send = button(
        rx.cond(is_sent, "Send another code", "Text them a code"),
        extra="self-start",
        on_click=State.send_code,
        disabled=State.busy,
    )
    return panel(
        "Waiting for the customer",
        rx.el.p(
            f"{proposal.text}: the customer is asked, until {proposal.until}.",
            role="status",
            class_name="wrap-anywhere",
        ),
        rx.el.p(
            "Are they with you? We text a code to their mobile. By reading it out to you, they agree.", class_name=MUTED
        ),
        rx.cond(
            is_sent,
            rx.el.form(
                rx.el.p(State.code_sent, role="status", class_name="text-sm"),
                code_field("Code that the customer reads out", field_id(CODE), State.errors[CODE]),
                submit("Agree for the customer", disabled=State.busy),
                # Another code, another form: what was typed into the previous one is done with.
                key=State.code_sent,
                on_submit=State.agree_by_code,
                no_validate=True,
                custom_attrs={"aria-label": "The customer's code"},
                class_name="flex max-w-sm flex-col gap-3",
            ),
            alert_line(State.errors[CODE]),
        ),
        send,
        gap="mb-1",
        extra="flex flex-col gap-3",
        label="Proposal",
    )


def _extension(trip: rx.Var[VendorTrip]) -> rx.Component:
    return panel(
        "A later return",
        rx.el.p(
            "You can give more time until the vehicle is back. If it costs more, we ask the customer, and hold the"
            " time for them until they answer.",
            class_name=MUTED,
        ),
        rx.el.form(
            rx.el.input(type="hidden", name="ref", default_value=trip.facts.reference),
            rx.el.div(
                date_time_picker(
                    id=field_id(EXTEND),
                    name="returnDate",
                    label="New return",
                    value=State.later,
                    on_change=State.choose_later,
                    hour=trip.times.return_at[11:],
                    not_before=trip.times.earliest,
                    days_ahead=HORIZON.days,
                    error=State.errors[EXTEND],
                    **open_hours(trip.times),
                ),
                class_name="grow",
            ),
            # Moved down by the height of the label.
            submit("Check this return", variant="quiet", extra="mt-6"),
            id=_EXTEND_FORM,
            key=trip.times.earliest,
            on_submit=State.ask_extension,
            custom_attrs={"aria-label": "A later return"},
            class_name="mt-3 flex flex-wrap items-start gap-3",
        ),
        gap="mb-1",
    )


def _charging(trip: rx.Var[VendorTrip]) -> rx.Component:
    kinds = {"challan": "Traffic challan", "toll": "Toll", "damage": "Damage", "late": "Late return", "other": "Other"}
    return panel(
        "Charge something that came up",
        rx.el.p(
            f"Until {trip.charges_until}. The customer is told at once and may object; the deposit you hold pays it.",
            class_name=MUTED,
        ),
        rx.el.form(
            rx.el.input(type="hidden", name="key", value=State.charge_key, read_only=True),
            field(
                "What for",
                "kind",
                *[rx.el.option(label, value=name) for name, label in kinds.items()],
                control=rx.el.select,
                id="charge-kind",
            ),
            field("Amount (₹)", "amount", id="charge-amount", input_mode="decimal", max_length=12, auto_complete="off"),
            field(
                "Why", "note", id=field_id(CHARGE), max_length=MAX_TEXT, auto_complete="off", error=State.errors[CHARGE]
            ),
            trip_photos(
                DAMAGE_GROUP,
                most=1,
                label="Proof",
                hint="The challan, the receipt, or what is broken",
                waiting=rx.Var.create([]),
                errors=State.errors,
            ),
            submit("Charge it", variant="quiet", extra="self-start", disabled=State.busy),
            # Once something is charged, the form starts anew.
            key=f"charge-{State.charge_key}",
            on_submit=State.charge,
            no_validate=True,
            auto_complete="off",
            custom_attrs={"aria-label": "Charge after the return"},
            class_name="mt-3 flex flex-col gap-3",
        ),
        gap="mb-1",
        label="Charges after the return",
    )


def _giving_up() -> rx.Component:
    return panel(
        "Something came up?",
        rx.el.p(
            "If you cannot give this vehicle, give another one, or cancel the booking as early as you can, so that the"
            " customer can still find one elsewhere.",
            class_name=MUTED,
        ),
        rx.el.div(
            button("Move to another vehicle", on_click=State.ask_move),
            button("Cancel this booking", custom_attrs=opens(GIVE_UP) | {"aria-haspopup": "dialog"}),
            class_name="mt-3 flex flex-wrap gap-3",
        ),
        gap="mb-1",
        label="Cancelling",
    )


def _going_on(trip: rx.Var[VendorTrip]) -> rx.Component:
    return panel(
        "It broke down",
        rx.el.p(
            "Give the customer another vehicle for the rest of the trip. It costs nothing extra, and the deposit moves"
            " with it.",
            class_name=MUTED,
        ),
        rx.el.div(link_button("Go on with another vehicle", trip.continue_url), class_name="mt-3"),
        gap="mb-1",
        label="Going on",
    )


def _absence() -> rx.Component:
    return panel(
        "The customer did not come?",
        button("Mark a no-show", extra="mt-3", custom_attrs=opens(ABSENT) | {"aria-haspopup": "dialog"}),
        alert_line(State.errors[ABSENT], "mt-2"),
        gap="mb-1",
        label="No-show",
    )


def _noted(title: str, reading: rx.Var[Reading]) -> rx.Component:
    """A final reading."""
    return panel(
        title,
        rx.el.p(reading.at, class_name=MUTED),
        facts_list(reading.facts),
        rx.el.ul(
            rx.foreach(reading.photos, _photo),
            class_name="mt-4 grid list-none grid-cols-2 gap-3 p-0 sm:grid-cols-3",
        ),
    )


def _photo(one: rx.Var[Link]) -> rx.Component:
    return rx.el.li(photo(one.href, one.text), rx.el.p(one.text, class_name=f"{MUTED} mt-1 text-sm"), key=one.href)


def _objections(items: rx.Var[list[Objection]]) -> rx.Component:
    """What the customer does not agree with."""
    return panel(
        "Objections",
        rx.el.p(
            "Ring the customer; a line that is wrong can be reversed. You can answer each one once, with photos.",
            class_name=MUTED,
        ),
        rx.el.ul(rx.foreach(items, _objection), class_name=f"mt-3 {LIST}"),
    )


def _objection(one: rx.Var[Objection]) -> rx.Component:
    answer = button(
        "Answer",
        rx.el.span(f" the objection to {one.about}", class_name="sr-only"),
        extra="mt-2",
        on_click=State.ask_answer(one.id),
    )
    return objection(one, answer)


def _history(events: rx.Var[list[Event]]) -> rx.Component:
    """Who did what when, oldest first."""
    return panel("History", rx.el.ol(rx.foreach(events, _event), class_name=f"mt-3 {LIST}"))


def _event(event: rx.Var[Event]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.span(
                event.what,
                rx.cond(event.who, rx.el.span(", ", event.who, class_name=MUTED)),
                class_name="min-w-0 flex-[1_1_10rem] wrap-anywhere",
            ),
            rx.el.span(event.when, class_name=f"{MUTED} text-sm"),
            class_name="flex flex-wrap items-baseline gap-x-3",
        ),
        rx.cond(event.note, rx.el.p(event.note, class_name=f"{MUTED} text-sm wrap-anywhere")),
        class_name="py-2",
    )


def _reviews(trip: rx.Var[VendorTrip]) -> rx.Component:
    """The vendor's own review, the customer's, and the answer to that."""
    form = own_review(
        trip.review,
        of_whom="the customer",
        on_submit=TripReviewState.write_review,
        problem=TripReviewState.errors[REVIEW],
        busy=TripReviewState.busy,
    )
    theirs = trip.review.theirs
    return rx.fragment(form, rx.cond(SessionState.can_manage & theirs & ~theirs.answer.bool(), _review_answer()))


def _review_answer() -> rx.Component:
    return rx.el.form(
        field(
            "Your answer",
            "text",
            id=field_id(REVIEW_ANSWER),
            control=lines_input,
            rows="3",
            max_length=MAX_WORDS,
            hint="You can answer once; everyone can see it.",
            error=TripReviewState.errors[REVIEW_ANSWER],
        ),
        submit("Answer", variant="quiet", extra="mt-3", disabled=TripReviewState.busy),
        on_submit=TripReviewState.answer,
        no_validate=True,
        custom_attrs=drafted("review-answer") | {"aria-label": "Answer the review"},
    )


def _customer(rating: rx.Var[CustomerRating]) -> rx.Component:
    """What other vendors said about the customer who requests the vehicle."""
    return rx.el.details(
        rx.el.summary(rating.line, class_name="cursor-pointer py-2.5 font-medium"),
        rx.el.ul(rx.foreach(rating.reviews, _review), class_name="mt-2 list-none space-y-3 p-0"),
        class_name="-my-0.5",
    )


def _review(review: rx.Var[ReviewText]) -> rx.Component:
    return rx.el.li(
        rx.el.p(
            stars(review.stars),
            rx.el.span(f"{review.by}, {review.when}", class_name=f"{MUTED} text-sm wrap-anywhere"),
            class_name="flex flex-wrap items-center gap-3",
        ),
        rx.cond(review.text, rx.el.p(review.text, class_name="wrap-anywhere")),
        key=review.id,
    )
