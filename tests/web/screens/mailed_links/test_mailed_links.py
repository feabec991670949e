"""The pages that links in messages lead to, behind the browser."""

from rental_app.infrastructure.db import write
from rental_app.schemas.operating import RecoveryRequest
from rental_app.services.accounts import passwords, recovery
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.operating import people
from rental_app.web.screens.mailed_links.state import MailedLinkState
from rental_app.web.session.base import SessionState
from tests.support.accounts import latest_token
from tests.support.shop import Shop, actor, add_user, open_shop
from tests.support.staff import MANAGER, invited, team_of
from tests.support.state_tabs import answers, content, journey, tab_of

NEW = "a quite different secret"


@journey
async def test_a_link_is_asked_for_and_used(shop: Shop) -> None:
    page = await tab_of(None, MailedLinkState)
    said = []
    for email in ("nobody@example.com", shop.customer.email):
        await answers(page.ask({"email": email}))
        said.append(page.link_answer)
    assert said == [passwords.LINK_SENT] * 2
    token = latest_token()
    await answers(page.set_password({"token": "x", "password": NEW}))
    assert "no longer works" in page.errors["token"]
    assert "reset-password" in await answers(page.set_password({"token": token, "password": "short"}))
    assert page.errors.keys() == {"password"}
    await answers(page.set_password({"token": token, "password": NEW}))
    assert (page.done, page.errors) == (passwords.RESET, {})
    # The state, which others may come to hold, never has the secret.
    assert token not in str(content(page)) + str(vars(page))
    await answers(page.begin())
    assert not page.done


@journey
async def test_blank_fields_are_named(shop: Shop) -> None:
    page = await tab_of(None, MailedLinkState)
    assert "forgotten-email" in await answers(page.ask({}))
    await answers(page.set_password({}))
    assert page.errors.keys() == {"token", "password"}


@journey
async def test_another_email_for_a_lost_account_is_stopped_by_its_link(shop: Shop) -> None:
    wish = RecoveryRequest.model_validate({"email": "new@example.com", "checked": "Called the employer"})
    write(people.begin_recovery, actor(add_user("Operator")), shop.customer.id or 0, wish)
    page = await tab_of(None, MailedLinkState)
    await answers(page.keep_account({"token": "x"}))
    assert "no longer works" in page.errors["token"]
    await answers(page.keep_account({"token": latest_token(Purpose.RECOVER)}))
    assert page.done == recovery.STOPPED


@journey
async def test_an_invitation_is_shown_and_accepted_by_a_press_alone(shop: Shop) -> None:
    person = add_user()
    link = invited(shop.vendor, person.email, MANAGER)
    page = await tab_of(None, MailedLinkState)
    await answers(page.show_linked("x"))
    assert ("no longer works" in page.errors["token"], page.invited_by) == (True, "")
    await answers(page.show_linked(link.token))
    assert (page.invited_by, page.errors) == (shop.vendor.name, {})
    assert page.invited_to.startswith("do everything at the counter")
    assert team_of(shop.vendor).members == []
    # Nobody is logged in here: the page offers that instead of its button.
    await answers(page.join(form=link.model_dump()))
    assert page.done == ""
    mine = await tab_of(person, MailedLinkState)
    # Pasted: first it is shown.
    await answers(mine.join(form=link.model_dump()))
    assert (mine.invited_by, mine.done) == (shop.vendor.name, "")
    await answers(mine.join(form=link.model_dump()))
    assert mine.done == f"You now work for {shop.vendor.name}"
    session: SessionState = await mine.get_state(SessionState)
    assert (session.is_staff, session.can_manage, session.is_vendor) == (True, True, False)
    assert link.token not in str(content(mine)) + str(vars(mine))


@journey
async def test_somebody_elses_invitation_is_not_accepted(shop: Shop) -> None:
    link = invited(shop.vendor, add_user().email)
    page = await tab_of(shop.customer, MailedLinkState)
    await answers(page.show_linked(link.token))
    await answers(page.join(form=link.model_dump()))
    assert "for another email" in page.errors["token"]
    await answers(page.go_on())
    assert (page.errors, page.invited_by) == ({}, shop.vendor.name)
    # Another link, pasted in its place, is shown before it is accepted.
    other = open_shop("Otherpur")
    theirs = invited(other.vendor, shop.customer.email)
    await answers(page.join(form=theirs.model_dump()))
    assert (page.invited_by, page.done) == (other.vendor.name, "")
    await answers(page.join(form=theirs.model_dump()))
    assert page.done == f"You now work for {other.vendor.name}"
