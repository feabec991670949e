"""What a caller is known by: the name of a browser for people, and which IP addresses count as one."""

import re
from ipaddress import IPv6Address

# In this order: many browsers also name those whose engine they have.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("FxiOS", "Firefox"),
    ("Firefox", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrom", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "Chromebook"),
    ("Linux", "Linux"),
)
UNKNOWN = "Unknown device"
_PROGRAM = re.compile(r"[A-Za-z][\w .-]{0,39}", re.ASCII)


def device_name(user_agent: str) -> str:
    """A device's name from what its browser says of itself ("Chrome on Android"), a program's own name otherwise."""
    browser, system = (
        next((name for mark, name in names if mark in user_agent), "") for names in (_BROWSERS, _SYSTEMS)
    )
    if browser and system:
        return f"{browser} on {system}"
    program = _PROGRAM.match(user_agent.split("/")[0].strip())
    return browser or system or (program[0] if program and program[0] != "Mozilla" else UNKNOWN)


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
