"""Changes to what Reflex generates are made to its own files, and fail if these are not as expected."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import reflex_base
from reflex.utils.misc import preload_color_theme
from reflex_base.compiler import templates
from reflex_base.environment import environment
from reflex_base.plugins import tailwind_v4

from rental_app.reflex_patches.client import (
    coloured_early,
    from_dialogs,
    once,
    one_address,
    one_entry,
    only_from_there,
    same_host,
    steady_colours,
    typed_before_pressed,
    without_pause,
    without_queue,
    without_whole_libraries,
)
from rental_app.reflex_patches.documents import check_documents, prerender_templates
from rental_app.reflex_patches.patches import renew
from rental_app.reflex_patches.radix import bundle, token_sheets, without_files
from rental_app.reflex_patches.stand_ins import missed, use_stand_ins, without_labels
from rental_app.ssr.document import parts, scripts_at_once

Change = Callable[[str], str]
UTILS = Path(reflex_base.__file__).parent / ".templates/web/utils"
CLIENT, THEME = (UTILS / "state.js").read_text(), (UTILS / "react-theme.js").read_text()
DEBOUNCE = (UTILS / "helpers/debounce.js").read_text()
SHEET = tailwind_v4.compile_root_style(include_radix_themes=False)[1]
HEAD = (
    '<head><link href="/a.css" rel="stylesheet" type="text/css"/>'
    '<title>A</title><meta content="B" name="description"/><meta content="C" property="og:image"/></head>'
)
# What React's renderer puts at the end of a page.
LAST = (
    '<!--$?--><template id="B:0"></template><!--/$--><script id="_R_">r</script>'
    '<div hidden id="S:0"><script>a</script><!--$?--><template id="B:1"></template><!--/$--></div>'
    '<script>$RB=[];\n$RC("B:0","S:0")</script><div hidden id="S:1"><script>b</script></div>'
    '<script>$RC("B:1","S:1")</script>'
)
# What is changed elsewhere is generated only by a whole build; it asserts in the same way.
CHANGES = [
    *((change, CLIENT) for change in (same_host, without_queue, one_address)),
    *((change, CLIENT) for change in (only_from_there, one_entry, from_dialogs)),
    (typed_before_pressed, CLIENT),
    (once, without_queue(CLIENT)),
    (without_pause, DEBOUNCE),
    (steady_colours, THEME),
    (token_sheets, SHEET),
]


@pytest.mark.parametrize(("change", "source"), CHANGES)
def test_a_generated_file_is_changed(change: Change, source: str) -> None:
    assert change(source) != source


@pytest.mark.parametrize("change", [*(change for change, _ in CHANGES), bundle, use_stand_ins, without_labels])
def test_another_file_is_not_taken_for_the_known_one(change: Change) -> None:
    with pytest.raises(RuntimeError, match="Reflex's output has changed"):
        change("export const state = {};")


def test_what_an_earlier_version_has_changed_is_as_reflex_delivers_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(environment.REFLEX_WEB_WORKDIR.name, str(tmp_path))
    for file in ("utils/state.js", "vite.config.js"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("const changedEarlier = true;")
    renew()
    assert (tmp_path / "utils" / "state.js").read_text() == CLIENT
    assert use_stand_ins(without_labels(bundle((tmp_path / "vite.config.js").read_text())))


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
    found = parts(f'{HEAD}<div id="served-results" data-slot="" class="contents"></div>{LAST}')
    assert found == (["results"], (3, 1, 1, 1))
    module = '<script type="module" async="">m</script>'
    assert scripts_at_once(f"<script>c;</script>{module}{LAST}") == f"<script>c;ab</script>{module}"


def test_pages_are_coloured_by_our_script_alone() -> None:
    theirs = f'jsx("script",{{}},{preload_color_theme().children[0].render()["contents"]}),'
    assert coloured_early(f"a,{theirs}b") == "a,b"
    with pytest.raises(RuntimeError, match="changed"):
        coloured_early("a,b")


def test_no_library_is_kept_whole_for_components_that_are_sent_as_text() -> None:
    kept = [
        ("React", "react"),
        ("emotion_react", "@emotion/react"),
        *((f"utils_{name}", f"$/utils/{name}") for name in ("context", "context_registry", "state")),
    ]
    root = templates.app_root_template(
        imports=[],
        custom_codes=[],
        hooks={},
        window_libraries=kept,
        lazy_window_libraries=[("swagger", "swagger-ui-dist")],
        render={"contents": "1"},
        dynamic_imports=set(),
    )
    found = without_whole_libraries(root)
    assert [word in root for word in ("window.__reflex", "utils_state", "swagger")] == [True] * 3
    assert not re.search("window|utils_|emotion|swagger", found)
    assert found.count("function ") == root.count("function ")
    with pytest.raises(RuntimeError, match="changed"):
        without_whole_libraries(found)


def test_pages_of_another_make_fail_the_build(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(HEAD.replace("<title>", "<title data-rh>"))
    with pytest.raises(RuntimeError, match="index"):
        check_documents(tmp_path)


def test_developing_prerenders_nothing() -> None:
    assert prerender_templates("export default {};") == "export default {};"
    assert "/_/bike-rentals" in prerender_templates('{"prerender": true}')
