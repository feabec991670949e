"""npm packages that tests use and the product does not."""

import fcntl
import subprocess
from pathlib import Path

from tests.support.app import ROOT, environment

# Inside pytest's cache, so that `make clean` empties it and all runs of tests and benchmarks share it.
CACHE = ROOT / ".pytest_cache" / "d"
SECONDS = 300


def fetched(name: str, version: str) -> Path:
    """Return the folder of a package's pinned version in the cache; npm fetches it the first time."""
    folder = CACHE / name / version
    package = folder / "node_modules" / name
    folder.mkdir(parents=True, exist_ok=True)
    with (CACHE / name / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not (done := folder / "complete").exists():
            _install(folder, f"{name}@{version}")
            done.touch()
    return package


def _install(folder: Path, package: str) -> None:
    install = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--ignore-scripts", package]
    subprocess.run(install, check=True, capture_output=True, timeout=SECONDS, env=environment())
