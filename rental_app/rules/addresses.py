"""Internet addresses: what counts as one of them."""

import ipaddress
from functools import lru_cache


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """What counts as one address: of IPv6 the network of a household, which has more addresses than can be counted."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))
