"""Where a disk or the temporary folder is full, calls answer 503 and /readyz says which."""

import errno
import tempfile
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from rental_app.domain.errors import UnavailableError
from rental_app.services.accounts import profile
from rental_app.services.files import check_client
from rental_app.services.files.check_client import Job
from tests.conftest import forget
from tests.support.rest_helpers import add, bearer, jpeg, ok, papers, pdf, refused, stored
from tests.support.shop import Shop


@pytest.fixture
def no_temporary_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No temporary file can be made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))


def test_a_full_temporary_folder(client: TestClient, shop: Shop, no_temporary_files: None) -> None:
    large = pdf() + b"\n%" + b"x" * 200_000
    refused(add(client, shop, papers(RC=large)), 503, "disk_full")
    # A small body needs no file until it is checked.
    refused(add(client, shop, papers()), 503, "unavailable")
    refused(client.get("/readyz"), 503, "unavailable", "temporary_folder")
    assert stored() == set()
    ok(client.get("/api/user/vehicles"))
    with pytest.raises(UnavailableError):
        check_client.answers([Job(jpeg())])


def test_a_disk_with_less_than_the_reserve(client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(client.get("/readyz"))
    monkeypatch.setenv("RENTAL_DISK_RESERVE_MB", str(10**9))
    forget()
    body = refused(client.get("/readyz"), 503, "unavailable", "disk")
    assert body["errors"][0]["message"] == "Less than RENTAL_DISK_RESERVE_MB is free"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_anywhere_is_no_failure_of_ours(
    client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, "full")

    monkeypatch.setattr(profile, "profile", fail)
    refused(client.get("/api/user/data", headers=bearer(shop.customer)), 503, "disk_full")
