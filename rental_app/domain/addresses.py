"""IP addresses: which of them count as one."""

import ipaddress
from functools import lru_cache


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """What counts as one address: for IPv6 a household's network, which has too many addresses to count singly."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))
