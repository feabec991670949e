"""What a browser is called by the people who use it."""

import re

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
