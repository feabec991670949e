"""The build leaves out unused styles, but none of a component that is on some page."""

import re

import pytest

from rental_app.reflex_patches import RADIX_USED
from tests.support.app import ROOT, App

pytestmark = pytest.mark.e2e
_IMPORT = re.compile(r'import \{([^}]*)\} from "@radix-ui/themes"')


def _kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def test_rules_of_every_component_in_use_are_kept(app: App) -> None:
    web = ROOT / ".web"
    sources = [
        path for folder in ("app", "app_components", "public/external") for path in (web / folder).rglob("*.jsx")
    ]
    found = [names for path in sources for names in _IMPORT.findall(path.read_text())]
    used = {_kebab(name.split(" as ")[0].strip()) for names in found for name in names.split(",")}
    assert {"theme", "dialog", "switch"} <= used
    assert used <= set(RADIX_USED.split(","))
