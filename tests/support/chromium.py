"""Finds a Chromium, or fetches one: `python -m tests.support.chromium` does so before it is needed."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from filelock import FileLock
from playwright.sync_api import Browser, Error, Playwright, sync_playwright

# Chromium without its invisible window: a visit costs half of what it costs in the other builds.
SHELL = "chromium-headless-shell"
SYSTEM_NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# A window of today's headless Chromium renders two pages of its own for an invisible address bar: two fifths of what a
# visit costs. The switch replaces Playwright's own list, so the entries of it that tests rely on are here as well.
UNUSED = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    # A tab that has waited behind others for five minutes would have its timers run once a minute from then on.
    "IntensiveWakeUpThrottling",
    "LensOverlay",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
QUIET = ("--in-process-gpu", "--disable-background-networking")
# For pages that are left within seconds and seen by nobody. V8's optimizing compilers take longer than they save.
# Without memory for tiles, none are painted except for screenshots; painting was a fifth of what a visit costs.
BRIEFLY = ("--js-flags=--no-opt --no-maglev", "--force-gpu-mem-available-mb=1")
ARGUMENTS = ["--no-sandbox", *QUIET, f"--disable-features={','.join(UNUSED)}"]


def find(playwright: Playwright) -> str:
    """Return the path of a Chromium: the system's, else Playwright's, else Debian's; raise RuntimeError without one.

    Debian's headless build comes first where it is available.
    """
    found = shutil.which(SHELL) or _debian(SHELL) or _system() or _own(playwright) or _fetched(playwright)
    found = found or _debian("chromium")
    if not found:
        names = ", ".join(SYSTEM_NAMES)
        raise RuntimeError(
            f"The browser tests need Chromium: there is none of {names} on the PATH, `playwright install chromium`"
            " failed, and apt-get could not install it. Install one of them."
        )
    return found


def launched(playwright: Playwright, *more: str) -> Browser:
    """Launch a Chromium, trying twice: now and then one crashes on startup for no reason that recurs."""
    options = {"executable_path": find(playwright), "args": [*ARGUMENTS, *more], "timeout": 60_000}
    try:
        return playwright.chromium.launch(**options)
    except Error:
        return playwright.chromium.launch(**options)


def _system() -> str:
    return next((path for name in SYSTEM_NAMES if (path := shutil.which(name))), "")


def _own(playwright: Playwright) -> str:
    path = playwright.chromium.executable_path
    return path if Path(path).exists() else ""


def _fetched(playwright: Playwright) -> str:
    return _own(playwright) if _succeeds(sys.executable, "-m", "playwright", "install", "chromium") else ""


def _debian(package: str) -> str:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return ""
    # Otherwise the workers of a run would interfere with each other.
    with FileLock(Path(tempfile.gettempdir()) / "rental-apt.lock"):
        there = shutil.which(package) or _succeeds("apt-get", "update", "-q")
        return _system() if there and _succeeds("apt-get", "install", "-qy", package) else ""


def _succeeds(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=300, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


if __name__ == "__main__":
    with sync_playwright() as driver:
        find(driver)
