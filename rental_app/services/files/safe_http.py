"""Fetching files from other hosts, so that nobody can point the product at its own network.

Only https, only public addresses, connecting to the very address that was checked, with limits on time and size.
"""

import asyncio
import ipaddress
import socket
import ssl
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from urllib.parse import urljoin, urlsplit

import anyio
import anyio.to_thread
import httpx2

from rental_app.domain.characters import all_visible
from rental_app.domain.errors import InvalidInputError
from rental_app.infrastructure.settings import settings

# A history of years fits: thousands of entries, each of which ends long before today.
SECONDS, MOST_BYTES, MOST_REDIRECTS = 10.0, 4_000_000, 3
# How many files are fetched at a time, for all vendors together.
MOST_AT_A_TIME = 20
HTTPS = 443
MOST_CHARACTERS = 500
# Native addresses; any outside this network, or translated to IPv4, may lead anywhere.
_IPV6 = ipaddress.ip_network("2000::/3")
_TRANSLATED = (ipaddress.ip_network("2002::/16"), ipaddress.ip_network("2001::/32"))

# What platforms call a calendar's address where a click should open it in a calendar program.
_SUBSCRIBED = ("webcal://", "webcals://")
_ENCODINGS = ("", "identity", "gzip", "x-gzip")
_GZIP, _GZIP_BEGINS = 16 + zlib.MAX_WBITS, b"\x1f\x8b"
_CLOSED = "The address asks for a password (status {})"
_GONE = "There is no file at this address (status {})"
_REFUSED = "The host refuses to show this address (status {})"
_TOO_OFTEN = "The host asks for fewer requests (status {})"
_STATUSES = {401: _CLOSED, 403: _REFUSED, 404: _GONE, 410: _GONE, 429: _TOO_OFTEN}
_BUSY = "The host has a fault of its own (status {})"

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class FetchError(Exception):
    """Why nothing was fetched, worded for the vendor."""


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public internet."""
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        return address in _IPV6 and not any(address in network for network in _TRANSLATED)
    return True


@dataclass(frozen=True, slots=True)
class SafeClient:
    """A client for other hosts: the addresses, certificates and port that it accepts."""

    allowed: Callable[[Address], bool] = is_public
    certificates: ssl.SSLContext | bool = True
    port: int = HTTPS

    async def fetch(self, url: str) -> bytes:
        """The response body of an https URL; raises FetchError."""
        try:
            async with asyncio.timeout(SECONDS):
                return await self._followed(url)
        except TimeoutError as error:
            raise FetchError("The address takes too long") from error

    async def _followed(self, url: str) -> bytes:
        for _ in range(MOST_REDIRECTS + 1):
            answer = await self._response(url)
            if isinstance(answer, bytes):
                return answer
            url = as_https(answer)
            if not url.lower().startswith("https://"):
                raise FetchError("The address leads to one that does not begin with https://")
        raise FetchError("The address redirects too many times")

    async def _response(self, url: str) -> bytes | str:
        """The response body, or the URL it redirects to."""
        if host_of(url)[1] != self.port:
            # The errors of other ports would reveal what listens where.
            raise FetchError("Only addresses without a port are read")
        try:
            return await self._answered(url, httpx2.URL(url))
        except (httpx2.TransportError, OSError) as error:
            raise FetchError(_why_not_reached(error)) from error
        # Parsers and encodings reject invalid hosts and redirects in many ways.
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
            raise FetchError(f"The address cannot be read ({type(error).__name__})") from error

    async def _answered(self, url: str, target: httpx2.URL) -> bytes | str:
        # The ASCII form for headers and certificates; the name itself may have letters of any script.
        host = target.raw_host.decode("ascii")
        address = await self._resolved(host)
        # A proxy from the environment would resolve the name once more.
        client = httpx2.AsyncClient(verify=self.certificates, trust_env=False, timeout=SECONDS)
        product = settings().product_name
        agent = f"{product} (calendar import; +{settings().public_url})".encode("ascii", "ignore").decode()
        # Many hosts refuse programs that do not say who they are.
        headers = {"User-Agent": agent, "Accept": "text/calendar, */*;q=0.5", "Accept-Encoding": "gzip, identity"}
        headers["Host"] = target.netloc.decode("ascii")
        there, name = target.copy_with(host=str(address)), {"sni_hostname": host}
        async with client, client.stream("GET", there, headers=headers, extensions=name) as answer:
            if answer.is_redirect and "location" in answer.headers:
                return str(urljoin(url, answer.headers["location"]))
            if answer.status_code != httpx2.codes.OK:
                raise FetchError(_status_message(answer.status_code))
            return await _body(answer)

    async def _resolved(self, host: str) -> Address:
        """The first address of a host, whose addresses must all be allowed."""
        try:
            ask = partial(socket.getaddrinfo, host, self.port, type=socket.SOCK_STREAM)
            records = await anyio.to_thread.run_sync(ask, abandon_on_cancel=True, limiter=_lookups())
        except (OSError, UnicodeError) as error:
            raise FetchError("The host is not known") from error
        addresses = [ipaddress.ip_address(str(one[4][0]).partition("%")[0]) for one in records]
        if not addresses or not all(map(self.allowed, addresses)):
            raise FetchError("The host is not a public one")
        return addresses[0]


@cache
def _lookups() -> anyio.CapacityLimiter:
    """Separate threads for DNS lookups, so that slow name servers hold up nobody else: one for every file fetched."""
    return anyio.CapacityLimiter(MOST_AT_A_TIME)


def _why_not_reached(error: BaseException) -> str:
    if isinstance(error, httpx2.TimeoutException):
        return "The address takes too long"
    if _has_cause(error, ssl.SSLCertVerificationError):
        return "The host's certificate cannot be trusted, so nothing was read"
    if isinstance(error, httpx2.ConnectError | OSError):
        return "No connection to the host"
    return f"The host broke off before the whole file was there ({type(error).__name__})"


def _has_cause(error: BaseException | None, kind: type[BaseException]) -> bool:
    while error:
        if isinstance(error, kind):
            return True
        error = error.__cause__ or error.__context__
    return False


def _status_message(status: int) -> str:
    usual = _BUSY if status >= httpx2.codes.INTERNAL_SERVER_ERROR else "The address returned status {}"
    return _STATUSES.get(status, usual).format(status)


def as_https(url: str) -> str:
    """The address under which a calendar offered to calendar programs (webcal://) is fetched."""
    for scheme in _SUBSCRIBED:
        if url.lower().startswith(scheme):
            return f"https://{url[len(scheme) :]}"
    return url


def host_of(url: str) -> tuple[str, int]:
    """The host and port of an https URL without a user name or password in it; raises FetchError."""
    try:
        parts = urlsplit(url)
        port = parts.port or HTTPS
    except ValueError as error:
        raise FetchError("This is not a valid address") from error
    if parts.scheme != "https" or not parts.hostname or parts.username is not None or len(url) > MOST_CHARACTERS:
        raise FetchError("Only addresses that begin with https:// are read")
    return parts.hostname, port


def check_address(url: str) -> None:
    """Raise InvalidInputError for what is clearly not a public https URL; names are checked only when fetched."""
    try:
        host = host_of(url)[0]
        # Messengers put such characters into what people copy; the address would only fail later.
        if " " in host or not all_visible(url):
            raise FetchError("This is not a valid address")
    except FetchError as error:
        raise InvalidInputError(str(error), fields={"url": str(error)}) from None
    try:
        allowed = is_public(ipaddress.ip_address(host))
    except ValueError:
        allowed = "." in host and not host.endswith((".localhost", ".local", ".internal"))
    if not allowed:
        message = "The host is not a public one"
        raise InvalidInputError(message, code="private_address", fields={"url": message})


async def _body(answer: httpx2.Response) -> bytes:
    encoding = answer.headers.get("content-encoding", "").strip().lower()
    if encoding not in _ENCODINGS:
        raise FetchError("The file is packed in a way that is not read here: only gzip is")
    body = bytearray()
    async for part in answer.aiter_raw():
        body += part
        _require_size(body)
    # The file tells better than the header, which some hosts forget and others send for everything.
    return _unpacked(bytes(body)) if body.startswith(_GZIP_BEGINS) else bytes(body)


def _unpacked(body: bytes) -> bytes:
    """The contents of a gzip file, of which no more than the largest file's size is ever unpacked."""
    whole = bytearray()
    try:
        # Several files packed one after the other are one file.
        while body.startswith(_GZIP_BEGINS):
            unpacking = zlib.decompressobj(_GZIP)
            whole += unpacking.decompress(body, MOST_BYTES + 1 - len(whole))
            _require_size(whole)
            if not unpacking.eof:
                raise FetchError("The packed file ends too early")
            body = unpacking.unused_data
    except zlib.error as error:
        raise FetchError("The packed file is damaged") from error
    return bytes(whole)


def _require_size(body: bytearray) -> None:
    if len(body) > MOST_BYTES:
        raise FetchError(f"The file is larger than {MOST_BYTES // 1000:,} KB")
