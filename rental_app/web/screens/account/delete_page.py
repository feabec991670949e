"""Deleting one's account: what goes when, what stays and why, and what has to end first."""

import reflex as rx

from rental_app.domain.retention import ERASED_AFTER
from rental_app.web.frame.login_dialog import opens_login
from rental_app.web.frame.public import layout
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.links import link_button, link_panel
from rental_app.web.parts.notice import failure, notice, unless_unknown
from rental_app.web.parts.theme import BLOCK_TITLE, COLUMN, MUTED, NOTE, PAGE_TITLE, PANEL, SKELETON
from rental_app.web.screens.account.dialogs import password_form
from rental_app.web.screens.account.presenter import AccountPage, YourData
from rental_app.web.screens.account.state import ERASED
from rental_app.web.screens.account.state import AccountState as State
from rental_app.web.session.base import SessionState
from rental_app.web.session.login_wanted import ACCOUNT

_DAYS = ERASED_AFTER.days
_BACK = "inline-flex min-h-11 items-center gap-2 font-medium text-(--accent-11) underline"


def delete_account() -> rx.Component:
    """The page; visitors are asked to log in, and whoever has asked for it reads until when it can be taken back."""
    login = button("Log in", variant="primary", custom_attrs=opens_login(ACCOUNT))
    visitor = notice("Log in to delete your account", "It takes your password.", login)
    failed = failure("Your account could not be loaded", State.problem, State.load)
    shown = rx.cond(State.page, _of_somebody(State.page), rx.cond(State.problem, failed, unless_unknown(visitor)))
    loading = ~SessionState.ready | (SessionState.logged_in & State.loading)
    return layout(
        rx.el.div(
            rx.el.a(rx.icon("chevron-left", size=18), "Account", href="/account", class_name=_BACK),
            rx.el.h1("Delete your account", class_name=f"{PAGE_TITLE} mb-6"),
            rx.cond(State.erased_on, _done(), rx.cond(loading, rx.el.div(class_name=f"{SKELETON} h-96"), shown)),
            class_name=f"{COLUMN} min-h-screen pt-4 pb-12",
        ),
        on_cards=True,
    )


def _done() -> rx.Component:
    return rx.el.section(
        rx.el.h2(
            "Your account will be erased on ",
            rx.el.span(State.erased_on, class_name="whitespace-nowrap"),
            id=ERASED,
            tab_index=-1,
            class_name=f"{BLOCK_TITLE} outline-none",
        ),
        rx.el.p("Log in before then to keep it: nothing else is needed. You are logged out everywhere now."),
        rx.el.p("We have sent you an email that says the same.", class_name=MUTED),
        rx.el.div(link_button("To the home page", "/", "quiet")),
        class_name=f"{PANEL} flex flex-col gap-3 p-5",
    )


def _of_somebody(page: rx.Var[AccountPage]) -> rx.Component:
    machine = rx.el.p("An operator's account is unmade by its own command, not here.", class_name=f"{PANEL} p-5")
    return rx.cond(
        page.data,
        rx.el.div(
            _at_once(page.is_vendor),
            _later(),
            _stays(page.is_vendor),
            rx.cond(page.data.obstacles, _in_the_way(page.data), _ask()),
            class_name="flex flex-col gap-4",
        ),
        machine,
    )


def _part(title: str, *points: rx.Component | str) -> rx.Component:
    listed = rx.el.ul(
        *[point if isinstance(point, rx.Component) else rx.el.li(point) for point in points],
        class_name="mt-2 list-disc space-y-1 pl-5",
    )
    return rx.el.section(rx.el.h2(title, class_name=BLOCK_TITLE), listed, class_name=f"{PANEL} p-5")


def _at_once(is_vendor: rx.Var[bool]) -> rx.Component:
    vendors = rx.el.li("Your vehicles, calendars and prices are no longer shown, and nobody works for you here")
    return _part(
        "At once",
        "You are logged out on every device",
        "Requests that wait for an answer end, and the other side is told",
        rx.cond(is_vendor, vendors),
    )


def _later() -> rx.Component:
    return _part(
        f"After {_DAYS} days, if you do not log in before",
        "Your name, email, mobile number, address and password are erased",
        "So are your documents with their pictures, favourites, devices, passkeys and messages",
    )


def _stays(is_vendor: rx.Var[bool]) -> rx.Component:
    vendors = rx.el.li("What you have earned and paid to us, because both sides are taxed on it")
    return _part(
        "What stays, and why",
        "Bookings with their amounts, without your name: they are the other side's accounts, too",
        "Tax invoices that were issued, for eight years, because the law says so",
        rx.cond(is_vendor, vendors),
        "The record of who did what when, without names, so that a dispute can still be settled",
    )


def _in_the_way(data: rx.Var[YourData]) -> rx.Component:
    return rx.el.section(
        rx.el.h2("What has to end first", class_name=BLOCK_TITLE),
        rx.el.ul(
            rx.foreach(data.obstacles, lambda one: link_panel(one, f"{PANEL} p-3 no-underline")),
            class_name="mt-3 flex list-none flex-col gap-2 p-0",
        ),
        class_name=NOTE,
    )


def _ask() -> rx.Component:
    keep = link_button("Keep my account", "/account", "quiet")
    answers = rx.el.div(
        keep, submit("Delete my account", variant="destroy", disabled=State.busy), class_name="flex flex-wrap gap-3"
    )
    return rx.el.section(
        rx.el.h2("Delete it", class_name=f"{BLOCK_TITLE} mb-3"),
        rx.el.p(
            "You may want ",
            rx.el.a("a copy of your data", href="/account#your-data", class_name="underline"),
            f" first. You can change your mind for {_DAYS} days, by logging in.",
            class_name=f"{MUTED} mb-3",
        ),
        password_form(State.delete_account, answers),
        class_name=f"{PANEL} p-5",
    )
