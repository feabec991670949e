"""axe-core, which finds what keeps people with disabilities from using a page."""

import fcntl
import os
import subprocess
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.e2e.app import ROOT

VERSION = "4.14.1"


def source(cache: Path) -> str:
    """The script of the pinned version, kept in a cache folder; npm fetches it the first time."""
    folder = cache / VERSION
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    folder.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not script.exists():
            _install(folder)
    return script.read_text()


def _install(folder: Path) -> None:
    environment = os.environ | {"PATH": f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    install = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", f"axe-core@{VERSION}"]
    subprocess.run(install, check=True, capture_output=True, timeout=120, env=environment)


def violations(page: Page) -> list[str]:
    """What axe finds wrong with the page as it is now: rule and elements, one line each."""
    found: list[dict[str, Any]] = page.evaluate("axe.run().then(result => result.violations)")
    return [
        f"{rule['id']}: {node['html'][:160]} {node['any'][0]['message'] if node['any'] else ''}"
        for rule in found
        for node in rule["nodes"]
    ]
