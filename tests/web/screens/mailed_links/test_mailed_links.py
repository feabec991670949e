"""The pages that links in messages lead to, behind the browser."""

from rental_app.infrastructure.db import write
from rental_app.schemas.operating import RecoveryRequest
from rental_app.services.accounts import passwords, recovery
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.operating import people
from rental_app.web.screens.mailed_links.state import MailedLinkState
from tests.support.accounts import latest_token
from tests.support.shop import Shop, actor, add_user
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
