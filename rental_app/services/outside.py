"""Fetching files from other hosts, so that nobody can point the product at its own network.

Only https, only public addresses, connecting to the very address that was checked, with limits on time and size.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from urllib.parse import urljoin, urlsplit

import anyio
import anyio.to_thread
import httpx

from rental_app.errors import InvalidInputError

SECONDS, MOST_BYTES, MOST_REDIRECTS = 10.0, 1_000_000, 3
HTTPS = 443
MOST_CHARACTERS = 500
# Native addresses; any outside this network, or translated to IPv4, may lead anywhere.
_IPV6 = ipaddress.ip_network("2000::/3")
_TRANSLATED = (ipaddress.ip_network("2002::/16"), ipaddress.ip_network("2001::/32"))

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
class Outside:
    """What counts as outside: the accepted addresses, certificates and port."""

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
            answer = await self._asked(url)
            if isinstance(answer, bytes):
                return answer
            url = answer
        raise FetchError("The address redirects too many times")

    async def _asked(self, url: str) -> bytes | str:
        """The response body, or the URL it redirects to."""
        if host_of(url)[1] != self.port:
            # The errors of other ports would reveal what listens where.
            raise FetchError("Only addresses without a port are read")
        try:
            return await self._answered(url, httpx.URL(url))
        # Parsers and encodings reject invalid hosts and redirects in many ways.
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            raise FetchError(f"The address cannot be read ({type(error).__name__})") from error

    async def _answered(self, url: str, target: httpx.URL) -> bytes | str:
        # The ASCII form for headers and certificates; the name itself may have letters of any script.
        host = target.raw_host.decode("ascii")
        address = await self._resolved(host)
        headers = {"Host": target.netloc.decode("ascii"), "Accept": "text/calendar", "Accept-Encoding": "identity"}
        # A proxy from the environment would resolve the name once more.
        client = httpx.AsyncClient(verify=self.certificates, trust_env=False, timeout=SECONDS)
        there, name = target.copy_with(host=str(address)), {"sni_hostname": host}
        async with client, client.stream("GET", there, headers=headers, extensions=name) as answer:
            if answer.is_redirect:
                return str(urljoin(url, answer.headers.get("location", "")))
            if answer.status_code != httpx.codes.OK or "content-encoding" in answer.headers:
                raise FetchError(f"The address returned status {answer.status_code}")
            return await _body(answer)

    async def _resolved(self, host: str) -> Address:
        """The first address of a host, whose addresses must all be allowed."""
        try:
            ask = partial(socket.getaddrinfo, host, self.port, type=socket.SOCK_STREAM)
            found = await anyio.to_thread.run_sync(ask, abandon_on_cancel=True, limiter=_lookups())
        except (OSError, UnicodeError) as error:
            raise FetchError("The host is not known") from error
        addresses = [ipaddress.ip_address(str(one[4][0]).partition("%")[0]) for one in found]
        if not addresses or not all(map(self.allowed, addresses)):
            raise FetchError("The host is not a public one")
        return addresses[0]


@cache
def _lookups() -> anyio.CapacityLimiter:
    """Separate threads for DNS lookups, so that slow name servers hold up nobody else."""
    return anyio.CapacityLimiter(10)


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
    except FetchError as error:
        raise InvalidInputError(str(error), fields={"url": str(error)}) from None
    try:
        allowed = is_public(ipaddress.ip_address(host))
    except ValueError:
        allowed = "." in host and not host.endswith((".localhost", ".local", ".internal"))
    if not allowed:
        message = "The host is not a public one"
        raise InvalidInputError(message, code="private_address", fields={"url": message})


async def _body(answer: httpx.Response) -> bytes:
    body = b""
    async for part in answer.aiter_raw():
        body += part
        if len(body) > MOST_BYTES:
            raise FetchError(f"The file is larger than {MOST_BYTES // 1000:,} KB")
    return body
