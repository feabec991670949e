"""Changes to what Reflex generates are made to its own files, once, and fail if these are not as expected."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import reflex as rx
import reflex_base
from reflex_base.plugins import tailwind_v4

from rental_app.reflex_patches import OwnRadix
from rental_app.reflex_patches.client import (
    once,
    one_address,
    one_entry,
    only_from_there,
    same_host,
    steady_colours,
    typed_before_pressed,
    without_pause,
    without_queue,
)
from rental_app.reflex_patches.documents import check_documents, prerender_templates
from rental_app.reflex_patches.radix import bundle, token_sheets, without_files
from rental_app.reflex_patches.stand_ins import missed, use_stand_ins
from rental_app.ssr.document import parts

Change = Callable[[str], str]
UTILS = Path(reflex_base.__file__).parent / ".templates/web/utils"
CLIENT, THEME = (UTILS / "state.js").read_text(), (UTILS / "react-theme.js").read_text()
DEBOUNCE = (UTILS / "helpers/debounce.js").read_text()
SHEET = tailwind_v4.compile_root_style(include_radix_themes=False)[1]
HEAD = '<head><title>A</title><meta content="B" name="description"/><meta content="C" property="og:image"/></head>'
# What is changed elsewhere is generated only by a whole build; it asserts in the same way.
CHANGES = [
    *((change, CLIENT) for change in (same_host, without_queue, one_address, only_from_there, one_entry)),
    (typed_before_pressed, CLIENT),
    (once, without_queue(CLIENT)),
    (without_pause, DEBOUNCE),
    (steady_colours, THEME),
    (token_sheets, SHEET),
]


@pytest.mark.parametrize(("change", "source"), CHANGES)
def test_a_generated_file_is_changed_once(change: Change, source: str) -> None:
    changed = change(source)
    assert changed != source
    assert change(changed) == changed


@pytest.mark.parametrize("change", [*(change for change, _ in CHANGES), bundle, use_stand_ins])
def test_another_file_is_not_taken_for_the_known_one(change: Change) -> None:
    with pytest.raises(RuntimeError, match="Reflex's output has changed"):
        change("export const state = {};")


def test_pages_are_themed_without_all_of_radix_themes() -> None:
    own = OwnRadix(theme=rx.theme(accent_color="teal"))
    own.enter_component(rx.switch())
    page = SimpleNamespace(app_wrap_components={})
    own.compile_page(page)
    assert page.app_wrap_components == {(20, "Theme"): own.theme}
    assert own.get_theme() is own.theme
    assert own.get_stylesheet_paths() == own.get_frontend_dependencies() == ()


def test_what_pages_share_has_to_be_there(tmp_path: Path) -> None:
    (tmp_path / "node_modules" / "react").mkdir(parents=True)
    (tmp_path / "node_modules" / "react" / "index.js").touch()
    assert without_files([r"node_modules\/react\/", r"node_modules\/stylis\/"], tmp_path) == [r"node_modules\/stylis\/"]


@pytest.mark.parametrize(
    "wants",
    [
        'jsx("div", ({css:({ ["color"] : "red", ["&:hover"] : ({ ["color"] : "blue" }) })}))',
        'clientStorage = {"cookies": {"token": {}}}',
    ],
    ids=["style", "cookie"],
)
def test_what_the_stand_ins_leave_out_is_missed(tmp_path: Path, wants: str) -> None:
    (tmp_path / "utils").mkdir()
    (tmp_path / "utils" / "context.jsx").write_text(
        'clientStorage = {"cookies": {}}; jsx("div", ({css:({ ["height"] : "3px" })}))'
    )
    assert missed(tmp_path) == []
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "root.jsx").write_text(wants)
    assert missed(tmp_path) == ["app/root.jsx"]


def test_a_built_page_has_what_the_server_replaces() -> None:
    assert parts(f'{HEAD}<div id="served-results" data-slot="" class="contents"></div>') == (["results"], 3, 1)


def test_pages_of_another_make_fail_the_build(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(HEAD.replace("<title>", "<title data-rh>"))
    with pytest.raises(RuntimeError, match="index"):
        check_documents(tmp_path)


def test_developing_prerenders_nothing() -> None:
    assert prerender_templates("export default {};") == "export default {};"
    assert "/_/bike-rentals" in prerender_templates('{"prerender": true}')
