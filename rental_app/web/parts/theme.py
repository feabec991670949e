"""The design's class strings: every page takes its styling from here, so that one change reaches them all."""

CONTAINER = "mx-auto w-full max-w-6xl px-4 sm:px-6"
COLUMN = "mx-auto w-full max-w-3xl px-4 sm:px-6"
PANEL = "rounded-2xl border border-(--line) bg-(--surface) shadow-sm"
# A phone parts a page by lines, not by boxes.
BARE_ON_PHONE = "bare-on-phone"
PAGE_TITLE = "text-2xl sm:text-3xl font-bold tracking-tight text-(--ink)"
HEADLINE = "text-3xl sm:text-4xl font-extrabold tracking-tight text-balance"
SECTION_TITLE = "text-xl sm:text-2xl font-bold tracking-tight text-(--ink)"
BLOCK_TITLE = "text-lg leading-6 font-bold tracking-tight text-(--ink)"
# Of the parts of a rider's page, which have no boxes around them on a phone.
PART_TITLE = "text-xl leading-6.5 font-bold tracking-tight text-(--ink)"
LABEL = "mb-1 block text-sm font-medium text-(--ink)"
MUTED = "text-(--muted)"
# What is of use only where scripts run.
SCRIPTED = "[@media(scripting:none)]:hidden"
STAGE = "bg-(image:--stage)"
# Rows with hairlines between them, and a box for what people should notice.
LIST = "list-none divide-y divide-(--line) p-0"
NOTE = "rounded-2xl bg-(--amber-a3) p-4"
# A name that links to what it names.
LINK = (
    "inline-flex min-h-6 items-center font-semibold text-(--ink) underline decoration-(--gray-a7) underline-offset-2"
    " hover:decoration-current"
)
# The same in a row, where every name is one.
ROW_LINK = "inline-flex min-h-6 items-center font-semibold text-(--ink) no-underline hover:underline"
SKELETON = "animate-pulse rounded-2xl bg-(--gray-a4)"
# A text with headings, lists and tables (assets/site.css).
PROSE = "written"
MAP = "mt-3 h-64 w-full rounded-xl border-0 bg-(--gray-a3)"
# As high as a button beside it.
FIELD = (
    "h-(--press) w-full rounded-xl border border-(--gray-a7) bg-(--color-surface) px-3 text-base text-(--ink)"
    " disabled:opacity-60 aria-invalid:border-(--red-9)"
)
# What a look-up fills looks like no field to type into, until it has to be typed.
LOOKED_UP = f"{FIELD} read-only:border-transparent read-only:bg-(--gray-a3) read-only:text-(--muted)"
CHECKBOX = "tick size-5 shrink-0"

# As high as a finger needs on a phone (`--press` of assets/site.css).
_BUTTON = (
    "inline-flex min-h-(--press) cursor-pointer items-center justify-center gap-2 rounded-xl px-5 py-1 text-base"
    " font-semibold no-underline transition-colors disabled:cursor-default disabled:opacity-60"
)
BUTTON = {
    "primary": f"{_BUTTON} bg-(--accent-9) text-(--accent-contrast) hover:bg-(--accent-10)",
    "warm": f"{_BUTTON} bg-(--marigold) text-[#2b1c00] hover:bg-[#ffb83d]",
    "destroy": f"{_BUTTON} border border-(--red-a7) bg-(--surface) text-(--red-11) hover:bg-(--red-a3)",
    "ink": f"{_BUTTON} bg-[#12201e] text-white hover:bg-[#26312f]",
    "refuse": f"{_BUTTON} bg-(--refuse) text-white hover:brightness-90",
    "soft": f"{_BUTTON} bg-(--accent-a3) text-(--accent-11) hover:bg-(--accent-a4)",
    "quiet": f"{_BUTTON} border border-(--gray-a7) bg-(--surface) text-(--ink) hover:bg-(--gray-a3)",
}
