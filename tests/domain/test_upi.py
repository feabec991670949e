"""UPI IDs, and the links that ask for an exact amount."""

from urllib.parse import parse_qs, urlsplit

import pytest

from rental_app.domain import upi


@pytest.mark.parametrize("text", ["kiran@ybl", "kiran.rentals-2@okhdfcbank", "9876543210@paytm", "A_B@Axl2"])
def test_addresses(text: str) -> None:
    assert upi.is_address(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "kiran",
        "kiran@",
        "@ybl",
        "kiran@ok.com",
        "kiran@@ybl",
        "ki ran@ybl",
        "kiran@1bank",
        "k@ybl",
        "किरण@ybl",
        "a\nb@ybl",
    ],
)
def test_what_is_none(text: str) -> None:
    assert not upi.is_address(text)


@pytest.mark.parametrize(("paise", "amount"), [(100, "1.00"), (120_005, "1200.05"), (99, "0.99"), (45_050, "450.50")])
def test_a_link_asks_for_the_exact_amount_and_says_what_for(paise: int, amount: str) -> None:
    link = urlsplit(upi.link("kiran@ybl", "Kiran & Sons", paise, "PH-ABC234 rent"))
    assert (link.scheme, link.netloc) == ("upi", "pay")
    # Payment apps read a plus sign literally, not as a space.
    assert "+" not in link.query
    assert parse_qs(link.query, strict_parsing=True) == {
        "pa": ["kiran@ybl"],
        "pn": ["Kiran & Sons"],
        "am": [amount],
        "cu": ["INR"],
        "tn": ["PH-ABC234 rent"],
    }
