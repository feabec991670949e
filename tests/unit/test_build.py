"""Pages are built anew when something they are made of has changed, and left alone otherwise."""

from pathlib import Path

import pytest

from rental_app.build import sources_digest


@pytest.mark.parametrize(
    ("source", "matters"),
    [
        ("rental_app/pages/home.py", True),
        ("rental_app/components/react/served/served.jsx", True),
        ("rental_app/content/art/models/scooter.svg", True),
        ("assets/site.css", True),
        ("assets/external/copy.css", False),
        ("rental_app/models/vehicle.py", False),
        ("rental_app/served/site.py", False),
        ("rental_app/pages/__pycache__/home.pyc", False),
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
