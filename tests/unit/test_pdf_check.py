"""PDFs pass when they only show; what acts, plays, carries or unfolds does not."""

import pytest

from rental_app.errors import UnsupportedTypeError
from rental_app.services import pdf_check
from tests.pdfs import ACTIVE, PLAIN, STACKED, bomb, made


@pytest.mark.parametrize("name", PLAIN)
def test_what_people_have_passes(name: str) -> None:
    pdf_check.check(PLAIN[name]())


@pytest.mark.parametrize("name", ACTIVE)
def test_what_acts_is_refused(name: str) -> None:
    with pytest.raises(UnsupportedTypeError, match="must be plain"):
        pdf_check.check(made(ACTIVE[name]))


@pytest.mark.parametrize("name", STACKED)
def test_stacked_filters_are_refused(name: str) -> None:
    with pytest.raises(UnsupportedTypeError, match="must be plain"):
        pdf_check.check(made(STACKED[name], compress_streams=False))


@pytest.mark.parametrize(("megabytes", "layers"), [(1, 2), (1, 3), (80, 1)])
def test_objects_that_unfold_are_refused(megabytes: int, layers: int) -> None:
    with pytest.raises(UnsupportedTypeError, match="cannot be read"):
        pdf_check.check(bomb(megabytes, layers))


def test_objects_packed_once_pass() -> None:
    pdf_check.check(bomb(1, 1))
