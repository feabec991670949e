"""Changes to generated files, each of which must find its place there."""


def replaced(source: str, old: str, new: str) -> str:
    """A file with one part changed; raises RuntimeError when that part is not there."""
    if old not in source:
        raise RuntimeError(f"Reflex's output has changed: {old!r} is not in it any more")
    return source.replace(old, new)


def extended(source: str, anchor: str, addition: str) -> str:
    """A file with something after an anchor, only once: unlike compiled pages, some files persist between builds."""
    return source if addition in source else replaced(source, anchor, anchor + addition)
