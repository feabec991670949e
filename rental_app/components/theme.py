"""The design's class strings: every page takes its looks from here, so that one change reaches all."""

CONTAINER = "mx-auto w-full max-w-6xl px-4 sm:px-6"
PANEL = "rounded-2xl border border-(--line) bg-(--surface) shadow-sm"
PAGE_TITLE = "text-2xl sm:text-3xl font-bold tracking-tight text-(--ink)"
SECTION_TITLE = "text-xl sm:text-2xl font-bold tracking-tight text-(--ink)"
BLOCK_TITLE = "text-lg font-semibold text-(--ink)"
LABEL = "mb-1 block text-sm font-medium text-(--ink)"
MUTED = "text-(--muted)"
STAGE = "bg-(image:--stage)"
FIELD = (
    "h-10 w-full rounded-(--radius-3) border border-(--gray-a7) bg-(--color-surface) px-3 text-base text-(--ink)"
    " disabled:opacity-60"
)

_BUTTON = (
    "inline-flex min-h-10 cursor-pointer items-center justify-center gap-2 rounded-full px-5 text-base font-semibold"
    " no-underline transition-colors disabled:cursor-default disabled:opacity-60"
)
BUTTON = {
    "primary": f"{_BUTTON} bg-(--accent-9) text-(--accent-contrast) hover:bg-(--accent-10)",
    "warm": f"{_BUTTON} bg-(--marigold) text-[#2b1c00] hover:bg-[#ffb83d]",
    "quiet": f"{_BUTTON} border border-(--gray-a7) bg-(--surface) text-(--ink) hover:bg-(--gray-a3)",
}
