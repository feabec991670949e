"""The product's version, as `pyproject.toml` says it."""

import tomllib
from functools import cache
from pathlib import Path


@cache
def version() -> str:
    """The version that runs, such as 1.0.0."""
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    return str(tomllib.loads(text)["project"]["version"])
