"""Settings: environment variables with the prefix RENTAL_, `.env` honoured, documented in docs/operations.md."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import cache, cached_property
from ipaddress import IPv4Address
from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    AliasChoices,
    Field,
    IPvAnyAddress,
    IPvAnyNetwork,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from rental_app.domain import clock
from rental_app.domain.keys import weakness

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
DRIVERS = frozenset({"sqlite", "postgresql+psycopg"})
# The schemes each URL may have, and what it must look like.
URLS = {
    "files_url": ({"s3", "s3a", "gs", "az", "azure", "abfs", "abfss", "https", "file"}, "s3://bucket"),
    "redis_url": ({"redis", "rediss"}, "redis://:password@host:6379 or rediss://host"),
    "smtp_url": ({"smtp", "smtps"}, "smtp://user:password@host:587 or smtps://host"),
    "sms_url": ({"http", "https"}, "https://user:password@gateway.example/send"),
    "traces_url": ({"http", "https"}, "http://collector:4318"),
    "public_url": ({"http", "https"}, "https://shop.example"),
    "vendor_site_url": ({"http", "https"}, "https://vendors.example"),
}
Url = TypeVar("Url", str, SecretStr)
CENTURY = timedelta(days=36_500).total_seconds()
# The demo's contacts, which are nobody's: production refuses them.
INVENTED_PHONE, INVENTED_EMAIL = "+91 40 4567 8900", "help@pahiya.example"
INVENTED_OFFICES = (
    "2nd Floor, Jubilee Square, Road No. 36, Jubilee Hills, Hyderabad 500033",
    "Plot 14, Kavuri Hills Phase 1, Madhapur, Hyderabad 500081",
)


def _origin(url: str) -> str:
    """A site's origin as browsers write it in a request; raises ValueError for what is no http(s) URL, such as *."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("Use origins like https://vendors.example")
    usual = {"http": 80, "https": 443}[parts.scheme]
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port not in (None, usual) else "")


class Settings(BaseSettings):
    """Everything an operator may set; the defaults run the demo on one machine."""

    # A blank variable counts as not set: images and compose files pass on variables that nobody has filled in.
    model_config = SettingsConfigDict(
        env_prefix="RENTAL_", env_file=".env", env_ignore_empty=True, extra="ignore", hide_input_in_errors=True
    )

    env: Literal["development", "production"] = "development"
    data_dir: Path = Path("data")
    database_url: str = ""
    files_url: str = ""
    redis_url: str = ""
    smtp_url: SecretStr = SecretStr("")
    sms_url: SecretStr = SecretStr("")
    sms_daily: PositiveInt = 1000
    secret_key: SecretStr = SecretStr("")
    # Earlier versions read Granian's own name for it.
    workers: PositiveInt = Field(1, validation_alias=AliasChoices("RENTAL_WORKERS", "GRANIAN_WORKERS"))
    threads: PositiveInt = 8
    pool_size: PositiveInt = 10
    pool_timeout: PositiveFloat = 5
    # libpq accepts no less than two.
    connect_timeout: Annotated[int, Field(ge=2)] = 3
    database_timeout: PositiveFloat = 4
    redis_timeout: PositiveFloat = 2
    files_timeout: PositiveFloat = 10
    logs: Literal["", "text", "json"] = ""
    metrics_allowed: tuple[IPvAnyNetwork, ...] = ()
    traces_url: str = ""
    listing_approval: Literal["auto", "manual"] = "auto"
    papers: Literal["off", "optional", "required"] = "optional"
    verified_email: Literal["", "off", "listing", "booking"] = ""
    rate_limits: Literal["on", "off"] = "on"
    max_unanswered: PositiveInt = 3
    max_overlapping: PositiveInt = 3
    max_stored_mb: PositiveInt = 500
    max_vehicles: PositiveInt = 200
    upload_mb_an_hour: PositiveInt = 1000
    address_upload_mb_an_hour: PositiveInt = 3000
    disk_reserve_mb: NonNegativeInt = 500
    trusted_proxies: tuple[str, ...] = ()
    bind_address: IPvAnyAddress = IPv4Address("0.0.0.0")  # noqa: S104 - containers and proxies reach it so
    allowed_hosts: tuple[str, ...] = ()
    demo_data: Literal["on", "off"] = "on"
    demo_data_with_published_passwords: Literal["on", "off"] = "off"
    # Seconds; negative: behind. Within a century, so that no date leaves the calendar.
    clock_ahead: Annotated[float, Field(ge=-CENTURY, le=CENTURY)] = 0

    product_name: str = "Pahiya"
    city: str = "Hyderabad"
    # How pincodes in the city begin: its sorting district, and Shamshabad beyond it.
    city_pincodes: tuple[str, ...] = ("500", "501218")
    public_url: Annotated[str, AfterValidator(lambda url: url.rstrip("/"))] = Field(
        default_factory=lambda: f"http://localhost:{os.environ.get('PORT', '3000')}"
    )
    vendor_site_url: str = ""
    # Further sites whose pages may call the REST API.
    cors_origins: Annotated[tuple[str, ...], AfterValidator(lambda origins: tuple(map(_origin, origins)))] = ()
    support_phone: str = INVENTED_PHONE
    support_email: str = INVENTED_EMAIL
    offices: tuple[str, ...] = INVENTED_OFFICES

    @model_validator(mode="after")
    def _check_secret_key(self) -> Self:
        """Refuse to start with a weak signing key, instead of leaving sessions open to forgery."""
        key = self.secret_key.get_secret_value()
        if key and (problem := weakness(key)):
            raise ValueError(f"RENTAL_SECRET_KEY {problem}")
        if not key and self.env == "production":
            raise ValueError("RENTAL_SECRET_KEY must be set when RENTAL_ENV is production")
        return self

    @model_validator(mode="after")
    def _check_contacts(self) -> Self:
        """Refuse to show customers a phone number, an address and offices that are nobody's."""
        invented = {
            "RENTAL_SUPPORT_PHONE": _digits(self.support_phone) == _digits(INVENTED_PHONE),
            "RENTAL_SUPPORT_EMAIL": self.support_email.strip().lower() == INVENTED_EMAIL,
            "RENTAL_OFFICES": not {office.strip() for office in self.offices}.isdisjoint(INVENTED_OFFICES),
        }
        names = [name for name, is_invented in invented.items() if is_invented]
        if self.env == "production" and names:
            raise ValueError(
                f"{', '.join(names)} must be set when RENTAL_ENV is production: the demo's contact details are invented"
            )
        return self

    @model_validator(mode="after")
    def _check_clock(self) -> Self:
        """Refuse to date real bookings and receipts by a clock that is not the machine's."""
        if self.env == "production" and self.clock_ahead:
            raise ValueError("RENTAL_CLOCK_AHEAD is for tests and demonstrations: it cannot be set in production")
        return self

    @model_validator(mode="after")
    def _check_database_url(self) -> Self:
        with suppress(ArgumentError, ValueError):
            if make_url(self.sqlalchemy_url).drivername in DRIVERS:
                return self
        raise ValueError(
            "RENTAL_DATABASE_URL must look like postgresql://user:password@host:5432/name or sqlite:///file"
        )

    @model_validator(mode="after")
    def _check_workers(self) -> Self:
        """Several processes share nothing but a database server and Redis."""
        needed = {"PostgreSQL in RENTAL_DATABASE_URL": not self.is_sqlite, "RENTAL_REDIS_URL": bool(self.redis_url)}
        missing = [name for name, there in needed.items() if not there]
        if self.workers > 1 and missing:
            raise ValueError(
                f"RENTAL_WORKERS is {self.workers}: more than one needs {' and '.join(missing)}, because bookings would"
                " wait for one file, and sessions and limits be known to one process alone"
            )
        return self

    @field_validator(*URLS)
    @classmethod
    def _check_urls(cls, url: Url, info: ValidationInfo) -> Url:
        """Refuse to start with a URL that would fail, or be sent to people, only later."""
        name, text = info.field_name or "", url.get_secret_value() if isinstance(url, SecretStr) else url
        schemes, example = URLS[name]
        if text and not _is_url(text, schemes):
            raise ValueError(f"RENTAL_{name.upper()} must look like {example}")
        return url

    @property
    def named_in_texts(self) -> dict[str, str]:
        """What privacy, terms and security name in braces."""
        return {
            "product": self.product_name,
            "city": self.city,
            "email": self.support_email,
            "phone": self.support_phone,
            "office": self.offices[0] if self.offices else self.city,
        }

    @cached_property
    def host(self) -> str:
        """The host of the address visitors use, in lower case."""
        return urlsplit(self.public_url).hostname or ""

    @cached_property
    def origin(self) -> str:
        """The origin of that address, as browsers write it."""
        return _origin(self.public_url)

    @cached_property
    def hosts(self) -> frozenset[str]:
        """The host names this server answers to, in lower case."""
        named = {host.lower().strip("[]") for host in self.allowed_hosts}
        bound = set() if self.bind_address.is_unspecified else {str(self.bind_address)}
        return LOCAL_HOSTS | named | bound | {self.host}

    @cached_property
    def granted_origins(self) -> frozenset[str]:
        """The origins of other sites whose pages may call the REST API."""
        vendors = {_origin(self.vendor_site_url)} if self.vendor_site_url else set()
        return frozenset(vendors | set(self.cors_origins))

    @cached_property
    def published_passwords(self) -> bool:
        """Whether accounts may have the demo's published password: in production only when asked for."""
        return self.env == "development" or self.demo_data_with_published_passwords == "on"

    @cached_property
    def email_needed_for(self) -> str:
        """What takes a confirmed e-mail: nothing ("off"), listing vehicles, or that and booking them ("booking")."""
        return self.verified_email or ("listing" if self.env == "production" else "off")

    @cached_property
    def sqlalchemy_url(self) -> str:
        """The database's URL, with the driver that we use for its kind of database."""
        url = self.database_url or f"sqlite:///{self.data_dir / 'pahiya.db'}"
        for plain in ("postgres://", "postgresql://"):
            if url.startswith(plain):
                return "postgresql+psycopg://" + url.removeprefix(plain)
        return url

    @cached_property
    def json_logs(self) -> bool:
        """Whether logs are read by machines: in production, unless set otherwise."""
        return (self.logs or ("json" if self.env == "production" else "text")) == "json"

    @cached_property
    def is_sqlite(self) -> bool:
        """Whether the database is a file, which one process serves."""
        return self.sqlalchemy_url.startswith("sqlite")

    @cached_property
    def signing_key(self) -> str:
        """The key that signs tokens; made on first use in the data folder when none is set."""
        if key := self.secret_key.get_secret_value():
            return key
        return _key_in(self.data_dir / "signing.key")

    def public(self) -> dict[str, str | list[str]]:
        """The settings that are part of the built pages, so that changing one requires a new build."""
        return {
            "product_name": self.product_name,
            "city": self.city,
            "public_url": self.public_url if "public_url" in self.model_fields_set else "",  # else it follows PORT
            "vendor_site_url": self.vendor_site_url,
            "support_phone": self.support_phone,
            "support_email": self.support_email,
            "offices": list(self.offices),
        }


def _digits(phone: str) -> str:
    return "".join(filter(str.isdecimal, phone))


def _is_url(text: str, schemes: set[str]) -> bool:
    try:
        parts = urlsplit(text)
        # Reading an impossible port raises.
        return parts.scheme in schemes and parts.port != 0 and bool(parts.hostname or parts.scheme == "file")
    except ValueError:
        return False


@cache
def _key_in(path: Path) -> str:
    if not path.exists():
        _make_key(path)
    key = path.read_text().strip()
    if weakness(key):
        raise ValueError(f"{path} holds no usable signing key: delete it and a new one is made")
    return key


def _make_key(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(48))
    # A hard link appears whole or not at all: if two processes start at once, one makes the key and both read it.
    with suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()


@cache
def settings() -> Settings:
    """The settings of this process, read once; from then on its clock goes by them."""
    chosen = Settings()
    clock.set_ahead(timedelta(seconds=chosen.clock_ahead))
    return chosen


def wrong_setting(error: ValidationError) -> str:
    """Which setting is wrong and how, without its value."""
    first = error.errors()[0]
    name = "".join(str(part).upper() for part in first["loc"][:1])
    name = f"RENTAL_{name.removeprefix('RENTAL_')}"
    message = first["msg"].removeprefix("Value error, ")
    return f"A setting is wrong: {message if name in message else f'{name}: {message}'}"


@contextmanager
def settings_or_exit() -> Iterator[None]:
    """Raise SystemExit naming the setting when one turns out to be wrong."""
    try:
        yield
    except ValidationError as error:
        raise SystemExit(wrong_setting(error)) from None
    except SettingsError as error:
        raise SystemExit(f"A setting is wrong: {error} (lists are written as JSON)") from None
