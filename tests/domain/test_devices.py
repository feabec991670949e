"""What a device is called."""

from rental_app.domain.devices import UNKNOWN, device_name
from tests.support.rows import each

ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36"
)
NAMES = {
    ANDROID: "Chrome on Android",
    ANDROID.replace("Chrome/", "SamsungBrowser/29.0 Chrome/"): "Samsung Internet on Android",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0": "Firefox on Windows",
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/143.0 Safari/537.36 Edg/143.0": "Edge on Windows",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) Version/26.0 Safari/604.1": "Safari on iPhone",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/26.0 Safari/605.1": "Safari on Mac",
    "curl/8.5.0": "curl",
    "python-httpx2/2.16": "python-httpx2",
    "": UNKNOWN,
    "Mozilla/5.0": UNKNOWN,
    "<script>alert(1)</script>": UNKNOWN,
    "\x00\ud83d": UNKNOWN,
}


@each(("agent", "name"), list(NAMES.items()))
def test_a_device_has_the_name_people_know_it_by(agent: str, name: str) -> None:
    assert device_name(agent) == name
