"""The place of toasts; the library behind them is fetched with the first one."""

import reflex as rx
from reflex_components_sonner.toast import Toaster

_SCRIPT = rx.asset("toaster.jsx", shared=True)


class _Toaster(Toaster):
    library = _SCRIPT.importable_path
    lib_dependencies: list[str] = ["sonner@2.0.8"]


def toaster() -> rx.Component:
    """Toasts at the foot of the window, on a phone below its bar (site.css), for four seconds unless they say more."""
    return _Toaster.create(
        visible_toasts=20, position="bottom-center", rich_colors=True, toast_options=rx.toast.options(duration=4000)
    )
