"""Which part of the product may import which other part."""

import ast
from pathlib import Path

from tests.rows import each

ROOT = Path(__file__).parents[1] / "rental_app"
# Maps a part to the parts it may import; `settings`, `errors`, `content` and `rules` hold no logic that could tangle.
COMMON = {"settings", "errors", "rules", "content", "schemas"}
ALLOWED = {
    "errors": set(),
    "settings": {"rules"},
    "content": {"rules"},
    "rules": {"errors"},
    "security": {"settings", "errors"},
    "db": {"settings", "errors", "postgresql", "sqlite", "watch"},
    "batching": {"errors", "db"},
    "postgresql": {"settings", "errors"},
    "sqlite": set(),
    "models": {"rules", "content"},
    "schemas": {"rules", "errors"},
    "services": COMMON | {"models", "db", "security", "watch"},
    # Photos are stored like everybody's, and receipts numbered in their series.
    "seed": {"errors", "rules", "models", "db", "security", "services"},
    "views": COMMON | {"models", "services"},
    "served": COMMON | {"models", "views", "services", "db", "batching", "headers"},
    "api": COMMON | {"services", "db", "batching", "served", "security", "logs", "watch", "traces", "headers"},
    "states": COMMON | {"views", "services", "db", "logs", "watch"},
    "components": COMMON - {"errors"} | {"views", "states"},
    "pages": COMMON - {"errors"} | {"components", "views", "states"},
    "headers": {"settings", "content"},
    "crowd": {"settings", "rules", "headers"},
    "plugins": {"components", "content", "served", "to_jinja"},
    "private": {"settings"},
    "build": {"settings"},
    "serve": {"settings", "db", "seed", "private", "supervisor", "build", "soundness"},
    "approve": {"db", "errors", "services", "settings"},
    "reviews": {"db", "errors", "models", "rules", "services", "settings"},
    "backup": {"settings", "db", "private", "services", "soundness"},
    "soundness": {"db"},
    "supervisor": {"logs", "schemas", "crowd"},
    "logs": {"settings"},
    "watch": {"errors"},
    "forever": {"errors"},
    "frames": {"settings"},
    "traces": {"settings"},
    "newcomers": {"settings", "rules"},
    "sockets": {"settings", "errors", "rules", "db", "frames", "newcomers", "states", "watch"},
    "to_jinja": set(),
}
FRAMEWORKS = {"reflex", "fastapi", "starlette"}
ENTRY = "rental_app"


def modules() -> list[tuple[str, Path]]:
    """Return every module of the product with the part it belongs to."""
    return [(part_of(path), path) for path in sorted(ROOT.rglob("*.py")) if path != ROOT / "__init__.py"]


def part_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Return the full names a module imports, also inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are absolute"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def parts_imported(path: Path) -> set[str]:
    own = [name.split(".") for name in imports(path) if name.split(".")[0] == "rental_app"]
    return {names[1] for names in own if len(names) > 1}


@each(("part", "path"), modules())
def test_imports_go_one_way(part: str, path: Path) -> None:
    if part == ENTRY:
        return
    assert part in ALLOWED, f"say in this test what {part} may import"
    assert parts_imported(path) - {part} <= ALLOWED[part]


def test_no_part_may_import_what_it_does_not() -> None:
    used: dict[str, set[str]] = {}
    for part, path in modules():
        used.setdefault(part, set()).update(parts_imported(path))
    assert {part: allowed - used[part] for part, allowed in ALLOWED.items() if allowed - used[part]} == {}


def test_rules_and_services_know_no_framework() -> None:
    for part, path in modules():
        used = {name.split(".")[0] for name in imports(path)}
        if part in (
            "rules",
            "services",
            "models",
            "schemas",
            "security",
            "db",
            "errors",
            "settings",
            "seed",
            "content",
            "views",
        ):
            assert not used & FRAMEWORKS, path
        if part == "served":
            assert not used & {"reflex", "fastapi"}, path
        if part == "rules":
            assert not used & {"sqlmodel", "sqlalchemy", "pydantic"}, path


LISTINGS = {f"rental_app.models.{kind}" for kind in ("Listing", "ListingInFull", "OwnListing")}


def test_pages_are_made_from_listings_not_from_tables() -> None:
    for part, path in modules():
        if part in ("views", "served"):
            assert {name for name in imports(path) if name.startswith("rental_app.models")} <= LISTINGS, path


def test_rupees_are_written_by_the_views() -> None:
    """Services format rupees, too, in texts that leave as they are (refusals, messages, receipts), as does the copy."""
    for part, path in modules():
        if part not in ("views", "services") and path.name != "figures.py":
            names = {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(ast.parse(path.read_text()))}
            assert "format_rupees" not in names, path


def test_schemas_are_the_wire() -> None:
    """What a page shows is defined next to the view that makes it, not in the schemas."""
    for part, path in modules():
        if part == "schemas":
            assert "BaseModel" not in path.read_text(encoding="utf-8") or path.name in ("wire.py", "validation.py"), (
                path
            )


def test_nobody_imports_the_pages_or_the_entry() -> None:
    for part, path in modules():
        if part != ENTRY:
            assert ENTRY not in parts_imported(path), path
            assert part == "pages" or "pages" not in parts_imported(path), path


def test_helpers_never_commit() -> None:
    for part, path in modules():
        if part in ("services", "seed", "states"):
            text = path.read_text(encoding="utf-8")
            assert ".commit(" not in text, path
            assert ".rollback(" not in text, path


def test_what_was_done_is_said_in_the_same_words_everywhere() -> None:
    """A message that the calls and the pages share is a constant beside its service."""
    answered, shown = set(), set()
    for part, path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if part == "api" and isinstance(node, ast.keyword) and node.arg == "message":
                answered.add(ast.unparse(node.value))
            elif part == "states" and isinstance(node, ast.Constant):
                shown.add(ast.unparse(node))
    assert not answered & shown


# What states may take from Reflex directly; events with text in them are created by `web/session/events.py` alone.
HARMLESS = {"State", "var", "event", "LocalStorage", "SessionStorage", "call_script", "set_focus"}


def test_states_hand_no_text_to_events_themselves() -> None:
    for part, path in modules():
        if part != "states" or path.name == "events.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "rx":
                assert node.attr in HARMLESS, f"{path}:{node.lineno}"
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "rx.event":
                assert node.attr == "EventSpec", f"{path}:{node.lineno}"
            if isinstance(node, ast.Call):
                assert not _carries_text(node), f"{path}:{node.lineno}"


def _carries_text(call: ast.Call) -> bool:
    """Return whether a call runs a script that is no constant, or creates a state handler's event with arguments."""
    if ast.unparse(call.func) == "rx.call_script":
        return not isinstance(call.args[0], ast.Constant)
    named = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
    return named and ast.unparse(call.func).split(".")[0].endswith("State") and bool(call.args or call.keywords)
