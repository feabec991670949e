"""PDFs pass if they only display something; those that act, play, carry files or unfold do not."""

from contextlib import suppress
from itertools import product

import pytest

from rental_app.errors import UnsupportedTypeError
from rental_app.services import pdf_check
from tests.pdfs import ACTIVE, FILTERS, PAIRS, PLAIN, bomb, filtered, made


@pytest.mark.parametrize("name", PLAIN)
def test_what_people_have_passes(name: str) -> None:
    pdf_check.check(PLAIN[name]())


@pytest.mark.parametrize("name", ACTIVE)
def test_what_acts_is_refused(name: str) -> None:
    with pytest.raises(UnsupportedTypeError, match="must be plain"):
        pdf_check.check(made(ACTIVE[name]))


def test_stacked_filters_are_refused_but_for_the_pairs_of_ordinary_papers() -> None:
    stacks = [*product(FILTERS, repeat=2), *((*pair, name) for pair in PAIRS for name in FILTERS)]
    assert set(filter(passes, stacks)) == PAIRS
    with pytest.raises(UnsupportedTypeError, match="must be plain"):
        pdf_check.check(filtered("Flate", "Flate"))


def test_one_known_filter_passes() -> None:
    assert all(passes((name,)) for name in FILTERS)
    with pytest.raises(UnsupportedTypeError, match="must be plain"):
        pdf_check.check(filtered("Brew"))


def passes(filters: tuple[str, ...]) -> bool:
    """Return whether a page packed like this is accepted."""
    with suppress(UnsupportedTypeError):
        pdf_check.check(filtered(*filters))
        return True
    return False


@pytest.mark.parametrize(("megabytes", "layers"), [(1, 2), (1, 3), (80, 1)])
def test_objects_that_unfold_are_refused(megabytes: int, layers: int) -> None:
    with pytest.raises(UnsupportedTypeError, match="cannot be read"):
        pdf_check.check(bomb(megabytes, layers))


def test_objects_packed_once_pass() -> None:
    pdf_check.check(bomb(1, 1))
