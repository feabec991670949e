// Reflex has no events of the window, and a key has to know what is typed into.
import { useEffect } from "react";
import { useListener } from "../listen.js";

const DIALOG = "[role=dialog], dialog";
const TYPED_INTO = `input, textarea, select, [contenteditable], ${DIALOG}`;
const isShown = (element) => element.checkVisibility?.() ?? true;
const shown = (selector) => [...document.querySelectorAll(selector)].filter(isShown);

/** Moves the focus to the next row, or to the one before. */
function walk(step) {
  const rows = shown("[data-row]");
  const at = rows.indexOf(document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step;
  rows[next]?.focus();
  return Boolean(rows[next]);
}

/** Presses what a key is for; false if the page has nothing for it. */
export function press(key) {
  const control = shown(`[data-key="${CSS.escape(key)}"]`).find(({ disabled }) => !disabled);
  if (!control) return (key === "j" || key === "k") && walk(key === "j" ? 1 : -1);
  if (control.matches("input, textarea")) control.focus();
  else control.click();
  return true;
}

export function Shortcuts() {
  useListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, repeat, target, defaultPrevented } = event;
    // The way back to the keys from a field of the page; a dialog is closed by it.
    if (key === "Escape" && target.matches?.("input, textarea") && !target.closest(DIALOG)) target.blur();
    if (ctrlKey || metaKey || altKey || repeat || defaultPrevented || target.closest?.(TYPED_INTO)) return;
    if (press(key.toLowerCase())) event.preventDefault();
  });
  return null;
}

/** Keeps the row that is looked at in sight of a list that scrolls beside it, as `at` changes. */
export function Follows({ at }) {
  useEffect(() => {
    const isBeside = at && window.matchMedia("(min-width: 64rem)").matches;
    if (isBeside) document.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return null;
}
