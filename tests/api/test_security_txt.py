"""Where to report a vulnerability."""

import re
from datetime import datetime, timedelta

import pytest
from fastapi.testclient import TestClient

from rental_app.content import legal
from rental_app.domain import clock
from rental_app.infrastructure.settings import settings
from tests.support.site import SITE, page

pytestmark = pytest.mark.usefixtures("built_pages")


def test_security_txt_is_as_its_standard_has_it(client: TestClient) -> None:
    answer = client.get("/.well-known/security.txt")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert fields["Contact"] == f"mailto:{settings().support_email}"
    assert fields["Canonical"] == f"{SITE}/.well-known/security.txt"
    assert fields["Preferred-Languages"] == "en"
    left = datetime.fromisoformat(fields["Expires"]) - clock.now()
    assert timedelta(days=30) < left < timedelta(days=365)
    page(client, fields["Policy"].removeprefix(SITE))


def test_the_policy_names_the_file_and_what_is_defended() -> None:
    _, text = legal.text("security", {})
    for said in ("/.well-known/security.txt", "worth protecting", "Who might attack", "is defended", "is not defended"):
        assert said in text
    assert not re.search(r"\{\w+\}", text)
