"""Radix Themes cut down to what the pages use, and what all pages need in one file."""

import dataclasses
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import reflex as rx
from reflex.utils import prerequisites

from rental_app.reflex_patches.patches import extended

_FIRST_SHEET = '@import "tailwindcss/preflight.css" layer(base);\n'
# The whole sheet is ten times the size of what is used of it.
_COLOURS = ("teal", "sage", "amber", "red", "green")
_TOKENS = ("tokens/base.css", *(f"tokens/colors/{color}.css" for color in _COLOURS))
_SHEETS = "".join(f'@import "@radix-ui/themes/{sheet}" layer(components);\n' for sheet in _TOKENS)
# The rules of Radix's components come with the pages and dialogs that show some.
_COMPONENTS_SHEET = '@import "@radix-ui/themes/components.css" layer(components);\n'
# The components of Radix Themes that the pages use, and those they consist of; a test compares this with the pages.
RADIX_USED = "alert-dialog,badge,button,dialog,heading,select,spinner,switch,text,theme"
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
// A component can have any of 26 colours, of which the others are not there.
const notOurs = /data-(accent|gray)-color="?(?!({"|".join((*_COLOURS, "gray"))})\\b)[a-z]/;
const ourColours = {{
  postcssPlugin: "our-colours",
  Rule: (rule) => void (rule.selectors.every((one) => notOurs.test(one)) && rule.remove()),
}};
// Radix has faces for the fonts of other systems and tokens of what no page has; Reflex, a copy of Tailwind's reset.
const notUsed = /^--(code|em|quote|strong|tab|cursor-slider)-|^--shadow-[2-4]$|^--focus-(?!8$|a5$)/;
const unused = {{
  postcssPlugin: "unused",
  Declaration: (line) => void (notUsed.test(line.prop) && line.remove()),
  AtRule: {{
    "font-face": (rule) => void (rule.toString().includes("(Custom)") && rule.remove()),
    layer: (rule) => void (rule.params === "__reflex_base" && rule.nodes && rule.remove()),
  }},
}};

export default {{ plugins: [tailwind(), purge, oneGamut, ourColours, unused] }};
"""
_GROUPS = "groups: ["
# What every page needs goes into one file: fewer requests, and better compressed.
SHARED = (
    *(
        rf"node_modules\/{package}\/"
        for package in (
            *("react", "react-dom", "scheduler", "react-router", "classnames"),
            *(r"socket\.io-client", r"socket\.io-parser", r"engine\.io-client", r"engine\.io-parser"),
        )
    ),
    *(
        rf"@radix-ui\/themes\/dist\/esm\/{part}"
        for part in (r"components\/theme\.", r"components\/text\.", "helpers", "props")
    ),
    *(
        rf"lucide-react\/dist\/esm\/{part}\.mjs"
        for part in (
            "[A-Za-z]+",
            *(
                rf"icons\/{icon}"
                for icon in (
                    *("menu", "search", "map-pin", "phone", "plus", "calendar-check", "calendar-days", "x"),
                    *("star", "wallet", "check", "chevron-left", "chevron-right", "triangle-alert"),
                )
            ),
        )
    ),
    *(
        rf"web\/react\/{part}\/{part}\."
        for part in (
            "modal",
            "date_time_picker",
            "digits",
            "heartbeat",
            "near_me",
            "photos",
            "server_rendered",
            "sheet",
            "toggle",
        )
    ),
    # Otherwise it would be in a file with the switch of a vendor's fleet, fetched by every page with cards.
    r"web\/react\/toggle\/wish\.",
    r"\.web\/utils\/",
)
# A virtual module of Vite, not a file.
_PRELOADING = "vite\\/preload-helper"
_CORE = f"""
            {{ test: /{"|".join((*SHARED, _PRELOADING))}/, name: "core" }},"""


def token_sheets(source: str) -> str:
    """Import the tokens of the colours that are used."""
    return extended(source, _FIRST_SHEET, _SHEETS)


def bundle(source: str) -> str:
    """Put what all pages need into one file."""
    return extended(source, _GROUPS, _CORE)


def without_files(patterns: Iterable[str], folder: Path) -> list[str]:
    """The patterns that match no file below a folder."""
    paths = "\n".join(path.as_posix() for path in folder.rglob("*"))
    return [pattern for pattern in patterns if not re.search(pattern, paths)]


@dataclasses.dataclass
class OwnRadix(rx.plugins.RadixThemesPlugin):  # type: ignore[misc]
    """Themes the pages without pulling in all of Radix Themes; must come after the Tailwind plugin.

    For Reflex it is disabled, and so adds neither the whole sheet nor the whole library, which is for components made
    at run time: there are none.
    """

    enabled: bool = False

    def enter_component(self, comp: Any, /, **context: Any) -> None:
        """Stay switched off when a page has a component of Radix Themes."""

    def compile_page(self, page_ctx: Any, /, **context: Any) -> None:
        """Wrap the pages in the theme even so."""
        page_ctx.app_wrap_components[20, "Theme"] = self.theme

    def get_theme(self) -> rx.Component | None:
        """The theme."""
        theme: rx.Component | None = self.theme
        return theme

    def get_frontend_development_dependencies(self, **context: Any) -> list[str]:
        """The package that drops unused rules."""
        return ["@fullhuman/postcss-purgecss@8.0.0"]

    def get_static_assets(self, **context: Any) -> list[tuple[Path, str]]:
        """The rules of Radix's components."""
        return [(Path("styles/radix.css"), _COMPONENTS_SHEET)]

    def pre_compile(self, **context: Any) -> None:
        """Register the changes with the compiler."""
        context["add_modify_task"]("styles/tailwind.css", token_sheets)
        context["add_modify_task"]("postcss.config.js", lambda _: _POSTCSS)
        context["add_modify_task"]("vite.config.js", bundle)

    def post_build(self, **context: Any) -> None:
        """Check that everything that pages share was there to be put into one file."""
        if missing := without_files(SHARED, prerequisites.get_web_dir().absolute()):
            raise RuntimeError(f"No file is like {missing}: what pages share has changed")
