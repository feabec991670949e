"""The vendor's page Profile."""

from typing import Any

import reflex as rx

from rental_app.content.staff import ROLES
from rental_app.domain.staff import MemberRole
from rental_app.schemas.validation import label_of
from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.block import fact_pair, panel
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import question
from rental_app.web.parts.field import field
from rental_app.web.parts.notice import once_loaded
from rental_app.web.parts.theme import BLOCK_TITLE, FIELD, LIST, MUTED, PANEL, SKELETON
from rental_app.web.react.browser_draft import browser_draft, drafted
from rental_app.web.vendor.profile.form import FORM, bank_names, locked_group, profile_form, terms_list
from rental_app.web.vendor.profile.members_state import EMAIL, REMOVE
from rental_app.web.vendor.profile.members_state import MembersState as State
from rental_app.web.vendor.profile.presenter import NOT_SET, InvitationRow, MemberRow, ProfilePage
from rental_app.web.vendor.profile.state import ProfileState

_LINK = "inline-flex min-h-6 items-center text-(--accent-11) underline underline-offset-2"


def profile() -> rx.Component:
    """The business profile, for reading and for editing."""
    return rx.fragment(
        vendor_layout(
            "Profile",
            rx.el.div(
                once_loaded(
                    ProfileState.profile,
                    rx.cond(ProfileState.editing, profile_form(ProfileState.profile), _view(ProfileState.profile)),
                    ProfileState,
                    "Your profile",
                    rx.el.div(class_name=f"{SKELETON} h-96"),
                ),
                # Unlike the page's events this does not run again when a lost connection comes back.
                on_mount=ProfileState.cancel,
            ),
            # By then, everything above it has its final height.
            rx.cond(ProfileState.profile, members()),
        ),
        # Outside of the content for vendors only: after a restart nobody is known to be a vendor at first.
        browser_draft(FORM, ProfileState.editing, ProfileState.edit),
    )


def _view(profile: rx.Var[ProfilePage]) -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.p("What customers see of your business, and how we reach and pay you.", class_name=MUTED),
            button(rx.icon("pencil", size=16), "Edit", variant="primary", on_click=ProfileState.edit),
            class_name="-mt-2 flex flex-wrap items-center justify-between gap-3",
        ),
        _panel(
            "Address",
            *_facts(profile, "full_address landmark pincode city state district service_location"),
        ),
        _panel(
            "Contact and business",
            *_facts(profile, "booking_contact_no booking_whatsapp_no upi_id no_of_staff no_of_years"),
            _link("website", profile.website),
            _link("google_maps_link", profile.google_maps_link),
            _fact("Delivery supported", rx.cond(profile.delivery_supported, "Yes", "No")),
        ),
        _panel("Opening hours", _fact("Hours", profile.hours), _fact("Closing days", profile.closed)),
        _panel("Tax", *_facts(profile, "gst_name gst_number"), _fact(label_of("gst_rate"), f"{profile.gst_rate} %")),
        rx.el.section(
            rx.el.h2("Terms", class_name=f"{BLOCK_TITLE} mb-4"),
            terms_list(profile.terms),
            class_name=f"{PANEL} p-4 sm:p-6",
        ),
        locked_group("Personal details", profile.personal),
        locked_group("Bank account", profile.bank, bank_names()),
        locked_group("Commission and wallet", profile.commission),
        class_name="flex flex-col gap-5",
    )


def _panel(title: str, *facts: rx.Component) -> rx.Component:
    return rx.el.section(
        rx.el.h2(title, class_name=BLOCK_TITLE),
        rx.el.dl(*facts, class_name="mt-4 grid gap-4 sm:grid-cols-2 xl:grid-cols-3"),
        class_name=f"{PANEL} p-4 sm:p-6",
    )


def _fact(label: str, value: rx.Var[str]) -> rx.Component:
    return fact_pair(label, rx.cond(value, value, NOT_SET))


def _facts(profile: rx.Var[ProfilePage], names: str) -> list[rx.Component]:
    """Fields of the profile by their names, labelled as in the form."""
    return [_fact(label_of(name), getattr(profile, name)) for name in names.split()]


def _link(name: str, href: rx.Var[str]) -> rx.Component:
    link = rx.el.a(href, href=href, target="_blank", rel="noopener noreferrer", class_name=_LINK)
    return fact_pair(label_of(name), rx.cond(href, link, NOT_SET))


def members() -> rx.Component:
    """Who works for the vendor and who is invited, with what each may do, and a form to invite somebody."""
    people = rx.el.ul(rx.foreach(State.rows, _member), class_name=f"mt-3 {LIST}", id="members")
    invited = rx.el.section(
        rx.el.h3("Invited", class_name="mt-5 font-semibold"),
        rx.el.ul(rx.foreach(State.invitations, _invitation), class_name=f"mt-1 {LIST}", id="invitations"),
    )
    return panel(
        "People who work for you",
        rx.el.p(
            f"Counter: they {ROLES[MemberRole.COUNTER].may}. Manager: they {ROLES[MemberRole.MANAGER].may}. Nobody but"
            " you sees or changes bank account, UPI ID and GST, changes this profile, or downloads statements.",
            class_name=f"{MUTED} mt-1",
        ),
        once_loaded(
            State.loaded,
            rx.el.div(
                rx.cond(State.rows, people, rx.el.p("Nobody yet.", class_name="mt-3")),
                rx.cond(State.invitations, invited),
                _form(),
            ),
            State,
            "Your people",
            rx.el.div(class_name=f"{SKELETON} mt-4 h-24"),
        ),
        question(
            REMOVE,
            f"Remove {State.asked_name}?",
            "They can no longer act for you, even in pages they have open, and the calendar links they made end.",
            about=State.asked_name != "",
            yes="Remove",
            no="Keep them",
            on_yes=State.remove,
            focus_back=EMAIL,
        ),
        extra="mt-5",
    )


_ROW = "flex flex-wrap items-center gap-x-3 gap-y-2 py-3"
_OPTIONS = [(words.name, role.value) for role, words in ROLES.items()]


def _roles(**props: Any) -> rx.Component:
    options = [rx.el.option(name, value=role) for name, role in _OPTIONS]
    return rx.el.select(*options, **({"class_name": FIELD} | props))


def _who(name: rx.Var[str], about: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.p(name, class_name="font-semibold wrap-anywhere"),
        rx.el.p(about, class_name=f"{MUTED} text-sm wrap-anywhere"),
        class_name="min-w-0 basis-full sm:flex-1 sm:basis-0",
    )


def _member(row: rx.Var[MemberRow]) -> rx.Component:
    return rx.el.li(
        _who(row.name, row.about),
        rx.el.div(
            _roles(
                value=row.role,
                on_change=lambda role: State.change_role(row.id, role),
                custom_attrs={"aria-label": f"What {row.name} may do"},
            ),
            class_name="flex-1 sm:w-40 sm:flex-none",
        ),
        button("Remove", extra="shrink-0", on_click=State.ask(row.id), label=f"Remove {row.name}"),
        class_name=_ROW,
        key=row.id,
    )


def _invitation(row: rx.Var[InvitationRow]) -> rx.Component:
    return rx.el.li(
        _who(row.email, row.about),
        button("Send again", on_click=State.send_again(row.id), label=f"Send again to {row.email}"),
        button("Cancel", on_click=State.cancel(row.id), label=f"Cancel the invitation of {row.email}"),
        class_name=_ROW,
        key=row.id,
    )


def _form() -> rx.Component:
    return rx.el.form(
        field(
            "Email of whom you invite",
            "email",
            id=EMAIL,
            type="email",
            auto_complete="off",
            error=State.refusal,
            class_name=FIELD,
            box="min-w-0 flex-1",
        ),
        field("What they may do", "role", control=_roles, id="member-role", box="sm:w-40"),
        submit("Invite", extra="sm:mt-6", disabled=State.busy),
        on_submit=State.invite,
        no_validate=True,
        reset_on_submit=False,
        class_name="mt-5 flex flex-col gap-3 border-t border-(--line) pt-5 sm:flex-row sm:items-start",
        custom_attrs=drafted("member") | {"aria-label": "Invite a person"},
    )
