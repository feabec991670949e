"""Names, e-mails, links and ids: what people may write in any script, and lookalikes that are refused."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

from rental_app.domain.characters import (
    all_visible,
    has_letter,
    in_one_script,
    on_a_keyboard,
    without_hidden,
    without_links,
)
from rental_app.domain.ids import read_id
from rental_app.schemas.accounts import EmailChange, InvitationRequest, Registration
from rental_app.schemas.counter import GuestRequest
from rental_app.schemas.operating import LockedFields, RecoveryRequest
from rental_app.schemas.people import Email, Name, as_signed_up, map_link, spellings, web_link
from rental_app.schemas.sign_in import Credentials, ForgottenPassword
from rental_app.schemas.trips import Note
from rental_app.schemas.wire import Id, Text
from rental_app.services.accounts.operators import email_of
from rental_app.web.parts.presenters.links import read_query
from tests.support.rest_helpers import PERSON
from tests.support.rows import each

NAME, EMAIL, ID, TEXT = TypeAdapter(Name), TypeAdapter(Email), TypeAdapter(Id), TypeAdapter(Text)
NAMES = ["Lakshmi", "O", "Zoë D'Souza-Ng", "నరసింహ రావు", "लक्ष्मी", "क्‍ष", "న్‌", "محمد", "張偉", "R2 Cabs & Sons 🛵", "M"]
NO_NAMES = [
    *("12345", "🛵", "--", "\u200d\u200d", "़्", "A\nB", "A\tB", "A\x00B", "A\x85B", "A\u202eB", "A\u2066B"),
    *("A\u200fB", "A\u200bB", "Zoë\u200d", "\u200dलक्ष्मी", "A\ufeffB", "A\xadB", "A\ue000", "A\u2028B"),
]


@pytest.mark.parametrize("text", NAMES)
def test_names_of_any_script_are_names(text: str) -> None:
    assert NAME.validate_python(text) == text


@each(("text", "seen"), [
    ("Scratched 👩\u200d🔧 ❤\ufe0f\u200d🔥, క్\u200cష क्\u200dष می\u200cرود", None),
    ("Paid\u202e 005\u202c to \u2067me\u2069", "Paid 005 to me"),
    ("\ufeffcopied\u200b\u00ad\u2060 \u200eso\u200f", "copied so"),
    ("a\u200db\u200d\u200c", "ab"),
    ("\u202e\u200b \u200d\u3164", ""),
])  # fmt: skip
def test_texts_for_people_lose_what_nobody_sees(text: str, seen: str | None) -> None:
    assert TEXT.validate_python(text) == (text if seen is None else seen)


@pytest.mark.parametrize("text", NO_NAMES)
def test_what_hides_something_or_has_no_letter_is_no_name(text: str) -> None:
    with pytest.raises(ValidationError):
        NAME.validate_python(text)
    with pytest.raises(ValidationError):
        TypeAdapter(Note).validate_python("\u202e\u200b \u2060")


@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Zs"])))
def test_a_text_of_visible_characters_shows_all_of_them(text: str) -> None:
    assert all_visible(text)
    assert has_letter(f"{text}q")


@given(st.text(), st.characters(categories=["Cc", "Cs", "Co"]), st.text())
def test_one_hidden_character_is_enough(before: str, hidden: str, after: str) -> None:
    assert not all_visible(before + hidden + after)


@pytest.mark.parametrize(
    "text", ["a.b-9@example.com", "Ravi_1@mail.example.co.in", "почта@пример.рф", "почта@пример.com", "रवि@उदाहरण.भारत"]
)
def test_e_mails_in_one_script(text: str) -> None:
    assert text.lower() in spellings(EMAIL.validate_python(text))


@each(
    ("text", "stored"),
    [
        ("Asha@Bücher.example.de", "asha@xn--bcher-kva.example.de"),
        ("asha@xn--bcher-kva.example.de", "asha@xn--bcher-kva.example.de"),
        ("asha@bu\u0308cher.example.de", "asha@xn--bcher-kva.example.de"),
        ("почта@пример.рф", "почта@xn--e1afmkfd.xn--p1ai"),
    ],
)
def test_the_domain_of_an_e_mail_has_one_spelling(text: str, stored: str) -> None:
    assert EMAIL.validate_python(text) == as_signed_up(text) == stored


# As chat programs, contact cards, the first cell of a CSV, PDFs, phones, Japanese keyboards and links have it.
COPIED = [
    *("asha@example.com\u200b", "\u202aasha@example.com\u202c", "\ufeffasha@example.com", "as\u00adha@example.com"),
    *(" Asha@Example.com\u00a0", "asha＠example.com", "mailto:asha@example.com", "MailTo:\u200easha@example.com\n"),
]
READERS: list[tuple[type[BaseModel], dict[str, Any]]] = [
    (Credentials, {"password": "x"}),
    (ForgottenPassword, {}),
    (Registration, PERSON),
    (EmailChange, {"password": "x"}),
    (InvitationRequest, {"role": "counter"}),
    (GuestRequest, {"name": "Asha", "phone": "9000000001"}),
    (LockedFields, {}),
    (RecoveryRequest, {}),
]


@each(("reader", "others"), READERS)
def test_wherever_an_e_mail_is_read_it_may_be_copied(reader: type[BaseModel], others: dict[str, Any]) -> None:
    for text in COPIED:
        assert reader.model_validate(others | {"email": text}).model_dump()["email"] == "asha@example.com", text
        assert email_of(text) == "asha@example.com"
    with suppress(ValidationError):
        letters = reader.model_validate(others | {"email": "\u200bash\u0430@example.com"}).model_dump()["email"]
        assert letters == "ash\u0430@example.com", "no letter is changed for another"


@pytest.mark.parametrize(
    "text",
    [
        *("rаvi@example.com", "ravi@exаmple.com", "рави@example.com", "ravi@пример.рф", "ｒavi@example.com"),
        "ravi@gmail.сom",
    ],
)
def test_e_mails_that_mix_scripts(text: str) -> None:
    assert not in_one_script(text)
    with pytest.raises(ValidationError):
        EMAIL.validate_python(text)


@each(
    ("name", "shown"),
    [
        ("Pay at evil.com/x", "Pay at evil. com/x"),
        ("https://3232235777/", "https:// 3232235777/"),
        ("evil。com", "evil。 com"),
        ("1.2evil1.2nd.com", "1.2evil1.2nd. com"),
        ("₹1,030.50 by 10.30", "₹1,030.50 by 10.30"),
        ("A.P.J. Abdul", "A. P. J. Abdul"),
        ("St. John S/o K.Ramesh", "St. John S/o K. Ramesh"),
        ("Sri Sai Travels Pvt. Ltd.", "Sri Sai Travels Pvt. Ltd."),
    ],
)
def test_no_program_makes_a_link_of_a_name(name: str, shown: str) -> None:
    assert without_links(name) == shown


@pytest.mark.parametrize("text", ["Ravi <ravi@example.com>", "<ravi@example.com>", '"Ravi" <ravi@example.com>'])
def test_an_e_mail_is_an_address_alone(text: str) -> None:
    with pytest.raises(ValidationError, match="Enter the address alone, without a name"):
        EMAIL.validate_python(text)


MAPS = [
    *("", "https://maps.app.goo.gl/abc123", "https://goo.gl/maps/abc"),
    *("https://www.google.com/maps/place/Charminar/@17.36,78.47,17z", "https://google.co.in/maps?q=17.4,78.4"),
    *("https://maps.google.com/?q=17.4,78.4", "http://maps.google.com/maps?q=Charminar"),
    *("HTTPS://WWW.GOOGLE.COM/maps", "https://www.openstreetmap.org/?mlat=17.4&mlon=78.4"),
    *("https://www.openstreetmap.org/way/1", "https://maps.apple.com/?ll=17.4,78.4"),
    *("https://maps.app.goo.gl/Zq8kXyAbC123?g_st=ic", "https://maps.google.com/?cid=123"),
    *("https://maps.apple.com/place?auid=1&name=Kiran", "https://maps.apple/p/AbC.d_e"),
]
NO_MAPS = [
    *("https://example.com/maps", "https://google.com.evil.example/maps", "https://evil.example/google.com/maps"),
    *("https://www.google.com@evil.example/maps", "https://me:secret@www.google.com/maps"),
    *("https://me@maps.google.com/", "https://www.google.com/url?q=https://evil.example"),
    "https://www.google.com/maps/../url?q=https://evil.example",
    "https://www.google.com/maps/%2e%2e/url?q=https://evil.example",
    *("https://maps.google.com/url?q=https://evil.example", "https://goo.gl/abc", "https://www.google.com/mapsevil"),
    *("https://www.google.com:8443/maps", "https://www.google.com\\@evil.example/maps"),
    *("https://www.goo\ngle.com/maps", "https://www.google.com/ma ps", "https://www.google.com/maps/place/My shop"),
    *("https://evil.example/ https://www.google.com/maps", "javascript:alert(1)//www.google.com/maps"),
    *("ftp://www.google.com/maps", "//www.google.com/maps", "https://xn--ggle-55da.com/maps"),
]


@pytest.mark.parametrize("text", MAPS)
def test_links_to_maps(text: str) -> None:
    assert map_link(text) == web_link(text) == text


@pytest.mark.parametrize("text", NO_MAPS)
def test_links_that_lead_elsewhere(text: str) -> None:
    with pytest.raises(ValueError, match="Enter a link"):
        map_link(text)


@pytest.mark.parametrize("text", ["https://me:secret@example.com", "https://exam\nple.com", "https:\\\\example.com"])
def test_web_links_hide_nothing(text: str) -> None:
    with pytest.raises(ValueError, match="Enter a link without"):
        web_link(text)


NO_IDS: list[Any] = [True, False, 1.0, "1_0", " 1", "1 ", "+1", "1.0", "1e1", "0x1", "", "１", "١", "1\n", b"1", None]


@pytest.mark.parametrize("value", [*NO_IDS, 0, -1, "-1", 2**31, "9" * 5000])
def test_what_is_no_id(value: Any) -> None:
    with pytest.raises(ValidationError):
        ID.validate_python(value)
    if isinstance(value, str):
        assert read_id(value) == 0


@given(st.integers(min_value=1, max_value=2**31 - 1))
def test_ids_are_numbers_or_their_digits(number: int) -> None:
    assert ID.validate_python(number) == ID.validate_python(str(number)) == read_id(str(number)) == number


@given(st.text(alphabet="0123456789１٣_+-. e\x00", max_size=12))
def test_only_digits_are_read_as_ids(text: str) -> None:
    plain = text.isascii() and text.isdigit()
    assert read_id(text) == (int(text) if plain and int(text) < 2**31 else 0)


@pytest.mark.parametrize("text", ["a\x00b", "a\x85b", "a\x7fb", "a\ud800b", "\udfff"])
def test_text_that_databases_refuse_or_screens_do_not_show(text: str) -> None:
    with pytest.raises(ValidationError):
        TEXT.validate_python(text)


@given(st.text(st.characters(codec=None)))
def test_an_address_names_what_every_database_can_look_for(text: str) -> None:
    named = read_query([("pickupLocation", text)]).location
    assert "\x00" not in named
    asked = text[:100].strip()
    assert len(named.encode().decode()) == len(asked)
    assert named == asked or "\ufffd" in named


@each(
    ("text", "link"),
    [
        ("www.shop.in", "https://www.shop.in"),
        ("shop.co.in/bikes?x=1", "https://shop.co.in/bikes?x=1"),
        ("\u200ewww.shop.in:8080\ufeff", "https://www.shop.in:8080"),
        ("http://shop.in", "http://shop.in"),
    ],
)
def test_a_website_may_leave_its_scheme_out(text: str, link: str) -> None:
    assert web_link(text) == link


@pytest.mark.parametrize(
    "text", ["javascript:alert(1)", "//evil.example", "kiran@shop.in", "shop", "1.5", "data:text/html,x"]
)
def test_what_is_no_website(text: str) -> None:
    with pytest.raises(ValueError, match="Enter a link"):
        web_link(text)


@pytest.mark.parametrize("before", ["Kiran Rentals\n", "Kiran Rentals\n2 Road, Hyderabad 500081\n\n", "\u200b"])
def test_a_place_is_shared_with_its_name(before: str) -> None:
    assert map_link(f"{before}https://maps.app.goo.gl/abc123") == "https://maps.app.goo.gl/abc123"
    assert map_link("maps.app.goo.gl/abc123") == "https://maps.app.goo.gl/abc123"


@each("key", ["TS09", "kiran@ybl", "PH-4X7K20"])
def test_what_nobody_sees_is_taken_out_of_what_is_copied(key: str) -> None:
    for hidden in "\u200b\u200e\u202a\u2066\u00ad\ufeff\u200d\ufe0f":
        assert on_a_keyboard(hidden.join(key)) == key
    for dash in "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d":
        assert on_a_keyboard(key.replace("-", dash)) == key
    # Joiners of Indian scripts stay.
    assert without_hidden("క్\u200cష a\u200cb") == "క్\u200cష ab"
