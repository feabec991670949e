"""A Var's JavaScript as a Jinja expression."""

import html
import json
import re
from collections.abc import Callable

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

_PARSER = Parser(Language(tree_sitter_javascript.language()))
_STATE = re.compile(r"reflex___state____state__(?:\w+?___)*(\w+?)____(?P<name>\w+)$")
_OPERATORS = {"+": "~", "&&": "and", "||": "or", "===": "==", "!==": "!="}
_WORDS = {"null": "none", "undefined": "none"}


class NoCounterpartError(Exception):
    """A part of a page that has no counterpart in a template; the message names it."""


def expression(javascript: str) -> str:
    """A Var's JavaScript as a Jinja expression; raises NoCounterpartError."""
    program = _PARSER.parse(f"({javascript})".encode()).root_node
    if program.has_error:
        raise NoCounterpartError(f"not an expression: {javascript}")
    return _jinja(program.named_children[0].named_children[0])


def _text(node: Node | None) -> str:
    return node.text.decode() if node and node.text else ""


def _part(node: Node, name: str) -> str:
    part = node.child_by_field_name(name)
    if part is None:
        raise NoCounterpartError(f"no {name} in {_text(node)}")
    return _jinja(part)


def _jinja(node: Node) -> str:
    if translate := _NODES.get(node.type):
        return translate(node)
    raise NoCounterpartError(f"{node.type} in {_text(node.parent or node)}")


def _identifier(node: Node) -> str:
    name = _text(node)
    state = _STATE.match(name)
    return state["name"] if state else name.removesuffix("_rx_state_").removesuffix("RxMemo")


def _member(node: Node) -> str:
    name = _text(node.child_by_field_name("property")).removesuffix("_rx_state_")
    return f"{_part(node, 'object')}" + ("|length" if name == "length" else f".{name}")


def _subscript(node: Node) -> str:
    index = _text(node.child_by_field_name("index"))
    key = json.loads(index)
    return f"{_part(node, 'object')}" + (f".{key}" if str(key).isidentifier() else f"[{index}]")


def _binary(node: Node) -> str:
    sign = _text(node.child_by_field_name("operator"))
    return f"{_part(node, 'left')} {_OPERATORS.get(sign, sign)} {_part(node, 'right')}"


def _unary(node: Node) -> str:
    if _text(node.child_by_field_name("operator")) != "!":
        raise NoCounterpartError(_text(node))
    return f"not {_part(node, 'argument')}"


def _ternary(node: Node) -> str:
    return f"({_part(node, 'consequence')} if {_part(node, 'condition')} else {_part(node, 'alternative')})"


def _call(node: Node) -> str:
    """Reflex's helpers for Python's truth values, `isTrue(a)`, `pyOr(a, () => b)`, `pyAnd(a, () => b)`, and a list's
    item: `a.at(0)`."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    method = _text(function.child_by_field_name("property")) if function else ""
    if function and method == "valueOf":
        return _part(function, "object")
    if function and arguments and method == "at":
        return f"{_part(function, 'object')}[{_jinja(arguments.named_children[0])}]"
    joint = {"isTrue": "", "pyOr": " or ", "pyAnd": " and "}.get(_text(function))
    if joint is None:
        raise NoCounterpartError(_text(node))
    parts = [_jinja(part) for part in arguments.named_children] if arguments else []
    return f"({joint.join(parts)})"


_NODES: dict[str, Callable[[Node], str]] = {
    "identifier": _identifier,
    "member_expression": _member,
    "subscript_expression": _subscript,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "ternary_expression": _ternary,
    "call_expression": _call,
    "arrow_function": lambda node: _part(node, "body"),
    "parenthesized_expression": lambda node: f"({_jinja(node.named_children[0])})",
    "string": lambda node: json.dumps(json.loads(_text(node)), ensure_ascii=False),
    **dict.fromkeys(("number", "true", "false"), _text),
    **dict.fromkeys(("null", "undefined"), lambda node: _WORDS[_text(node)]),
}


def hole(javascript: str) -> str:
    """A Var as text: a literal as it is, anything else as a Jinja expression."""
    try:
        literal = str(json.loads(javascript))
    except ValueError:
        return _filled(expression(javascript))
    # Braces in a literal would be read as Jinja's.
    return _filled(json.dumps(literal, ensure_ascii=False)) if "{" in literal else html.escape(literal)


def _filled(jinja: str) -> str:
    return f"{{{{ {jinja} }}}}"
