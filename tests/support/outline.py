"""A page as lines, to compare what the server renders with what the browser shows."""

import httpx2
from playwright.sync_api import Page

# A page as lines: its elements, their classes and their links. Native pickers and a link stand where the page's pickers
# and the map will be; content for browsers without scripts is no part of the running page, nor are photos that a card
# shows only once it is swiped.
OUTLINE = """
html => {
  const skipped = 'script, style, template, noscript, .dtp-field, [data-map], span:has(> [class*="noscript:block"])';
  const lines = (node, depth) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data.trim() ? [' '.repeat(depth) + node.data.trim()] : [];
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches(skipped)) return [];
    const inside = at => [...node.childNodes].flatMap(child => lines(child, at));
    if (node.matches('[data-slot]')) return inside(depth);
    const told = ['src', 'alt', 'width', 'name', 'action'];
    const leads = node.hasAttribute('href') && new URL(node.getAttribute('href'), location.href).href;
    const said = [leads, ...told.map(name => node.getAttribute(name))].filter(Boolean);
    const classes = [...node.classList].sort().join(' ');
    return [' '.repeat(depth) + [node.localName, classes, ...said].join(' '), ...inside(depth + 1)];
  };
  const from = html ? new DOMParser().parseFromString(html, 'text/html') : document;
  from.normalize();
  return ['main', 'footer'].flatMap(name => lines(from.querySelector(name), 0));
}
"""


def served_and_shown(page: Page, address: str) -> tuple[list[str], list[str]]:
    """Return the outline of what the server renders at an address, and that of the page that shows it."""
    served: list[str] = page.evaluate(OUTLINE, httpx2.get(address).text)
    shown: list[str] = page.evaluate(OUTLINE)
    return served, shown
