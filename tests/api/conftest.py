"""A client of the real application."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from rental_app.api import build


@pytest.fixture(scope="session")
def app() -> FastAPI:
    """The application, which keeps no state of its own."""
    return build()


@pytest.fixture
def client(app: FastAPI, database: str) -> Iterator[TestClient]:
    """A client whose calls reach this test's own database."""
    with TestClient(app) as client:
        yield client
