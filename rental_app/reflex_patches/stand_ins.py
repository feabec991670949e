"""Small stand-ins for libraries that every page would fetch and none uses."""

import json
import re
from pathlib import Path
from typing import Any

from reflex.utils import prerequisites
from reflex_base.plugins.base import Plugin

from rental_app.reflex_patches.patches import extended

_PLAIN_FACTORY = """import { createElement } from "react";

// Elements as Emotion's factory makes them; styles, which are plain properties, are the element's own.
export const jsx = (type, props, ...children) => {
  if (!props?.css) return createElement(type, props, ...children);
  const { css, ...others } = props;
  return createElement(type, { ...others, style: { ...css, ...others.style } }, ...children);
};
"""
_NO_WATCHERS = """export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
export const getRouteInstrumentationUpdates = () => ({});
export const instrumentClientSideRouter = (router) => router;
"""
STAND_INS = {
    # Styling is done with Tailwind's classes; the few remaining styles need no sheet.
    "@emotion/react": _PLAIN_FACTORY,
    # What the browser keeps is in its storage, not in cookies.
    "universal-cookie": "export default class Cookies {}\n",
    # Reflex uses it to merge what two sources say about an element's style, which is flat.
    "mergician": "export const mergician = (...objects) => Object.assign({}, ...objects);\n",
    # The document says whether it is dark. Saying it again further inside, and light first, would restyle everything.
    "$/components/reflex/radix_themes_color_mode_provider": "export default ({ children }) => children;\n",
    # Pulled in by Radix's Theme.
    "@radix-ui/react-tooltip": "export const Provider = ({ children }) => children;\n",
    # Events go over websockets only (rxconfig's default).
    "./polling-xhr.node.js": "export class XHR {}\n",
    "./transports/polling-xhr.js": "export class XHR {}\n",
    "./webtransport.js": "export class WT {}\n",
    # React Router's hooks for monitoring it, which nothing here does.
    "./instrumentation.js": _NO_WATCHERS,
}
_ALIASES, _PLUGINS = "alias: [", "plugins: ["
# What React's developer tools call each compiled part: half a kilobyte of every page, and nothing there is debugged so.
_NO_LABELS = """
    {
      name: "no-labels",
      enforce: "pre",
      transform: (code, id) =>
        /\\/app(_components)?\\//.test(id) ? code.replace(/^[\\w$]+\\.displayName = .*;$/gm, "") : null,
    },"""
# Rules for a state, for a part or for a width, which are not properties of an element.
_RULES = re.compile(r'\bcss:\(\{[^)]*\["[&:@]')
_COOKIES = re.compile(r'clientStorage = \{"cookies": \{"')


def _file(library: str) -> str:
    return f"utils/no_{re.split('[/-]', library)[-1].removesuffix('.js')}.js"


def use_stand_ins(source: str) -> str:
    """Use the stand-ins instead of the libraries."""
    found = "".join(
        f"""
      {{
        find: {json.dumps(library)},
        replacement: fileURLToPath(new URL("./{_file(library)}", import.meta.url)),
      }},"""
        for library in STAND_INS
    )
    return extended(source, _ALIASES, found)


def without_labels(source: str) -> str:
    """Leave out what compiled parts are called."""
    return extended(source, _PLUGINS, _NO_LABELS)


def missed(folder: Path) -> list[str]:
    """The compiled files that need what the stand-ins leave out."""
    files = [path for part in ("app", "app_components", "utils") for path in folder.glob(f"{part}/**/*.jsx")]
    texts = {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in files}
    return [path for path, text in texts.items() if _RULES.search(text) or _COOKIES.search(text)]


class StandIns(Plugin):
    """Leaves out of the pages what they have no use for."""

    def get_static_assets(self, **context: Any) -> list[tuple[Path, str]]:
        """The stand-ins."""
        return [(Path(_file(library)), source) for library, source in STAND_INS.items()]

    def pre_compile(self, **context: Any) -> None:
        """Register the changes with the compiler."""
        context["add_modify_task"]("vite.config.js", use_stand_ins)
        context["add_modify_task"]("vite.config.js", without_labels)

    def post_build(self, **context: Any) -> None:
        """Refuse a build in which something needs what was left out."""
        if files := missed(prerequisites.get_web_dir().absolute()):
            raise RuntimeError(f"Nested style rules and cookies are not supported: {files}")
