"""What people call what a search can find: `searched.toml`, which explains itself."""

import tomllib
from pathlib import Path

_TABLES: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _listed(texts: str) -> tuple[str, ...]:
    return tuple(text.strip() for text in texts.split(",") if text.strip())


def _names(*sections: str) -> dict[str, tuple[str, ...]]:
    return {name: _listed(texts) for section in sections for name, texts in _TABLES[section].items()}


SILENT = tuple(text for texts in _names("silent").values() for text in texts)
BETWEEN = _names("between")["words"]
# By a name or a part of a name: what else finds whatever bears it.
MODELS_CALLED = _names("kinds", "makers", "models")
PLACES_CALLED = _names("places")
COLORS_CALLED = _names("colors")
