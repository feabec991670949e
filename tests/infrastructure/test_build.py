"""Pages are rebuilt when something they are made from has changed, and left alone otherwise."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

import pytest

from rental_app.infrastructure import build
from rental_app.infrastructure.build import sources_digest


@pytest.mark.parametrize(
    ("source", "matters"),
    [
        ("rental_app/web/screens/home/page.py", True),
        ("rental_app/web/react/server_rendered/server_rendered.jsx", True),
        ("rental_app/content/art/models/scooter.svg", True),
        ("assets/site.css", True),
        ("assets/external/copy.css", False),
        ("rental_app/models/vehicle.py", False),
        ("rental_app/ssr/site.py", False),
        ("rental_app/web/screens/home/__pycache__/page.pyc", False),
    ],
)
def test_what_pages_are_made_of(source: str, matters: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path(source)
    path.parent.mkdir(parents=True)
    path.write_text("as it was")
    before = sources_digest()
    path.write_text("changed")
    assert (sources_digest() != before) is matters


def test_of_two_builds_in_one_folder_the_second_waits_for_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    build.STAMP.parent.mkdir(parents=True)
    said: Queue[str] = Queue()
    monkeypatch.setattr(build, "say", said.put)
    monkeypatch.setattr(build, "EXPORT", (sys.executable, "-c", ""))
    with ThreadPoolExecutor(1) as pool:
        with build.building():
            second = pool.submit(build.build_pages)
            told = [said.get(timeout=30) for _ in range(2)]
        second.result(30)
    assert [text.partition(" ")[0] for text in told] == ["Building", "Another"]
    assert said.get_nowait() == "Pages are up to date"
