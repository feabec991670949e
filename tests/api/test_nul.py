"""A NUL in a URL, which PostgreSQL and file systems reject: pages respond as pages, calls as calls."""

import pytest
from fastapi.testclient import TestClient

from tests.support.rest_helpers import refused
from tests.support.site import page, words


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


@pytest.mark.usefixtures("built_pages")
def test_pages(client: TestClient) -> None:
    for missing in (
        "/%00/bike-rentals",
        "/a%00b/bike-rentals/",
        "/vehicle-details/1%00",
        "/blog/%00",
        "/%00",
        "/a/b%00c",
    ):
        page(client, missing, 404)
    assert "This search is not possible" in words(page(client, "/vehicles?pickupLocation=a%00b"))
    dates = "pickupDate=2040-01-01T10:00:00%2B05:30&returnDate=2040-01-02T10:00:00%2B05:30"
    assert "This search is not possible" in words(page(client, f"/vehicles?pickupLocation=%00&{dates}"))
    page(client, "/vehicles?pickupLocation=Gachibowli&pickupDate=%00&returnDate=%00")


def test_calls_and_pictures(client: TestClient) -> None:
    for missing in ("/media/public/%00.jpg", "/media/art/%00/%00.svg", "/api/%00"):
        refused(client.get(missing), 404, "not_found")
