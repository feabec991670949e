"""How Reflex builds and serves the pages."""

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.reflex_patches import ApiDocs, OwnClient, OwnRadix, StandIns, Templates

config = rx.Config(
    app_name="rental_app",
    deploy_url=settings().public_url,
    telemetry_enabled=False,
    show_built_with_reflex=False,
    # No foreign origin gets a CORS grant; rental_app/infrastructure/headers.py rejects their websockets.
    cors_allowed_origins=[],
    redis_url=settings().redis_url or None,
    state_manager_mode="redis" if settings().redis_url else "memory",
    # How many seconds the server remembers a tab that is gone: by then, a lost connection is back.
    redis_token_expiration=300,
    frontend_compression_formats=["brotli", "gzip"],
    frontend_lazy_bundled_libraries=True,
    plugins=[
        rx.plugins.TailwindV4Plugin(),
        OwnRadix(theme=rx.theme(accent_color="teal", gray_color="sage", radius="large", has_background=False)),
        StandIns(),
        OwnClient(),
        Templates(),
        ApiDocs(),
    ],
    disable_plugins=[rx.plugins.SitemapPlugin],
)
