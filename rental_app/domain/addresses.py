"""IP addresses: which of them count as one."""

from ipaddress import IPv6Address


def network_of(address: str) -> str:
    """What counts as one address: for IPv6 a household's network, which has too many addresses to count singly."""
    if ":" not in address:
        return address
    try:
        numbered = IPv6Address(address)
    except ValueError:
        return address
    # The last 64 bits are the household's own.
    return str(numbered.ipv4_mapped or f"{IPv6Address(int(numbered) >> 64 << 64)}/64")
