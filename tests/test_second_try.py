"""A whole run tries what failed once more, alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[1]
BY_CHANCE = """
import pathlib
def test_{0}():
    tried = pathlib.Path("tried {0}")
    assert tried.exists() or tried.touch()
"""
ALWAYS = "def test_always():\n    assert not 'broken'\n"


def run(folder: Path, *tests: str) -> tuple[int, str]:
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_these.py").write_text("\n".join(tests))
    command = [sys.executable, "-m", "tests.support.run"]
    paths = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=paths, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_what_passes_alone_is_named_and_the_run_is_green(tmp_path: Path) -> None:
    code, said = run(tmp_path, BY_CHANCE.format("first"), BY_CHANCE.format("second"), "def test_well(): pass")
    assert code == 0
    names = said.partition("passed only alone")[2].split()
    assert names[-2:] == ["test_these.py::test_first", "test_these.py::test_second"]


def test_what_fails_twice_is_red(tmp_path: Path) -> None:
    code, said = run(tmp_path, BY_CHANCE.format("first"), ALWAYS)
    assert code == 1
    assert said.rstrip().endswith("failed twice:\n  test_these.py::test_always")


@pytest.mark.parametrize("broken", ["import nothing_of_this_name", ""])
def test_what_cannot_run_is_red(tmp_path: Path, broken: str) -> None:
    code, said = run(tmp_path, broken)
    assert code > 1
    assert "tried again" not in said


def test_more_than_a_few_are_not_chance(tmp_path: Path) -> None:
    code, said = run(tmp_path, *map(BY_CHANCE.format, range(9)))
    assert code == 1
    assert "more than 8" in said
    assert "passed only alone" not in said
