"""Whether what a page shows belongs to its address: old content stays until the server has answered."""

import reflex as rx
from reflex_base.vars import FunctionStringVar, VarData

_SCRIPT = rx.asset("here.js", shared=True)
_ROUTED = VarData(
    imports={_SCRIPT.importable_path: ["isHere"], "react-router": ["useLocation"]},
    hooks={"const routed = useLocation();": None},
)


def is_here(*addresses: rx.Var[str]) -> rx.Var[bool]:
    """Whether one of these addresses, path and query, is the browser's: a link changes that at once.

    Filters that a page takes over into its address by itself (`q`, `page`) make no difference.
    """
    return FunctionStringVar.create("isHere", _var_data=_ROUTED).call(rx.Var("routed"), *addresses).to(bool)
