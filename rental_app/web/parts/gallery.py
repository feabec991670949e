"""A vehicle's photos: a row on its page that is swiped or turned, and the same row in full screen."""

import reflex as rx

from rental_app.web.parts.button import button
from rental_app.web.parts.presenters.photos import PhotoView
from rental_app.web.parts.theme import STAGE
from rental_app.web.react.modal import modal, opens
from rental_app.web.react.photos import GALLERY, ROW, photo_row, shows, steps

FULL_SCREEN = "photos"
_ROW = "flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain scroll-smooth [scrollbar-width:none]"
_SLIDE = "relative w-full shrink-0 snap-center"
_ARROW = (
    "absolute top-1/2 hidden size-11 -translate-y-1/2 cursor-pointer place-items-center rounded-full bg-(--surface)"
    " text-(--ink) shadow-sm sm:grid"
)
# Nothing but the photos, on black. It comes with them: the style sheet of all pages does without.
_BLACK = (
    ".rt-DialogContent:has(.full-screen){position:fixed;inset:0;width:auto;margin:0;padding:1rem 0 0;border-radius:0;"
    "background:#000;color:#fff}.rt-DialogContent:has(.full-screen)>:first-child{padding-inline:1rem}"
    ".dark [data-row] img{filter:brightness(.9)}"
)
# On a desk the second photo and the third stand beside the large one, as high as it together.
_SMALL = (
    "lg:mt-0 lg:grid lg:h-0 lg:min-h-full lg:auto-rows-fr lg:overflow-hidden lg:rounded-r-2xl lg:p-0"
    " lg:[&>:not(:nth-child(2),:nth-child(3))]:hidden"
)
_SIZE = {"width": "640", "height": "400"}


def gallery(photos: rx.Var[list[PhotoView]], title: rx.Var[str]) -> rx.Component:
    """All photos side by side in one row; without scripts it scrolls, and each photo is a link to itself."""
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                rx.foreach(photos, _slide),
                tab_index=0,
                role="group",
                class_name=_ROW,
                custom_attrs={"aria-label": f"Photos of {title}", **ROW},
            ),
            _arrows(photos),
            _counter(photos),
            class_name=f"relative overflow-hidden sm:rounded-2xl lg:rounded-r-none {STAGE}",
        ),
        rx.cond(
            photos.length() > 1,
            rx.el.div(
                rx.foreach(photos, _thumbnail),
                tab_index=0,
                role="group",
                class_name=f"mt-2 hidden gap-2 overflow-x-auto p-1 sm:flex {_SMALL}",
                custom_attrs={"aria-label": "Thumbnails"},
            ),
        ),
        class_name="min-w-0 lg:grid lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:gap-2",
        custom_attrs=GALLERY,
    )


def full_screen(photos: rx.Var[list[PhotoView]], title: rx.Var[str]) -> rx.Component:
    """The photos in full screen; Esc, the cross and Back close them."""
    return modal(
        rx.el.div(
            rx.el.style(_BLACK),
            photo_row(
                rx.foreach(photos, _large), class_name=f"{_ROW} w-full touch-[pan-x_pinch-zoom]", custom_attrs=ROW
            ),
            _arrows(photos),
            _counter(photos),
            class_name="full-screen relative",
            custom_attrs=GALLERY,
        ),
        name=FULL_SCREEN,
        title=title,
        about=title.bool(),
        close_label="Close the photos",
        max_width="none",
        max_height="none",
    )


def _slide(photo: rx.Var[PhotoView]) -> rx.Component:
    # Not `rx.el.a`, the router's link: the photo is not a page.
    return rx.el.A.create(
        rx.el.img(
            src=photo.src,
            src_set=photo.sizes,
            sizes="(min-width: 1024px) 45rem, 100vw",
            alt=photo.alt,
            loading=photo.loading,
            class_name="aspect-[5/3] h-auto w-full object-cover",
            custom_attrs={**_SIZE, "fetchpriority": photo.priority},
        ),
        href=photo.src,
        key=photo.src,
        class_name=_SLIDE,
        custom_attrs={"aria-label": f"{photo.alt}: full screen", **shows(photo.place), **opens(FULL_SCREEN)},
    )


def _thumbnail(photo: rx.Var[PhotoView]) -> rx.Component:
    return rx.el.A.create(
        rx.el.img(
            src=photo.card,
            alt="",
            loading="lazy",
            class_name="aspect-[8/5] h-full w-full object-cover",
            custom_attrs=_SIZE,
        ),
        href=photo.src,
        key=photo.src,
        class_name=f"w-20 shrink-0 overflow-hidden rounded-lg lg:w-auto lg:rounded-none {STAGE}",
        custom_attrs={"aria-label": f"Show {photo.alt}", **shows(photo.place)},
    )


def _large(photo: rx.Var[PhotoView]) -> rx.Component:
    return rx.el.div(
        rx.el.img(
            src=photo.src,
            src_set=photo.sizes,
            sizes="100vw",
            alt=photo.alt,
            loading="lazy",
            class_name="h-[calc(100dvh-5rem)] w-full object-contain",
            custom_attrs=_SIZE,
        ),
        key=photo.src,
        class_name=_SLIDE,
    )


def _arrows(photos: rx.Var[list[PhotoView]]) -> rx.Component:
    return rx.cond(
        photos.length() > 1,
        rx.fragment(
            _arrow("chevron-left", "Previous photo", -1, "left-2"),
            _arrow("chevron-right", "Next photo", 1, "right-2"),
        ),
    )


def _counter(photos: rx.Var[list[PhotoView]]) -> rx.Component:
    """Which photo is shown, of how many; `photos.jsx` counts on."""
    return rx.cond(
        photos.length() > 1,
        rx.el.span(
            f"1 of {photos.length()}",
            class_name="absolute right-3 bottom-3 rounded-full bg-black/70 px-3 py-1 text-xs font-semibold text-white",
            custom_attrs={"data-counter": ""},
        ),
    )


def _arrow(icon: str, label: str, by: int, side: str) -> rx.Component:
    return button(rx.icon(icon, size=22), class_name=f"{_ARROW} {side}", label=label, custom_attrs=steps(by))
