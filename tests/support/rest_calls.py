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
# Calls that the specification does not have: method, what the addresses begin with, and how they end.
OTHERS = (
    ("get", "", "api/vendors/{slug} ical/{secret}.ics healthz readyz"),
    ("get", "/api/bookings", "quote for-my-number"),
    (
        "get",
        "/api/bookings/{ref}",
        ". cancellation extension objection-photos/{photo_id} calendar.ics receipt.pdf photos/{photo_id} equals "
        "invoice.pdf notes/{entry}.pdf agreement.pdf",
    ),
    ("post", "/api/bookings/{ref}", "review cancel change extend join acknowledge object proposal replacement"),
    (
        "get",
        "/api/operator",
        "money/{month} work files/{file_id} {table}.csv {table} {table}/{row_id} {table}/{row_id}/{part}",
    ),
    (
        "post",
        "/api/operator",
        "listings/{id}/decision requests/{id}/decision objections/{id}/decision bookings/{ref}/cancel "
        "reviews/{id}/decision messages/{id}/resend types manufacturers models locations offers "
        "offers/{id}/undo money/{vendor}/{month}/paid",
    ),
    (
        "put",
        "/api/operator",
        "listings/{id}/featured read-only types/{id} manufacturers/{id} models/{id} locations/{id} offers/{id}",
    ),
    ("get", "/api/operator/papers/{id}", "pictures/{n}"),
    ("post", "/api/operator/papers/{id}", "decision"),
    ("get", "/api/operator/words", ". {key}"),
    ("put", "/api/operator/words", "{key}"),
    ("get", "/api/terms", ". {version}"),
    ("get", "/api/operator/people/{id}", "as-they-see-it"),
    ("post", "/api/operator/people/{id}", "block unblock reset-link notes recovery recovery/stop"),
    ("put", "/api/operator/people/{id}", "."),
    ("post", "/api/reviews/{review_id}", "answer report"),
    ("delete", "/api/uploads", "{upload_id}"),
    ("get", "/api/uploads", "{upload_id}"),
    ("post", "/api/uploads", "."),
    ("delete", "/api/user", "requests/{request_id} second-step passkeys/{passkey_id} recovery sessions/{session_id}"),
    ("get", "/api/user", "requests passkeys recovery sessions second-step/recovery-codes your-data export"),
    (
        "post",
        "/api/user",
        "logout logout-everywhere forgot-password reset-password change-password requests verify-email "
        "verify-email/send change-email confirm-email undo-email decline-email not-me keep-account phone-code "
        "verify-phone "
        "delete login-code login-with-code confirm-password second-step/setup second-step/confirm second-step "
        "second-step/recovery-codes second-step/recovery-codes/kept "
        "passkeys passkeys/options login-with-passkey/options login-with-passkey",
    ),
    ("put", "/api/user", "details"),
    ("delete", "/api/user/favourites", "{vehicleId}"),
    ("get", "/api/user/favourites", "."),
    ("delete", "/api/user/papers", "{id}"),
    ("get", "/api/user/papers", ". {id}/pictures/{n}"),
    ("post", "/api/user/papers", "."),
    ("put", "/api/user/favourites", "{vehicleId}"),
    ("get", "/api/vehicles/{vehicle_id}", "calendar reviews"),
    (
        "delete",
        "/api/vendor",
        "blocks/{block_id} members/{member_id} members/invitations/{invitation_id} ical ical-imports/{import_id} "
        "uploads/{upload_id}",
    ),
    (
        "get",
        "/api/vendor",
        "calendar members ical ical-imports prices earnings earnings.csv invoices.csv bookings.csv "
        "statements/{month}.pdf files/{file_id} uploads/{upload_id} bookings/choices confirm-at-once",
    ),
    ("post", "/api/vendor", "blocks members ical ical-imports prices/copy uploads bookings"),
    ("put", "/api/vendor", "buffer confirm-at-once prices members/{member_id}"),
    ("post", "/api/members", "invitation accept"),
    ("get", "/api/vendor/bookings/{ref}", "settlement papers papers/{id}/pictures/{n}"),
    (
        "post",
        "/api/vendor/bookings/{ref}",
        "answer-objection payment handover return reverse no-show extend cancel move charge proposal/code "
        "proposal/yes guest-link",
    ),
    ("put", "/api/vendor/vehicles", "bulk {vehicle_id}/maintenance/{entry_id}"),
    ("post", "/api/vendor/vehicles/{vehicle_id}", "renew retire bring-back maintenance"),
    ("get", "/api/vendor/vehicles/{vehicle_id}", "maintenance"),
    ("delete", "/api/vendor/vehicles/{vehicle_id}", "maintenance/{entry_id}"),
    ("delete", "/api/vendor/drafts", "{draft_id}"),
    ("get", "/api/vendor/drafts", ". {draft_id}"),
    ("post", "/api/vendor/drafts", ". import"),
    ("put", "/api/vendor/drafts", "{draft_id}"),
    ("delete", "/api/vendor/price-rules", "{rule_id}"),
    ("get", "/api/vendor/price-rules", "."),
    ("post", "/api/vendor/price-rules", ". preview"),
    ("put", "/api/vendor/price-rules", "{rule_id}"),
    (
        "get",
        "/trip/{secret}",
        "receipt.pdf invoice.pdf notes/{entry}.pdf agreement.pdf calendar.ics photos/{photo_id} "
        "objection-photos/{photo_id}",
    ),
)
OURS = {(method, f"{area}/{end}".removesuffix("/.")) for method, area, ends in OTHERS for end in ends.split()}
PUBLIC = {
    "/api/user/login",
    "/api/user/register",
    "/api/user/forgot-password",
    "/api/user/login-code",
    "/api/user/login-with-code",
    "/api/user/second-step",
    "/api/user/login-with-passkey",
    "/api/user/login-with-passkey/options",
    "/api/user/verify-email",
    "/api/user/confirm-email",
    "/api/user/undo-email",
    "/api/user/decline-email",
    "/api/user/not-me",
    "/api/user/keep-account",
    "/api/members/invitation",
    "/api/user/reset-password",
    "/api/user/vehicles",
    "/api/bookings/check-availability",
    "/api/bookings/quote",
    "/api/terms",
    "/api/terms/{version}",
    "/api/vehicles/{vehicle_id}/calendar",
    "/api/vehicles/{vehicle_id}/reviews",
    "/api/vendors/{slug}",
    "/get_location_by_pincode",
    "/ical/{secret}.ics",
    "/trip/{secret}/receipt.pdf",
    "/trip/{secret}/invoice.pdf",
    "/trip/{secret}/notes/{entry}.pdf",
    "/trip/{secret}/agreement.pdf",
    "/trip/{secret}/calendar.ics",
    "/trip/{secret}/photos/{photo_id}",
    "/trip/{secret}/objection-photos/{photo_id}",
    "/healthz",
    "/readyz",
}
OF_ONESELF = """
data update logout logout-everywhere change-password details phone-code verify-phone confirm-password
second-step second-step/setup second-step/confirm passkeys passkeys/options passkeys/{passkey_id}
second-step/recovery-codes second-step/recovery-codes/kept
your-data export delete
verify-email/send change-email recovery sessions sessions/{session_id} favourites favourites/{vehicleId}
papers papers/{id} papers/{id}/pictures/{n}
"""
CUSTOMERS = {f"/api/user/{end}" for end in OF_ONESELF.split()} | {
    "/api/bookings/for-my-number",
    "/api/bookings/create",
    "/api/bookings/user",
    "/api/members/accept",
    "/api/uploads",
    "/api/uploads/{upload_id}",
    "/api/reviews/{review_id}/report",
}
# The parts of addresses that `call` fills in.
PARTS = "file_id ref photo_id upload_id vehicleId review_id block_id import_id member_id session_id request_id".split()
PARTS += "invitation_id id vendor row_id month secret entry draft_id n key version".split()


def documented(app: FastAPI) -> set[tuple[str, str]]:
    return {(method, path) for path, methods in app.openapi()["paths"].items() for method in methods}


def call(client: TestClient, method: str, path: str, **more: Any) -> Any:
    """Make a documented call about things that are not there."""
    for name in PARTS:
        path = path.replace(f"{{{name}}}", "1")
    return client.request(method.upper(), path, **more)
