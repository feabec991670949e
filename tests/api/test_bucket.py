"""Files are stored in a bucket, with an S3 server of our own (moto) in place of Amazon's."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import httpx2
import obstore
import pytest
from fastapi.testclient import TestClient
from moto.server import ThreadedMotoServer
from sqlmodel import col, select

from rental_app.infrastructure.db import read
from rental_app.models import VehicleFile
from rental_app.services.files import orphans, storage
from rental_app.services.files.storage import CheckedFile
from tests.conftest import forget
from tests.support.rest_helpers import add, bearer, ok, papers, pdf, refused, stored
from tests.support.shop import Shop

BUCKET = "pahiya"


@pytest.fixture
def bucket(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadedMotoServer]:
    """An empty bucket where the app stores its files."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    url = "http://{}:{}".format(*server.get_host_and_port())
    for name, value in {
        "RENTAL_FILES_URL": f"s3://{BUCKET}",
        # On a busy machine moto takes seconds for 6 MiB.
        "RENTAL_FILES_TIMEOUT": "60",
        "AWS_ENDPOINT_URL": url,
        "AWS_REGION": "ap-south-1",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
    }.items():
        monkeypatch.setenv(name, value)
    forget()
    httpx2.put(f"{url}/{BUCKET}").raise_for_status()
    yield server
    server.stop()


def paper_id() -> int:
    wanted = select(col(VehicleFile.id)).where(col(VehicleFile.group_name) == "RC")
    return int(read(lambda session: session.execute(wanted).scalar_one()))


@pytest.mark.long
def test_pictures_and_papers_live_in_a_bucket(client: TestClient, shop: Shop, bucket: ThreadedMotoServer) -> None:
    ok(client.get("/readyz"))
    paper = pdf(pages=3)
    ok(add(client, shop, papers(RC=paper)))
    assert len(stored()) == 14
    image = ok(client.get("/api/user/vehicles"))["vehicles"][-1]["image"]
    answer = client.get(image)
    kept = bytes(obstore.get(storage.store(), image.removeprefix("/media/")).bytes())
    assert (answer.content, answer.headers["content-length"]) == (kept, str(len(kept)))
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    sent = client.get(f"/api/vendor/files/{paper_id()}", headers=bearer(shop.vendor))
    assert (sent.content, sent.headers["cache-control"]) == (paper, "no-store")
    refused(client.get(f"/media/public/{'0' * 32}.jpg"), 404, "not_found")


def test_files_that_a_crash_left_in_a_bucket_are_deleted_after_a_day(
    client: TestClient, shop: Shop, bucket: ThreadedMotoServer
) -> None:
    # The server is new, but moto keeps what it holds in this process.
    storage.remove(sorted(stored()))
    ok(add(client, shop, papers()))
    kept = stored()
    with storage.storing([CheckedFile("RC", "private/left", "application/pdf", 1, {"private/left": bytes(6 * 2**20)})]):
        pass
    assert orphans.sweep(datetime.now(UTC)) == 0
    assert orphans.sweep(datetime.now(UTC) + timedelta(days=1, minutes=1)) == 1
    assert stored() == kept


@pytest.mark.long
def test_a_bucket_that_is_away_is_said_soon(
    client: TestClient, shop: Shop, bucket: ThreadedMotoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENTAL_FILES_TIMEOUT", "2")
    forget()
    ok(client.get("/readyz"))
    bucket.stop()
    refused(client.get("/readyz"), 503, "unavailable", "files")
    refused(client.get(f"/media/public/{'0' * 32}.jpg"), 503, "unavailable")
    refused(add(client, shop, papers()), 503, "unavailable")
    ok(client.get("/api/user/vehicles"))
