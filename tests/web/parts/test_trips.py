"""What a change of mind costs: each step with its end, and what always comes back."""

from datetime import timedelta

import reflex as rx

from rental_app.domain import clock
from rental_app.web.parts.presenters import terms
from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.parts.trips import cancelling
from tests.support.rendered import rendered


def test_each_step_says_what_is_kept_and_until_when() -> None:
    steps = terms.cancelling(clock.now() + timedelta(days=10), clock.now(), 50_000)
    shown = rendered(cancelling(rx.Var("steps").to(list[Fact])), steps=steps)
    assert len(steps) > 1
    for step in steps:
        assert (shown.count(f">{step.label}<"), shown.count(f">{step.value}<")) == (1, 1), step
    assert "A part payment is kept in full. The deposit always comes back." in shown
