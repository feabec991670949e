"""What is added to the built pages: documents and templates for the server, and Swagger UI."""

import json
import shutil
from pathlib import Path
from typing import Any

from reflex.utils import prerequisites
from reflex_base.plugins.base import Plugin

from rental_app.content.routes import ROUTES
from rental_app.reflex_patches.patches import replaced

# Addresses that stand for all of their kind: their pages are templates, which the server fills for each request.
TEMPLATES = ("/404", *(f"/{route.built}" for route in ROUTES if route.varies and route.path != "/blog/[post]"))
_PRERENDER = '"prerender": true'
_WITH_TEMPLATES = f'"prerender": ({{getStaticPaths}}) => [...getStaticPaths(), {", ".join(map(json.dumps, TEMPLATES))}]'


def prerender_templates(source: str) -> str:
    """Prerender the pages whose address has a variable part as well; in development nothing is prerendered."""
    return replaced(source, _PRERENDER, _WITH_TEMPLATES) if "prerender" in source else source


class Templates(Plugin):
    """Has every public page built as its own document, and beside them the templates for `rental_app/ssr`."""

    def pre_compile(self, **context: Any) -> None:
        """Register the change with the compiler."""
        context["add_modify_task"]("react-router.config.js", prerender_templates)

    def post_build(self, *, static_dir: Path, **context: Any) -> None:
        """Have unknown addresses show the not-found page at once, instead of an empty one until scripts run."""
        if (page := static_dir / "404" / "index.html").exists():
            shutil.copy(page, static_dir / "__spa-fallback.html")
        write_templates(static_dir.parent / "served")
        check_documents(static_dir)


def write_templates(folder: Path) -> None:
    """Write a template for every place of the pages; raises NoCounterpartError for what cannot be one."""
    # Reflex reads its configuration, and with it this module, before components exist.
    from rental_app.ssr.translation.templates import Translator
    from rental_app.web.react.date_time_picker import plain_picker
    from rental_app.web.react.map import plain_map
    from rental_app.web.react.server_rendered import PLACES
    from rental_app.web.react.share import plain_share
    from rental_app.web.react.toggle import plain_toggle
    from rental_app.web.react.zoom import plain_zoom

    folder.mkdir(parents=True, exist_ok=True)
    stand_ins = {
        "DateTimePicker": plain_picker,
        "MapOnDemand": plain_map,
        "Share": plain_share,
        "Toggle": plain_toggle,
        "Zoom": plain_zoom,
    }
    translator = Translator(stand_ins)
    for name, content in PLACES.items():
        (folder / f"{name}.html").write_text(translator.template(content.render()))


def check_documents(folder: Path) -> None:
    """Raise RuntimeError when `rental_app/ssr` would not find a part of a built page that it fills."""
    from rental_app.ssr.document import REPLACED_TAGS, parts
    from rental_app.web.react.server_rendered import PLACES

    found = {path: parts(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    odd = [str(path) for path, (_, numbers) in found.items() if numbers != (REPLACED_TAGS, 1, 1, 1)]
    missing = set(PLACES) - {place for places, _ in found.values() for place in places}
    if odd or missing:
        raise RuntimeError(f"Reflex's output has changed: heads or ends of {odd}, or the places {sorted(missing)}")


class ApiDocs(Plugin):
    """Puts Swagger UI beside the built pages, for `/api/docs`."""

    def get_frontend_dependencies(self, **context: Any) -> list[str]:
        """Swagger UI as the files a page loads."""
        return ["swagger-ui-dist@5.35.0"]

    def post_build(self, *, static_dir: Path, **context: Any) -> None:
        """Copy what the page loads."""
        for name in ("swagger-ui.css", "swagger-ui-bundle.js"):
            shutil.copy(prerequisites.get_web_dir() / "node_modules/swagger-ui-dist" / name, static_dir / "swagger-ui")
