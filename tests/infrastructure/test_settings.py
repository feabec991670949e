"""Settings, and the signing key they create."""

import base64
import json
import secrets
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import ValidationError

from rental_app.domain import clock
from rental_app.infrastructure.settings import INVENTED_OFFICES, Settings, _key_in, _make_key, settings, wrong_setting
from tests.support.environment import PRODUCTION
from tests.support.rows import each

ROOT = Path(__file__).parents[2]
RANDOM_KEY = secrets.token_hex(32)


@pytest.fixture(autouse=True)
def blank(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """No variables, no .env and an empty working folder."""
    for name in Settings.model_fields:
        monkeypatch.delenv(f"RENTAL_{name.upper()}", raising=False)
    monkeypatch.delenv("GRANIAN_WORKERS", raising=False)
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()
    yield
    settings.cache_clear()
    _key_in.cache_clear()


def test_the_defaults_run_the_demo_on_one_machine() -> None:
    assert settings().env == "development"
    assert settings().sqlalchemy_url == "sqlite:///data/pahiya.db"
    kept = (settings().max_stored_mb, settings().max_vehicles)
    assert kept == (500, 200), "what an account may keep until it is approved"


def test_variables_have_the_prefix_env_files_are_read_and_blank_ones_are_not_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Compose and images pass on what nobody has filled in."""
    for name in ("RENTAL_OFFICES", "RENTAL_SUPPORT_PHONE", "RENTAL_WORKERS"):
        monkeypatch.setenv(name, "")
    assert settings() == Settings.model_construct()
    settings.cache_clear()
    monkeypatch.setenv("RENTAL_CITY", "Pune")
    monkeypatch.setenv("CITY", "Delhi")
    Path(".env").write_text("RENTAL_PRODUCT_NAME=Chakra\n")
    assert (settings().city, settings().product_name) == ("Pune", "Chakra")


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_postgresql_url_gets_the_one_driver(monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    monkeypatch.setenv("RENTAL_DATABASE_URL", f"{scheme}://someone@host/pahiya")
    assert settings().sqlalchemy_url == "postgresql+psycopg://someone@host/pahiya"


def use_production(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in PRODUCTION.items():
        monkeypatch.setenv(name, value)


def test_production_without_a_key_or_contacts_refuses_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_ENV", "production")
    with pytest.raises(ValidationError, match="RENTAL_SECRET_KEY must be set"):
        settings()
    monkeypatch.setenv("RENTAL_SECRET_KEY", RANDOM_KEY)
    with pytest.raises(ValidationError, match="RENTAL_SUPPORT_PHONE, RENTAL_SUPPORT_EMAIL, RENTAL_OFFICES must be set"):
        settings()


GUESSABLE = [
    *("changeme" * 4, " " * 32, "k" * 64, "0123456789" * 4, "password" * 3 + "12345678"),
    "please-change-this-secret-key-before-production",
    "your-256-bit-secret-goes-right-here!!",
    "super-secret-signing-key-for-prod-1",
    "thisisaverylongsecretkeythatnobodycanguess",
    "RENTAL_SECRET_KEY_RENTAL_SECRET_KEY",
    "replace-me-with-openssl-rand-hex-32-output",
    "change_me_to_a_long_random_string_of_32_bytes",
]


@pytest.mark.parametrize("env", ["development", "production"])
@each(("key", "reason"), [("k" * 31, "31 bytes"), *((key, "RENTAL_SECRET_KEY can be guessed") for key in GUESSABLE)])
def test_a_key_that_is_short_or_can_be_guessed_refuses_to_start(
    monkeypatch: pytest.MonkeyPatch, env: str, key: str, reason: str
) -> None:
    monkeypatch.setenv("RENTAL_ENV", env)
    monkeypatch.setenv("RENTAL_SECRET_KEY", key)
    with pytest.raises(ValidationError, match=reason) as refusal:
        settings()
    assert key not in str(refusal.value.errors()[0]["msg"])


def test_every_random_key_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(7):
        encoded = base64.b64encode(secrets.token_bytes(24)).decode()
        for key in (secrets.token_hex(16), secrets.token_hex(32), encoded, secrets.token_urlsafe(96)):
            monkeypatch.setenv("RENTAL_SECRET_KEY", key)
            settings.cache_clear()
            assert settings().signing_key == key


@pytest.mark.parametrize("written", ["", "changeme" * 4])
def test_a_key_file_that_is_empty_or_can_be_guessed_refuses_to_start(written: str) -> None:
    Path("data").mkdir()
    Path("data/signing.key").write_text(written)
    with pytest.raises(ValueError, match="no usable signing key"):
        _ = settings().signing_key


@pytest.mark.parametrize(
    ("env", "asked", "people"),
    [("development", "off", True), ("production", "off", False), ("production", "on", True)],
)
def test_production_has_published_passwords_only_by_a_setting_that_says_so(
    monkeypatch: pytest.MonkeyPatch, env: str, asked: str, people: bool
) -> None:
    use_production(monkeypatch)
    monkeypatch.setenv("RENTAL_ENV", env)
    monkeypatch.setenv("RENTAL_SECRET_KEY", secrets.token_hex(32))
    monkeypatch.setenv("RENTAL_DEMO_DATA_WITH_PUBLISHED_PASSWORDS", asked)
    assert settings().published_passwords is people


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RENTAL_SUPPORT_PHONE", ""),
        ("RENTAL_SUPPORT_PHONE", "+914045678900"),
        ("RENTAL_SUPPORT_EMAIL", None),
        ("RENTAL_SUPPORT_EMAIL", "Help@Pahiya.example"),
        ("RENTAL_OFFICES", json.dumps(["1 Main Road, Hyderabad 500001", INVENTED_OFFICES[1]])),
    ],
)
def test_production_refuses_the_invented_contacts(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str | None
) -> None:
    use_production(monkeypatch)
    monkeypatch.setenv("RENTAL_SECRET_KEY", RANDOM_KEY)
    monkeypatch.delenv(name) if value is None else monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError) as refusal:
        settings()
    told = wrong_setting(refusal.value)
    assert told.startswith(f"A setting is wrong: {name} must be set when RENTAL_ENV is production")
    settings.cache_clear()
    monkeypatch.setenv("RENTAL_ENV", "development")
    assert settings().env == "development"


@pytest.mark.parametrize("name", ["RENTAL_WORKERS", "GRANIAN_WORKERS"])
def test_several_workers_need_postgresql_and_redis(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def refusal() -> str:
        with pytest.raises(ValidationError) as refused:
            settings()
        return wrong_setting(refused.value)

    monkeypatch.setenv(name, "2")
    assert "more than one needs PostgreSQL in RENTAL_DATABASE_URL and RENTAL_REDIS_URL" in refusal()
    monkeypatch.setenv("RENTAL_REDIS_URL", "redis://localhost")
    assert "more than one needs PostgreSQL in RENTAL_DATABASE_URL, because" in refusal()
    monkeypatch.setenv("RENTAL_DATABASE_URL", "postgresql://someone@host/pahiya")
    assert settings().workers == 2
    settings.cache_clear()
    monkeypatch.delenv("RENTAL_REDIS_URL")
    assert "more than one needs RENTAL_REDIS_URL, because" in refusal()
    monkeypatch.setenv(name, "none")
    assert refusal().startswith("A setting is wrong: RENTAL_WORKERS: ")


OTHER_KINDS = {
    "DATABASE_URL": "mysql://nobody:hidden@127.0.0.1/nothing hidden",
    "REDIS_URL": "foo localhost:6379 redis:// redis://:hidden@h:99999",
    "FILES_URL": "/some/path bucket s3:// s4://hidden",
    "PUBLIC_URL": "shop.example localhost:3000 //shop.example ftp://shop.example",
    "SMS_URL": "gateway ftp://h/send https://u:hidden@h:99999 https://",
    "SMTP_URL": "h smtp://h:abc smtp://u:hidden@h:99999 smtp://h:0 http://h",
    "TRACES_URL": "collector:4318 http://[h",
    "VENDOR_SITE_URL": "vendors.example",
}


@each(("name", "value"), [(name, value) for name, values in OTHER_KINDS.items() for value in values.split()])
def test_a_url_of_another_kind_refuses_to_start(name: str, value: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(f"RENTAL_{name}", value)
        with pytest.raises(ValidationError) as refusal:
            settings()
    told = wrong_setting(refusal.value)
    assert told.startswith(f"A setting is wrong: RENTAL_{name} must look like ")
    assert "hidden" not in told


def test_urls_of_every_kind_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "REDIS_URL": "rediss://:password@host:6380/1",
        "FILES_URL": "file:///srv/files",
        "SMTP_URL": "smtps://user:password@host",
        "SMS_URL": "https://user:password@gateway.example/send",
        "PUBLIC_URL": "http://[fd00::7]:3000",
        "TRACES_URL": "http://collector:4318",
        "VENDOR_SITE_URL": "https://vendors.example/list",
    }.items():
        monkeypatch.setenv(f"RENTAL_{name}", value)
    assert settings().files_url == "file:///srv/files"


@pytest.mark.parametrize("seconds", [86_400.5, -3 * 86_400])
def test_a_clock_that_is_ahead_goes_on_from_there(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setenv("RENTAL_CLOCK_AHEAD", str(seconds))
    settings()
    assert abs((clock.now() - datetime.now(UTC)).total_seconds() - seconds) < 1


def test_production_goes_by_the_machines_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    use_production(monkeypatch)
    monkeypatch.setenv("RENTAL_SECRET_KEY", secrets.token_hex(32))
    monkeypatch.setenv("RENTAL_CLOCK_AHEAD", "1")
    with pytest.raises(ValidationError, match="RENTAL_CLOCK_AHEAD is for tests and demonstrations"):
        settings()


def test_the_operations_page_lists_every_setting() -> None:
    table = (ROOT / "docs/operations.md").read_text()
    assert [name for name in Settings.model_fields if f"`RENTAL_{name.upper()}`" not in table] == []


def test_the_hosts_are_the_public_one_this_machine_and_those_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_PUBLIC_URL", "https://Shop.example:8443/")
    monkeypatch.setenv("RENTAL_ALLOWED_HOSTS", '["WWW.shop.example", "[fd00::7]"]')
    monkeypatch.setenv("RENTAL_BIND_ADDRESS", "192.0.2.7")
    own = {"shop.example", "www.shop.example", "fd00::7", "192.0.2.7"}
    assert settings().hosts == own | {"localhost", "127.0.0.1", "::1"}


def test_the_public_address_follows_the_port_which_needs_no_new_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PORT", raising=False)
    assert (Settings().public_url, Settings().host) == ("http://localhost:3000", "localhost")
    built = Settings().public()
    monkeypatch.setenv("PORT", "8080")
    assert (Settings().public_url, Settings().host) == ("http://localhost:8080", "localhost")
    assert Settings().public() == built
    monkeypatch.setenv("RENTAL_PUBLIC_URL", "https://Shop.example:8443/")
    assert (Settings().public_url, Settings().host) == ("https://Shop.example:8443", "shop.example")
    assert Settings().public() != built


def test_a_key_that_is_set_is_the_key_and_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    use_production(monkeypatch)
    monkeypatch.setenv("RENTAL_SECRET_KEY", RANDOM_KEY)
    assert settings().signing_key == RANDOM_KEY
    assert RANDOM_KEY not in repr(settings())
    assert not Path("data").exists()


def test_the_first_run_makes_a_key_for_the_owner_only() -> None:
    key = settings().signing_key
    made = Path("data/signing.key")
    assert len(key.encode()) >= 32
    assert made.read_text() == key
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert list(made.parent.iterdir()) == [made]
    # As the next run finds it.
    _key_in.cache_clear()
    assert settings().signing_key == key


def test_starting_together_agrees_on_one_key() -> None:
    path = Path("data/signing.key")
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(_make_key, [path] * 32))
    assert list(path.parent.iterdir()) == [path]
    assert len(path.read_text()) == 64


def test_what_is_baked_into_pages_holds_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_SECRET_KEY", RANDOM_KEY)
    monkeypatch.setenv("RENTAL_DATABASE_URL", "postgresql://someone:hidden@host/pahiya")
    text = str(settings().public())
    assert RANDOM_KEY not in text
    assert "hidden" not in text
    assert settings().product_name in text
