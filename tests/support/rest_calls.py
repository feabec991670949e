"""The documented API calls: a list of them, who may make each, and a way to make one."""

from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient

SPECIFIED = {
    ("get", "/api/user/data"),
    ("get", "/api/user/vehicles"),
    ("get", "/api/pubilc/get_locations"),
    ("get", "/api/pubilc/get_bank_names"),
    ("get", "/api/pubilc/get_asset_types"),
    ("get", "/api/pubilc/get_asset_manufacturers"),
    ("get", "/api/pubilc/get_asset_models"),
    ("post", "/get_location_by_pincode"),
    ("post", "/api/user/login"),
    ("post", "/api/user/register"),
    ("put", "/api/user/update"),
    ("post", "/api/bookings/create"),
    ("post", "/api/bookings/check-availability"),
    ("get", "/api/bookings/user"),
    ("get", "/api/bookings/vendor"),
    ("post", "/api/bookings/change-status"),
    ("get", "/api/vendor/dashboard"),
    ("post", "/api/vendor/update-image"),
    ("get", "/api/vendor/my-assets"),
    ("post", "/api/vendor/add-vehicle"),
    ("get", "/api/vendor/vehicles"),
    ("post", "/api/vendor/toggle-vehicle"),
    ("post", "/api/vendor/edit-vehicle"),
}
OURS = {
    ("get", "/api/bookings/quote"),
    ("get", "/api/vehicles/{vehicle_id}/calendar"),
    ("get", "/api/user/favourites"),
    ("put", "/api/user/favourites/{vehicleId}"),
    ("delete", "/api/user/favourites/{vehicleId}"),
    ("get", "/api/vehicles/{vehicle_id}/reviews"),
    ("get", "/api/vendors/{slug}"),
    ("post", "/api/bookings/{ref}/review"),
    ("post", "/api/reviews/{review_id}/answer"),
    ("post", "/api/reviews/{review_id}/report"),
    ("get", "/api/vendor/price-rules"),
    ("post", "/api/vendor/price-rules"),
    ("put", "/api/vendor/price-rules/{rule_id}"),
    ("delete", "/api/vendor/price-rules/{rule_id}"),
    ("post", "/api/vendor/price-rules/preview"),
    ("get", "/api/vendor/calendar"),
    ("post", "/api/vendor/blocks"),
    ("delete", "/api/vendor/blocks/{block_id}"),
    ("put", "/api/vendor/buffer"),
    ("get", "/api/vendor/members"),
    ("post", "/api/vendor/members"),
    ("delete", "/api/vendor/members/{member_id}"),
    ("get", "/api/vendor/ical"),
    ("post", "/api/vendor/ical"),
    ("delete", "/api/vendor/ical"),
    ("get", "/api/vendor/ical-imports"),
    ("post", "/api/vendor/ical-imports"),
    ("delete", "/api/vendor/ical-imports/{import_id}"),
    ("get", "/ical/{secret}.ics"),
    ("get", "/api/vendor/prices"),
    ("put", "/api/vendor/prices"),
    ("post", "/api/vendor/prices/copy"),
    ("get", "/api/vendor/earnings"),
    ("get", "/api/vendor/earnings.csv"),
    ("get", "/api/vendor/bookings.csv"),
    ("get", "/api/vendor/statements/{month}.pdf"),
    ("get", "/api/vendor/files/{file_id}"),
    ("post", "/api/vendor/uploads"),
    ("get", "/api/vendor/uploads/{upload_id}"),
    ("delete", "/api/vendor/uploads/{upload_id}"),
    ("get", "/api/bookings/{ref}"),
    ("get", "/api/bookings/{ref}/cancellation"),
    ("post", "/api/bookings/{ref}/cancel"),
    ("post", "/api/bookings/{ref}/change"),
    ("get", "/api/bookings/{ref}/extension"),
    ("post", "/api/bookings/{ref}/extend"),
    ("post", "/api/bookings/{ref}/acknowledge"),
    ("post", "/api/bookings/{ref}/object"),
    ("get", "/api/bookings/{ref}/calendar.ics"),
    ("get", "/api/bookings/{ref}/receipt.pdf"),
    ("get", "/api/bookings/{ref}/photos/{photo_id}"),
    ("post", "/api/vendor/bookings/{ref}/payment"),
    ("post", "/api/vendor/bookings/{ref}/handover"),
    ("post", "/api/vendor/bookings/{ref}/return"),
    ("post", "/api/vendor/bookings/{ref}/reverse"),
    ("get", "/api/vendor/bookings/{ref}/settlement"),
    ("post", "/api/vendor/bookings/{ref}/no-show"),
    ("post", "/api/vendor/bookings/{ref}/extend"),
    ("post", "/api/user/logout"),
    ("post", "/api/user/logout-everywhere"),
    ("get", "/healthz"),
    ("get", "/readyz"),
}
PUBLIC = {
    "/api/user/login",
    "/api/user/register",
    "/api/user/vehicles",
    "/api/bookings/check-availability",
    "/api/bookings/quote",
    "/api/vehicles/{vehicle_id}/calendar",
    "/api/vehicles/{vehicle_id}/reviews",
    "/api/vendors/{slug}",
    "/get_location_by_pincode",
    "/ical/{secret}.ics",
    "/healthz",
    "/readyz",
}
CUSTOMERS = {
    "/api/user/data",
    "/api/user/update",
    "/api/user/logout",
    "/api/user/logout-everywhere",
    "/api/bookings/create",
    "/api/bookings/user",
    "/api/user/favourites",
    "/api/user/favourites/{vehicleId}",
    "/api/reviews/{review_id}/report",
}


def documented(app: FastAPI) -> set[tuple[str, str]]:
    return {(method, path) for path, methods in app.openapi()["paths"].items() for method in methods}


def call(client: TestClient, method: str, path: str, **more: Any) -> Any:
    ids = ("file_id", "ref", "photo_id", "upload_id", "vehicleId", "review_id", "block_id", "import_id", "member_id")
    for name in (*ids, "month", "secret"):
        path = path.replace(f"{{{name}}}", "1")
    return client.request(method.upper(), path, **more)
