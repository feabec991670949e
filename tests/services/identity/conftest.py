"""Tests of documents begin without the demo's."""

import pytest

from tests.support.identity import clear


@pytest.fixture(autouse=True)
def no_documents(database: str) -> None:
    clear()
