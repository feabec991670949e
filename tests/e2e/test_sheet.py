"""The build leaves out unused styles, but none of a component that is on some page."""

import re

import pytest

from rental_app.reflex_patches import RADIX_USED
from tests.support.app import ROOT, App

pytestmark = pytest.mark.e2e
WEB = ROOT / ".web"
_IMPORT = re.compile(r'import \{([^}]*)\} from "@radix-ui/themes"')


def _kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def test_rules_of_every_component_in_use_are_kept(app: App) -> None:
    sources = [
        path for folder in ("app", "app_components", "public/external") for path in (WEB / folder).rglob("*.jsx")
    ]
    found = [names for path in sources for names in _IMPORT.findall(path.read_text())]
    used = {_kebab(name.split(" as ")[0].strip()) for names in found for name in names.split(",")}
    assert {"theme", "dialog", "switch"} <= used
    assert used <= set(RADIX_USED.split(","))


def test_tokens_of_every_rule_in_use_are_kept(app: App) -> None:
    files = [path.read_text() for kind in ("css", "js") for path in (WEB / "build/client/assets").glob(f"*.{kind}")]
    built = "".join(files)
    tokens = (WEB / "node_modules/@radix-ui/themes/tokens/base.css").read_text()
    ours = set(re.findall(r"(--[\w-]+):", tokens))
    used = set(re.findall(r"var\((--[\w-]+)", built)) & ours
    assert len(used) > 50
    assert used - set(re.findall(r"(--[\w-]+):", built)) == set()
