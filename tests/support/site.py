"""The public pages as a reader without JavaScript gets them."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from rental_app.content.posts import posts
from rental_app.content.routes import ROUTES

SITE = "http://localhost:3000"
PLACES = {route.built: "" for route in ROUTES} | {
    "index": "search search_words featured models cities why how stories questions",
    "vehicles": "search title count results",
    "vehicle-details/_": "vehicle",
    "_/bike-rentals": "missing head search search_words vehicles terms before_ride nearby",
    "offers": "offers",
    "terms": "terms_text",
    "terms/_": "terms_text",
    "vendors/_": "vendor",
    "trip/_": "trip",
}
HEAD = '<title>Built</title><meta content="Built" name="description"/><meta content="/built.png" property="og:image"/>'
SLUGS = [post.slug for post in posts("", "")]


def write_pages(folder: Path) -> None:
    """Write built pages with only what the server looks at."""
    for name, places in PLACES.items() | {f"blog/{slug}": "post_text" for slug in SLUGS}.items():
        slots = "".join(f'<div id="served-{place}" data-slot="" class="contents"></div>' for place in places.split())
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        page = f"<html><head>{HEAD}</head><body><main>{name} {slots}</main></body></html>"
        (folder / f"{name}.html").write_text(page)


def page(client: TestClient, path: str, status: int = 200) -> str:
    """Return the HTML served at a path."""
    answer = client.get(path, follow_redirects=False)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8"), path
    return answer.text


def words(html: str) -> str:
    """Return the text that a reader without JavaScript sees."""
    body = re.sub(r"<style.*?</style>", "", html.partition("<body>")[2])
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", body)))


def data(html: str) -> dict[str, dict[str, Any]]:
    """Return the structured data by type."""
    scripts = re.findall(r'<script type="application/ld\+json" data-served>(.*?)</script>', html, re.DOTALL)
    found = [json.loads(script) for script in scripts]
    assert all(item["@context"] == "https://schema.org" for item in found)
    return {item["@type"]: item for item in found}


def meta(html: str) -> dict[str, str]:
    """Return the head's metadata; each name must be unique."""
    tags = re.findall(r"<meta ([^>]*)/>", html)
    attributes = [dict(re.findall(r'(\w+)="([^"]*)"', tag)) for tag in tags]
    names = [tag.get("name") or tag["property"] for tag in attributes]
    assert len(names) == len(set(names))
    assert html.count("<title>") == 1
    values = {name: unescape(tag["content"]) for name, tag in zip(names, attributes, strict=True)}
    canonical = re.findall(r'<link rel="canonical" href="([^"]*)"', html)
    return values | {"title": unescape(re.findall("<title>(.*)</title>", html)[0]), "canonical": "".join(canonical)}
