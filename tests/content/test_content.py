"""The copy states the product's policies, hard-codes nothing that is a setting, and links to what exists."""

import dataclasses
import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from rental_app.content import faq, legal, marketing
from rental_app.content.art import draw
from rental_app.content.faq import FAQ, LOCAL_FAQ
from rental_app.content.figures import figures_of, filled
from rental_app.content.posts import POSTS_FOLDER, posts
from rental_app.content.prose import rendered
from rental_app.domain.policies import FIRST
from rental_app.infrastructure.settings import Settings
from tests.support.rows import each

# Specification, section 9: what the answer to each question has to say.
POLICIES = {
    "What are the pickup and return hours?": ("9 AM to 8 PM",),
    "Is the token amount refunded?": ("non-refundable",),
    "Is there a speed limit?": ("70 km/h for scooters", "90 km/h for bikes", "fined ₹100"),
    "When do I get my security deposit back?": ("daily between 8 and 9 PM", "inspected"),
    "How far can I go?": ("150 km from {city}", "Some vehicles"),
    "What if I return the vehicle late?": ("₹50 to ₹200 per hour", "Extend at least 24 hours before"),
    "Can I rent with a learner's licence?": ("No.",),
    "Can I take the vehicle out of the state?": ("No.",),
    "Do I get a helmet?": ("One helmet is free", "₹200 per trip", "at most 5 days"),
    "Is fuel included?": ("No, fuel is excluded",),
    "What is deducted if I cancel?": (
        "more than 72 hours before pickup: 25%",
        "24 to 72 hours before pickup: 75%",
        "0 to 24 hours before pickup: 100%",
        "Partial payment, at any time: 100%",
        "No show, or cancelling after the pickup time: 100%",
    ),
    "Which documents do I need?": ("PAN or Aadhaar", "driver's licence", "working professional", "Proof of residence"),
}
PLACEHOLDER = re.compile(r"\{(\w*)\}")
EARLIER_TERMS = {
    "2026-11-26": "580f6f549c9bab96",
    "2026-11-27": "e3562ac97f717cd8",
    "2026-11-28": "70fba6eb93d61f8e",
    "2026-11-29": "8245519cdf5b65ca",
}


def texts(value: Any) -> Iterator[str]:
    """Yield every text in a piece of copy."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from texts(item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from texts(getattr(value, field.name))


def copy() -> list[str]:
    """Return every text of the content modules and posts."""
    own = [*POSTS_FOLDER.glob("*.md"), *legal.FOLDER.glob("*.md"), legal.SECURITY]
    named = [value for module in (faq, marketing) for name, value in vars(module).items() if name.isupper()]
    return [*texts(tuple(named)), *(path.read_text(encoding="utf-8") for path in own)]


@each(("text", "policies"), list(POLICIES.items()))
def test_the_questions_state_every_policy(text: str, policies: tuple[str, ...]) -> None:
    question = next(question for question in FAQ if question.text == text)
    answer = filled(" ".join((question.answer, *question.points)), figures_of(FIRST))
    for policy in policies:
        assert policy in answer


def test_what_the_specification_says_of_the_home_page() -> None:
    assert "₹15,000 per month per bike" in marketing.LISTER.title
    assert marketing.LISTER_RANGE.title == "₹10,000 to ₹15,000"
    assert len(marketing.HOW) == 4
    assert [service.title for service in marketing.SERVICES] == ["Rent or lease out", "List and sell", "Float and buy"]
    assert len(marketing.TESTIMONIALS) == 3
    assert len({question.text for question in FAQ}) == len(FAQ)
    assert set(LOCAL_FAQ) <= set(FAQ)


def test_name_and_city_come_from_the_settings() -> None:
    defaults = Settings.model_fields
    for text in copy():
        assert defaults["product_name"].default not in text
        assert defaults["city"].default not in text
        assert set(PLACEHOLDER.findall(text)) <= {"product", "city", "email", "phone", "office", *figures_of(FIRST)}


def test_what_one_of_something_is_called_follows_its_number() -> None:
    text = "within {object_hours} hours, {charge_days} days, {most_full_days} times, {grace_minutes} minutes, {x} hours"
    one = figures_of(replace(FIRST, object_hours=1, charge_days=1, most_full_days=1, grace_minutes=11))
    assert filled(text, one) == "within 1 hour, 1 day, 1 time, 11 minutes, {x} hours"
    assert filled(text, figures_of(FIRST)) == "within 24 hours, 7 days, 2 times, 15 minutes, {x} hours"


# What the browser stores is checked in the browser itself, see tests/e2e/test_legal.py.
PROMISES = {
    "privacy": (
        *("Digital Personal Data Protection Act, 2023", "Data Protection Board of India"),
        *("corrected, completed, updated or erased", "once your booking is confirmed", "only after you ask for it"),
        *("no trackers", "help@wheelery.example"),
    ),
    "terms": ("25%", "75%", "daily between 8 and 9 PM", "8 hours at most", "24 hours and at most 30 days", "90 days"),
}


@pytest.mark.parametrize("name", list(PROMISES))
def test_privacy_and_terms_say_what_holds_and_whom_to_ask(name: str) -> None:
    own = {"product": "Wheelery", "city": "Pune", "email": "help@wheelery.example", "phone": "1", "office": "Here"}
    heading, html = legal.text(name, own)
    assert heading == name.capitalize()
    for promise in PROMISES[name]:
        assert promise in html.replace("\n", " "), promise
    assert "Wheelery" in html
    assert not PLACEHOLDER.search(html)


def test_posts_are_rendered_newest_first_and_lead_to_posts() -> None:
    found = posts("Wheelery", "Pune")
    slugs = ["cancellations-explained", "how-the-deposit-works", "documents-to-carry"]
    assert [post.slug for post in found] == slugs
    assert [post.published for post in found] == sorted((post.published for post in found), reverse=True)
    for post in found:
        assert post.title
        assert post.summary
        html = post.html(figures_of(FIRST))
        assert "<h2>" in html
        assert '<div class="sheet"' in html
        assert not PLACEHOLDER.search(html)
    assert "Wheelery does not collect it" in found[1].html(figures_of(FIRST))
    links = {link for post in found for link in re.findall(r'href="([^"]+)"', post.html(figures_of(FIRST)))}
    assert links
    assert links <= {post.path for post in found}


def test_every_illustration_exists() -> None:
    services = [(service.shape, service.tint) for service in marketing.SERVICES]
    for shape, tint in services + [(post.shape, post.tint) for post in posts("Wheelery", "Pune")]:
        assert draw(shape, tint).startswith("<svg")


def test_policies_are_figures_and_the_worked_example_is_computed() -> None:
    by_hand = re.compile(r"\d+%|\d+ (?:minutes|km)\b|\d+ hours (?:are|before|later)|₹50 |₹2,000 in full")
    assert [found for text in copy() if (found := by_hand.findall(text))] == []
    post = next(post for post in posts("Wheelery", "Pune") if post.slug == "cancellations-explained")
    for step in (
        "88 hours are left: ₹500 is deducted, ₹1,500 comes back.",
        "46 hours are left: ₹1,500 is deducted, ₹500 comes back.",
        "16 hours are left: ₹2,000 is deducted, nothing comes back.",
    ):
        assert step in post.html(figures_of(FIRST))


def test_texts_that_customers_accepted_stay_as_they_were() -> None:
    """Agreements quote them by their version."""
    kept = {path.stem: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in legal.EARLIER.glob("*.md")}
    assert {version: kept.get(version) for version in EARLIER_TERMS} == EARLIER_TERMS
    assert legal.TERMS_VERSION not in kept


def test_a_new_text_of_the_terms_gets_a_new_version() -> None:
    """What customers accepted is stored as its version: change both here together, and keep the old text in terms/."""
    digest = hashlib.sha256((legal.FOLDER / "terms.md").read_bytes()).hexdigest()[:16]
    assert (legal.TERMS_VERSION, digest) == ("2026-11-30", "b8ac26448edaf9b5")


@each(
    ("markdown", "html"),
    [
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n"),
        ("[x](JAVASCRIPT:alert(1))", "<p>[x](JAVASCRIPT:alert(1))</p>\n"),
        ("[x](data:text/html,x)", "<p>[x](data:text/html,x)</p>\n"),
        ("[x](ftp://host/x)", "<p>[x](ftp://host/x)</p>\n"),
        ("<javascript:alert(1)>", "<p>&lt;javascript:alert(1)&gt;</p>\n"),
        ("[x](/terms)", '<p><a href="/terms">x</a></p>\n'),
        ("[x](https://host/?a=1)", '<p><a href="https://host/?a=1">x</a></p>\n'),
        ("[x](mailto:a@b.example)", '<p><a href="mailto:a@b.example">x</a></p>\n'),
        ('[x](/terms "a\\" onclick=\\"b")', '<p><a href="/terms" title="a&quot; onclick=&quot;b">x</a></p>\n'),
        ("<b onclick=x>y</b>", "<p>&lt;b onclick=x&gt;y&lt;/b&gt;</p>\n"),
    ],
)
def test_markdown_leads_to_pages_alone_and_carries_no_html(markdown: str, html: str) -> None:
    assert rendered(markdown) == html


def test_markdown_shows_no_pictures_of_others() -> None:
    assert "<img" not in rendered("![x](https://host/x.png)")
