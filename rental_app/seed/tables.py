"""What the parts of the demo data share: the data files beside this module, and the ids of inserted rows."""

import csv
import json
import tomllib
from pathlib import Path
from typing import Any, Protocol

FOLDER = Path(__file__).parent


class SeedRow(Protocol):
    """Any table's row."""

    id: int | None


def row_id(row: SeedRow) -> int:
    """The id of an inserted row; raises ValueError before the flush that gives it one."""
    if row.id is None:
        raise ValueError(f"{row!r} has not been flushed")
    return row.id


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a CSV file, by column name."""
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def toml(name: str) -> dict[str, Any]:
    """The tables of a TOML file."""
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))


def bank_names() -> dict[str, str]:
    """IFSC prefix to bank name, all banks of India (see fetch_banks.py)."""
    names: dict[str, str] = json.loads((FOLDER / "banks.json").read_text(encoding="utf-8"))
    return names
