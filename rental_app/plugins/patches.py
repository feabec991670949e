"""Changes to generated files, each of which has to find its place there."""


def replaced(source: str, old: str, new: str) -> str:
    """A file with one part changed; raises RuntimeError when that part is not there."""
    if old not in source:
        raise RuntimeError(f"Reflex's output has changed: {old!r} is not in it any more")
    return source.replace(old, new)


def extended(source: str, anchor: str, addition: str) -> str:
    """A file with something after an anchor, once: unlike compiled pages some files stay from build to build."""
    return source if addition in source else replaced(source, anchor, anchor + addition)
