"""Choosing a profile picture."""

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import FilePayload, Locator, Page


def picture(kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (80, 60), "teal").save(out, kind)
    return out.getvalue()


def named(name: str) -> FilePayload:
    return {"name": name, "mimeType": "image/png", "buffer": picture()}


def choose(page: Page, file: FilePayload | Path) -> Locator:
    """Open the picture's dialog and choose a file; return the dialog."""
    page.get_by_role("button", name="Change profile picture").click()
    dialog = page.get_by_role("dialog", name="Profile picture")
    dialog.get_by_label("Add files to Profile picture").set_input_files(file)
    return dialog
