"""Changes to what Reflex compiles: less on the wire, and a websocket to whoever served the page."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

from reflex.utils import prerequisites
from reflex_base.plugins.base import Plugin

from rental_app.content.routes import ROUTES

_WHOLE_SHEET = '@import "@radix-ui/themes/styles.css" layer(components);'
_PARTS = (
    "tokens/base.css",
    *(f"tokens/colors/{color}.css" for color in ("teal", "sage", "amber", "red", "green")),
)
# The rules of Radix's components come with the pages and dialogs that show some.
_COMPONENTS_SHEET = '@import "@radix-ui/themes/components.css" layer(components);\n'
_WHOLE_LIBRARY = re.compile(r'^\s*"@radix-ui/themes": \(?\(\) => import\("@radix-ui/themes"\)\)?,?\n', re.MULTILINE)
# What the pages use of Radix Themes, and what those are made of; a test compares it with the pages.
RADIX_USED = "alert-dialog,badge,button,dialog,heading,popover,select,spinner,switch,text,theme"
_RADIX = "./node_modules/@radix-ui/themes/dist/esm/components"
_POSTCSS = f"""import tailwind from "@tailwindcss/postcss";
import purgecss from "@fullhuman/postcss-purgecss";

const purge = purgecss({{
  content: [
    "./{{app,app_components,public/external}}/**/*.jsx",
    "{_RADIX}/{{{RADIX_USED}}}.js",
    "{_RADIX}/{{{RADIX_USED}}}.props.js",
    "{_RADIX}/_internal/*.js",
  ],
  // Only Radix's own classes may go; sizes and variants are put together from parts at run time.
  safelist: {{ standard: [/^(?!.*rt-)/, /^rt-(r-size|r-weight|variant|side)-/] }},
  keyframes: true,
}});
// Each colour comes a second time for screens that show more of them.
const oneGamut = {{
  postcssPlugin: "one-gamut",
  AtRule: {{ supports: (rule) => void (rule.params.includes("display-p3") && rule.remove()) }},
}};

export default {{ plugins: [tailwind(), purge, oneGamut] }};
"""
_ALIASES = "alias: ["
_NO_TOOLTIP = """
      {
        find: "@radix-ui/react-tooltip",
        replacement: fileURLToPath(new URL("./utils/no_tooltip.js", import.meta.url)),
      },"""
_GROUPS = "groups: ["
# What every page needs goes into one file: fewer requests, and better compressed.
_SHARED = "|".join(
    (
        r"node_modules\/(react|react-dom|scheduler|react-router|@emotion|stylis|(socket|engine)\.io-[a-z]+|classnames)\/",
        r"@radix-ui\/themes\/dist\/esm\/(components\/(theme|text)\.|helpers|props)",
        r"lucide-react\/dist\/esm\/([A-Za-z]+|icons\/(menu|search|map-pin|phone|plus|calendar-check))\.mjs",
        r"components\/(modal\/modal|date_time_picker\/date_time_(picker|icon|rules))\.",
        r"\.web\/utils\/",
        r"vite\/preload-helper",
    )
)
_CORE = f"""
            {{ test: /{_SHARED}/, name: "core" }},"""
_BACKEND = "const endpoint = new URL(url_str);"
_SAME_HOST = (
    _BACKEND
    + """
  if (typeof window !== "undefined") {
    endpoint.host = window.location.host;
    endpoint.protocol = endpoint.protocol.replace(/(?<=^ws|^http)s?/, window.location.protocol === "https:" ? "s" : "");
    return endpoint;
  }"""
)

# What changes something (`change` in states/base.py) is refused without a connection instead of being kept for later;
# what else waits for one is dropped when its page is left.
_NO_QUEUE = (
    (
        "const event_queue = [];",
        """
const refuse = () => window.dispatchEvent(new Event("not-sent"));
const dropWaiting = () => {
  event_queue.splice(0, Infinity, ...event_queue.filter((event) => !event.name?.startsWith(app.state_name)));
};""",
    ),
    (
        "return applyEventActions(\n      () => ",
        "event_actions.change && !(navigator.onLine && socket.current?.connected) ? refuse() : ",
    ),
    (
        'socket.current.on("disconnect", (reason, details) => {',
        # Socket.IO keeps what it is given for a connection that it finds dead.
        "\n    if (socket.current.sendBuffer.splice(0).length) refuse();",
    ),
    (
        "// Equivalent to routeChangeStart - runs when navigation begins",
        "\n    if (!socket.current?.connected) dropWaiting();",
    ),
)


def _replaced(source: str, old: str, new: str) -> str:
    if old not in source:
        raise RuntimeError(f"Reflex's output has changed: {old!r} is not in it any more")
    return source.replace(old, new)


def _extended(source: str, anchor: str, addition: str) -> str:
    # Unlike compiled pages some files stay from one build to the next.
    return source if addition in source else _replaced(source, anchor, anchor + addition)


def trim_sheet(source: str) -> str:
    """Import the tokens of the colours that are used; the whole sheet is ten times their size."""
    parts = "\n".join(f'@import "@radix-ui/themes/{part}" layer(components);' for part in _PARTS)
    return _replaced(source, _WHOLE_SHEET, parts)


def trim_root(source: str) -> str:
    """Drop the import of the whole library: nothing here makes components at run time."""
    trimmed, count = _WHOLE_LIBRARY.subn("", source)
    if not count:
        raise RuntimeError("Reflex's output has changed: the whole of Radix Themes is not imported as it was")
    return trimmed


def bundle(source: str) -> str:
    """Leave tooltips out, and put what all pages need into one file."""
    return _extended(_extended(source, _ALIASES, _NO_TOOLTIP), _GROUPS, _CORE)


def same_host(source: str) -> str:
    """Talk to the host and port the page came from, so that one build serves anywhere."""
    return _extended(source, _BACKEND, _SAME_HOST.removeprefix(_BACKEND))


def without_queue(source: str) -> str:
    """Refuse what changes something while there is no connection, and say so (`components/connection.jsx` shows it)."""
    for anchor, addition in _NO_QUEUE:
        source = _extended(source, anchor, addition)
    return source


class TrimRadix(Plugin):
    """Cuts Radix Themes down to what the pages use; comes after the Tailwind plugin."""

    def get_frontend_development_dependencies(self, **context: Any) -> list[str]:
        """What drops unused rules."""
        return ["@fullhuman/postcss-purgecss@8.0.0"]

    def get_static_assets(self, **context: Any) -> list[tuple[Path, str]]:
        """The rules of Radix's components, and what stands in for tooltips, which Theme brings along."""
        return [
            (Path("styles/radix.css"), _COMPONENTS_SHEET),
            (Path("utils/no_tooltip.js"), "export const Provider = ({ children }) => children;\n"),
        ]

    def pre_compile(self, **context: Any) -> None:
        """Register the changes with the compiler."""
        context["add_modify_task"]("styles/tailwind.css", trim_sheet)
        context["add_modify_task"]("app/root.jsx", trim_root)
        context["add_modify_task"]("postcss.config.js", lambda _: _POSTCSS)
        context["add_modify_task"]("vite.config.js", bundle)


class OwnHost(Plugin):
    """Points pages at the host they came from, which serves the websocket too."""

    def pre_compile(self, **context: Any) -> None:
        """Register the change with the compiler."""
        context["add_modify_task"]("utils/state.js", same_host)


class NoQueue(Plugin):
    """Has pages send at once or not at all."""

    def pre_compile(self, **context: Any) -> None:
        """Register the change with the compiler."""
        context["add_modify_task"]("utils/state.js", without_queue)


# Addresses that stand for all of their kind: their pages are templates, which the server fills for each request.
TEMPLATES = ("/404", *(f"/{route.built}" for route in ROUTES if route.varies and route.path != "/blog/[post]"))
_PRERENDER = '"prerender": true'
_WITH_TEMPLATES = f'"prerender": ({{getStaticPaths}}) => [...getStaticPaths(), {", ".join(map(json.dumps, TEMPLATES))}]'


def prerender_templates(source: str) -> str:
    """Prerender the pages whose address has a variable part as well; while developing nothing is prerendered."""
    return _replaced(source, _PRERENDER, _WITH_TEMPLATES) if "prerender" in source else source


class Templates(Plugin):
    """Has every public page built as a document of its own, and what `rental_app/served` fills it with beside them."""

    def pre_compile(self, **context: Any) -> None:
        """Register the change with the compiler."""
        context["add_modify_task"]("react-router.config.js", prerender_templates)

    def post_build(self, *, static_dir: Path, **context: Any) -> None:
        """Let unknown addresses show the page that says so at once, instead of an empty one until scripts run."""
        if (page := static_dir / "404" / "index.html").exists():
            shutil.copy(page, static_dir / "__spa-fallback.html")
        write_templates(static_dir.parent / "served")


def write_templates(folder: Path) -> None:
    """Write a template for every place of the pages; raises NoCounterpartError for what cannot be one."""
    # Reflex reads its configuration, and with it this module, before there are components.
    from rental_app.components.date_time_picker import plain_picker
    from rental_app.components.map import plain_map
    from rental_app.components.served import PLACES
    from rental_app.to_jinja import Translator

    folder.mkdir(parents=True, exist_ok=True)
    translator = Translator({"DateTimePicker": plain_picker, "MapOnDemand": plain_map})
    for name, content in PLACES.items():
        (folder / f"{name}.html").write_text(translator.template(content.render()))


class ApiDocs(Plugin):
    """Puts Swagger UI beside the built pages, for `/api/docs`."""

    def get_frontend_dependencies(self, **context: Any) -> list[str]:
        """Swagger UI as the files a page loads."""
        return ["swagger-ui-dist@5.35.0"]

    def post_build(self, *, static_dir: Path, **context: Any) -> None:
        """Copy what the page loads."""
        for name in ("swagger-ui.css", "swagger-ui-bundle.js"):
            shutil.copy(prerequisites.get_web_dir() / "node_modules/swagger-ui-dist" / name, static_dir / "swagger-ui")
