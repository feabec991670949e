"""A photo of a handover or return, which only the two sides of its booking can load."""

import reflex as rx

# Whose way of loading is used.
from rental_app.components.react import uploads  # noqa: F401

_SCRIPT = rx.asset("photo.jsx", shared=True)


class _Photo(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "Photo"

    url: rx.Var[str]
    name: rx.Var[str]


def photo(url: rx.Var[str], name: rx.Var[str]) -> rx.Component:
    """The photo at a path of ours; its name is what is read out."""
    return _Photo.create(url=url, name=name)
