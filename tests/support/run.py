"""A whole run of the tests: `python -m tests.support.run`, with pytest's own options.

What failed is tried again, each test alone in a process of its own once all others have ended: on a busy machine one
among thousands may fail by chance. What passes then is named at the end, and docs/testing.md keeps the list of such
tests until they are mended. What fails twice, or more than a few, is red.
"""

import json
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from rental_app.infrastructure.build import say

MOST_BY_CHANCE = 8
# Pytest's exit code when tests ran and some of them failed: an error of any other kind is not chance.
SOME_FAILED = 1


def main(arguments: list[str]) -> int:
    """Run the tests and what failed of them once more; returns the exit code."""
    with tempfile.TemporaryDirectory() as cache:
        code = _pytest("-o", f"cache_dir={cache}", *arguments)
        record = Path(cache, "v/cache/lastfailed")
        failed = list(json.loads(record.read_text())) if code == SOME_FAILED and record.exists() else []
    if not failed:
        return code
    if len(failed) > MOST_BY_CHANCE:
        say(f"{len(failed)} tests failed: more than {MOST_BY_CHANCE} are not tried again")
        return code
    return _try_again(failed, _clock(arguments))


def _try_again(failed: list[str], clock: list[str]) -> int:
    say(f"{len(failed)} failed and are tried again, each alone")
    twice = [test for test in failed if _pytest("-q", "-p", "no:cacheprovider", *clock, test)]
    if chance := [test for test in failed if test not in twice]:
        say("\n  ".join(("passed only alone (for the list in docs/testing.md):", *chance)))
    if twice:
        say("\n  ".join(("failed twice:", *twice)))
    return SOME_FAILED if twice else 0


def _clock(arguments: list[str]) -> list[str]:
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--at")
    at = parser.parse_known_args(arguments)[0].at
    return ["--at", at] if at else []


def _pytest(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
