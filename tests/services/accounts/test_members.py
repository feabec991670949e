"""People who are made members of a vendor are told so by e-mail, once, and only while it is true."""

from rental_app.infrastructure.db import write
from rental_app.schemas.accounts import MemberRequest
from rental_app.services.accounts import members
from tests.conftest import Clock
from tests.support.mailbox import Post, send_all, text_of, waiting
from tests.support.shop import Shop, actor, add_user


def test_whoever_is_added_is_told_by_e_mail(post: Post, shop: Shop, kind: str, stopped_clock: Clock) -> None:
    person, vendor = add_user(), actor(shop.vendor)
    wish = MemberRequest(email=person.email)
    # Added by mistake: nothing has to be said.
    write(members.add, vendor, wish)
    write(members.remove, vendor, person.id)
    send_all()
    assert (post.take(), waiting()) == ([], [])
    for _ in range(3):
        write(members.add, vendor, wish)
        send_all()
        write(members.remove, vendor, person.id)
    ((to, message),) = post.take()
    assert to == person.email
    assert f"You now help {shop.vendor.name}" in text_of(message)
    assert "press Stop" in text_of(message)
    stopped_clock.move(hours=24)
    write(members.add, vendor, wish)
    send_all()
    assert [to for to, _ in post.take()] == [person.email]
