"""The vendor's picture: click to change, with a preview before it is sent."""

import reflex as rx

_SCRIPT = rx.asset("avatar.jsx", shared=True)
for _part in ("avatar.css", "file_kinds.js"):
    rx.asset(_part, shared=True)


class _Avatar(rx.NoSSRComponent):
    """The React side; the browser sends the picture straight to the REST edge."""

    library = _SCRIPT.importable_path
    tag = "Avatar"

    image: rx.Var[str]
    initials: rx.Var[str]
    max_mb: rx.Var[int]
    on_done: rx.EventHandler[rx.event.no_args_event_spec]
    on_refused: rx.EventHandler[rx.event.passthrough_event_spec(str)]


def avatar(
    *,
    image: rx.Var[str],
    initials: rx.Var[str],
    max_mb: int,
    on_done: rx.event.EventType[()],
    on_refused: rx.event.EventType[str],
) -> rx.Component:
    """A round button with the picture at `image`, or the initials while it is ''; files have at most `max_mb` MB."""
    return rx.el.div(
        _Avatar.create(image=image, initials=initials, max_mb=max_mb, on_done=on_done, on_refused=on_refused),
        # The room it takes, also while its script is on the way.
        class_name="size-14 shrink-0 rounded-full bg-(--accent-a4) lg:size-24",
    )
