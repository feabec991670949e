"""Which part of the product may import which other part."""

import ast
import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.rows import each

ROOT = Path(__file__).parents[1] / "rental_app"
# Maps a part to the parts it may import; `domain`, `content` and `schemas` hold no logic that could tangle.
COMMON = {"domain", "content", "schemas"}
ALLOWED = {
    "domain": set(),
    "content": {"domain"},
    "library_patches": set(),
    "infrastructure": {"domain", "content", "schemas", "library_patches"},
    "models": {"domain", "content"},
    "schemas": {"domain"},
    "services": COMMON | {"models", "infrastructure"},
    # Photos are stored like everybody's, and receipts numbered in their series.
    "seed": {"domain", "content", "models", "schemas", "infrastructure", "services"},
    "web": COMMON | {"models", "infrastructure", "services", "library_patches"},
    "ssr": COMMON | {"models", "infrastructure", "services", "web", "library_patches"},
    "api": COMMON | {"infrastructure", "services", "ssr"},
    "reflex_patches": {"content", "ssr", "web"},
    "serve": {"infrastructure", "seed", "services"},
    "people": {"domain", "infrastructure", "models", "schemas", "services"},
    "backup": {"domain", "infrastructure", "services"},
}
# From the ground up: a module of the services imports only what stands above it, or in its own package. A package
# whose modules stand at several heights is listed by module.
SERVICES = """
throttle paging catalogue queues remembered issued_papers search.cache policies
accounts.actor audit accounts.proofs accounts.letters accounts.sessions accounts.hashing
accounts.second_step accounts.way_back accounts.profile
accounts.login accounts.passkeys
accounts.phones accounts.emails accounts.recovery accounts.sign_up accounts.passwords accounts.requests
accounts.operators
accounts.members
files.storage files.limits files.process_limits files.pictures files.pdf_check files.pdf_pages files.sheet_read
files.check_process
files.check_client files.checks files.pdf files.csv files.safe_http files.uploads files.orphans files.picture_sizes
identity.stored accounts.erasure_list accounts.traces
words pricing.tariffs search.eligibility availability.holds
search.index search.filters search.listings search.search search.similar search.localities
bookings.rows bookings.due bookings.access bookings.events bookings.invoices bookings.ledger
bookings.free_dates bookings.proposals reviews.customers
identity.rules
bookings.confirm_at_once pricing.promotions pricing.quotes bookings.requests
bookings.guests bookings.counter
bookings.lists
identity
reviews.reading trips reviews calendar fleet vendors favourites earnings mail
retention accounts.erasure accounts.export maintenance health
operating.versions operating
console.table console.tables console.lists console.work console.acts console.evidence console.parts
""".split()
# The folders of the pages' edge with those that each may import besides itself. A screen is a folder (or a module) of
# `screens` or of `vendor`, and imports no other screen; the modules that bind all pages to their routes may import any.
SHARED = {"session", "parts", "react"}
WEB: dict[str, set[str]] = {
    "session": set(),
    "react": {"session", "parts"},
    "parts": {"session", "react"},
    "frame": SHARED,
    "screens": SHARED | {"frame"},
    "vendor": SHARED | {"frame"},
    "operator": SHARED | {"frame"},
}
BINDING = {"web.pages", "web.vendor.pages"}
FRAMEWORKS = {"reflex", "fastapi", "starlette"}
ENTRY = "rental_app"


def modules() -> list[tuple[str, Path]]:
    """Return every module of the product with the part it belongs to."""
    return [(part_of(path), path) for path in sorted(ROOT.rglob("*.py")) if path != ROOT / "__init__.py"]


def part_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Return all that a module is made of."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imports(path: Path) -> frozenset[str]:
    """Return the full names a module imports, also inside functions."""
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are absolute"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def parts_imported(path: Path) -> set[str]:
    own = [name.split(".") for name in imports(path) if name.split(".")[0] == "rental_app"]
    return {names[1] for names in own if len(names) > 1}


@each(("part", "path"), modules())
def test_imports_go_one_way(part: str, path: Path) -> None:
    if part == ENTRY:
        return
    assert part in ALLOWED, f"say in ALLOWED what {part} may import"
    assert parts_imported(path) - {part} <= ALLOWED[part], "import from the layers below; see ALLOWED"


def service_of(name: str) -> str:
    """The entry of SERVICES that a full name below the services belongs to; '' if there is none."""
    below = name.removeprefix("rental_app.services.")
    of = [each for each in SERVICES if below == each or below.startswith(f"{each}.")]
    return max(of, key=len, default="")


def services_imported(path: Path) -> set[str]:
    """The entries of SERVICES that a module imports, also inside functions and for the type checker."""
    below = {name for name in imports(path) if name.startswith("rental_app.services.")}
    return {service_of(name) for name in below} - {""}


@each("path", sorted((ROOT / "services").rglob("*.py")))
def test_services_import_only_what_stands_above_them(path: Path) -> None:
    if path.name == "__init__.py":
        return
    mine = service_of(".".join(("rental_app", *path.relative_to(ROOT).with_suffix("").parts)))
    assert mine, f"give {path.relative_to(ROOT)} its place in SERVICES"
    below = {other for other in services_imported(path) if SERVICES.index(other) > SERVICES.index(mine)}
    assert not below, f"{mine} imports {below}, which stands below it: move what both need up, or pass it in"


def is_presenter(path: Path) -> bool:
    """Whether a module of the pages' edge turns what services give into what pages show, and knows no Reflex."""
    return path.stem == "presenter" or path.stem.endswith("_presenter") or path.parent.name == "presenters"


def name_of(path: Path) -> str:
    """A module's name below the product's package, a package's without its `__init__`."""
    names = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


GRAPH_NODES = {name_of(path): path for _, path in modules()}


def modules_imported(path: Path) -> set[str]:
    """The product's modules that a module imports, also inside functions and for the type checker."""
    found = {_module_named(name.removeprefix("rental_app.")) for name in imports(path) if name.startswith("rental_app")}
    return found - {""}


def _module_named(name: str) -> str:
    """The module that an imported name is, or is in."""
    while name and name not in GRAPH_NODES:
        name = name.rpartition(".")[0]
    return name


def room_of(module: str) -> tuple[str, str]:
    """The folder of the pages' edge that a module is in, and its screen; '' for what is no screen."""
    _, folder, *rest = module.split(".")
    return folder, rest[0] if folder in ("screens", "vendor") and rest else ""


WEB_MODULES = sorted(name for name in GRAPH_NODES if name.startswith("web.") and name not in BINDING)


@each("module", WEB_MODULES)
def test_the_folders_of_the_pages_import_one_way(module: str) -> None:
    folder, screen = room_of(module)
    assert folder in WEB, f"say in WEB what {folder} may import"
    for other in sorted(name for name in modules_imported(GRAPH_NODES[module]) if name.startswith("web.")):
        there, other_screen = room_of(other)
        if there == folder:
            assert other_screen == screen, f"{module} imports {other}: what two screens share moves to web/parts"
        else:
            assert there in WEB[folder], (
                f"{module} imports {other}, which {folder} may not know: move what both need down, or let the upper one"
                " register what is to be done (web/session/login_wanted.py)"
            )


def test_no_modules_import_one_another_in_a_circle() -> None:
    sorter = TopologicalSorter({name: modules_imported(path) for name, path in GRAPH_NODES.items()})
    try:
        sorter.prepare()
    except CycleError as error:
        pytest.fail(f"these import one another: move what they share into a module below them: {error.args[1]}")


def test_presenters_know_no_framework() -> None:
    for part, path in modules():
        if part == "web" and is_presenter(path):
            used = {name.split(".")[0] for name in imports(path)} & FRAMEWORKS
            assert not used, f"{path} imports {used}: what needs a framework goes into page.py or state.py"
            drawing = [name for name in modules_imported(path) if name.startswith("web.")]
            known = [name for name in drawing if not is_presenter(GRAPH_NODES[name])]
            assert not known, f"{path} imports {known}: a presenter imports no module that knows Reflex"


def test_the_server_renders_from_presenters_alone() -> None:
    for part, path in modules():
        if part == "ssr":
            web = [name for name in modules_imported(path) if name.startswith("web.")]
            others = [name for name in web if not is_presenter(GRAPH_NODES[name])]
            assert not others, f"{path} imports {others}: the server uses presenters alone, so move it into one"


@cache
def is_state(part: str, path: Path) -> bool:
    """Whether a module of the pages' edge handles events and draws nothing."""
    if (
        part != "web"
        or is_presenter(path)
        or "react" in path.parts
        or path.name in ("__init__.py", "sockets.py", "pages.py")
    ):
        return False
    return not {"rx.Component", "rx.el"} & set(re.findall(r"rx\.\w+", path.read_text(encoding="utf-8")))


def test_domain_and_services_know_no_framework() -> None:
    for part, path in modules():
        used = {name.split(".")[0] for name in imports(path)}
        assert "httpx" not in used, f"{path}: import httpx2, its continuation, which is still maintained"
        if part in ("domain", "services", "models", "schemas", "seed", "content"):
            assert not used & FRAMEWORKS, f"{path}: what needs a framework belongs to the edges, api and web"
        if part == "ssr":
            assert not used & {"reflex", "fastapi"}, f"{path}: the server fills built pages without the frameworks"
        if part == "domain":
            assert not used & {"sqlmodel", "sqlalchemy", "pydantic"}, (
                f"{path}: rows belong to models, shapes to schemas"
            )


# What makes a typed value of a row, which is all that anybody may do with one that another function has selected.
MAKERS = {"of", "listing", "_received"}
# They hand a maker the rows.
PAGERS = {"paged", "counted", "_part"}


def test_rows_of_the_database_stay_where_they_are_selected() -> None:
    """What a service hands on is a dataclass or a NamedTuple, which says what it has."""
    for part, path in modules():
        if part not in ("services", "models"):
            continue
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                held = [argument.annotation for argument in node.args.args if node.name not in MAKERS | PAGERS]
                assert not any(map(_is_row, [*held, node.returns])), f"make a NamedTuple of it: {path}:{node.lineno}"
            elif isinstance(node, ast.AnnAssign):
                assert not _is_row(node.annotation), f"make a NamedTuple of it: {path}:{node.lineno}"


def _is_row(annotation: ast.expr | None) -> bool:
    names = {"Row", "RowMapping", "SimpleNamespace"}
    return annotation is not None and any(
        isinstance(node, ast.Name) and node.id in names for node in ast.walk(annotation)
    )


LISTINGS = {f"rental_app.models.{kind}" for kind in ("Listing", "ListingInFull", "OwnListing")}


def test_pages_are_made_from_listings_not_from_tables() -> None:
    for part, path in modules():
        if part == "ssr" or (part == "web" and is_presenter(path)):
            rows = {name for name in imports(path) if name.startswith("rental_app.models")} - LISTINGS
            assert not rows, f"{path} imports {rows}: let a service return a dataclass or a NamedTuple of it"


def test_rupees_are_written_by_presenters() -> None:
    """Services format rupees, too, in texts that leave as they are (refusals, messages, receipts), as does the copy."""
    for part, path in modules():
        may = part == "services" or is_presenter(path) or path.name in ("figures.py", "money.py")
        if not may:
            names = {getattr(node, "id", getattr(node, "attr", "")) for node in nodes(path)}
            assert "format_rupees" not in names, f"{path}: pass paise on, and let a presenter write them"


def test_schemas_are_the_wire() -> None:
    """What a page shows is defined next to the presenter that makes it, not in the schemas."""
    for part, path in modules():
        if part == "schemas":
            bare = "BaseModel" in path.read_text(encoding="utf-8") and path.name not in ("wire.py", "validation.py")
            assert not bare, f"{path}: derive from Wire or Body; what only a page shows stands beside its presenter"


def test_what_tests_share_is_in_support() -> None:
    shared = re.compile(r"^(from|import) tests\.\S*test_\w+", re.MULTILINE)
    found = [str(path) for path in Path("tests").rglob("*.py") if shared.search(path.read_text())]
    assert not found, f"move what they import into tests/support: {found}"


def test_helpers_never_commit() -> None:
    for part, path in modules():
        if part in ("services", "seed", "web"):
            text = path.read_text(encoding="utf-8")
            ends = ".commit(" in text or ".rollback(" in text
            assert not ends, f"{path}: whoever calls db.read or db.write ends the transaction (decision 1)"


def test_what_was_done_is_said_in_the_same_words_everywhere() -> None:
    """A message that the calls and the pages share is a constant beside its service."""
    answered, shown = set(), set()
    for part, path in modules():
        for node in nodes(path):
            if part == "api" and isinstance(node, ast.keyword) and node.arg == "message":
                answered.add(ast.unparse(node.value))
            elif is_state(part, path) and isinstance(node, ast.Constant):
                shown.add(ast.unparse(node))
    assert not answered & shown


# What states may take from Reflex directly; events with text in them are created by `web/session/events.py` alone.
HARMLESS = {"State", "var", "event", "LocalStorage", "SessionStorage", "call_script", "set_focus"}


def test_states_hand_no_text_to_events_themselves() -> None:
    for part, path in modules():
        if not is_state(part, path) or path.name in ("events.py", "browser_drafts.py"):
            continue
        for node in nodes(path):
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
