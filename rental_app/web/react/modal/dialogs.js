// All open dialogs share one history entry: Back closes the innermost and stays on the page.
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { useListener } from "../listen.js";

const closers = [];
const texts = {};
// The address at which the entry was made, null without an entry.
let page = null;
let moving = false;
// Whether the next step back is our own.
let returning = false;

const onEntry = () => Boolean(window.history.state?.dialog);

function enter() {
  if (returning || !closers.length || onEntry()) return;
  page = window.location.href;
  const { state } = window.history;
  // The router numbers its entries.
  window.history.pushState({ ...state, idx: (state?.idx ?? 0) + 1, dialog: true }, "");
}

function settle() {
  if (closers.length || moving || returning) return;
  returning = onEntry();
  if (returning) window.history.back();
  else page = null;
}

/** Hides from the router what is not a change of pages. */
function travelled(event) {
  const isOwn = returning;
  returning = false;
  if (event.state?.dialog) {
    // The dialog of this entry is gone.
    event.stopImmediatePropagation();
    window.history.back();
  } else if (window.location.href === page) {
    event.stopImmediatePropagation();
    page = null;
    // If it is our own step, nobody has pressed Back: a dialog was closed, and the next may already be open.
    if (!isOwn) closers.at(-1)?.();
    setTimeout(enter);
  }
}

if (typeof window !== "undefined") {
  window.addEventListener("popstate", travelled, true);
  // A reload closes all dialogs.
  if (onEntry()) window.history.back();
}

/** Has Back call `close` while something is open. */
export function useEntry(isOpen, close) {
  const latest = useEffectEvent(close);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const closer = () => latest();
    closers.push(closer);
    enter();
    return () => {
      closers.splice(closers.indexOf(closer), 1);
      setTimeout(settle);
    };
  }, [isOpen]);
}

/** Goes from an open dialog to another page, which takes the place of the dialog's entry. */
export async function moveTo(navigate, address) {
  const { pathname, search } = window.location;
  if (pathname + search === address) return;
  moving = true;
  try {
    await navigate(address, { replace: onEntry() });
  } finally {
    moving = false;
    settle();
  }
}

/** Listens for orders to the dialog of a name: from a pressed control (`data-opens`, `data-asks`) or the server. */
export function useOrders(name, obey) {
  const hear = ({ detail }) => {
    if (detail?.name !== name) return;
    window.awaited = null;
    obey(detail);
  };
  const hearAwaited = useEffectEvent(() => hear({ detail: window.awaited }));
  useListener("dialog", hear);
  useListener("click", ({ target }) => {
    const control = target.closest?.("[data-opens]");
    if (control?.dataset.opens === name) obey({ opener: control, ...JSON.parse(control.dataset.asks) });
  });
  // For a dialog that was requested before its page was there.
  useEffect(() => hearAwaited(), [name]);
}

/** A control, or what stands in its place since the page was drawn anew. */
export function standing(control) {
  if (!control || control.isConnected) return control;
  const { opens, asks } = control.dataset;
  const isIt = (other) => other.getAttribute("data-asks") === asks && other.textContent === control.textContent;
  return opens ? [...document.querySelectorAll(`[data-opens="${opens}"]`)].find(isIt) : null;
}

/** What has been typed into the dialog of a name since it was last forgotten, by the names of its fields. */
export const typedInto = (name) => (texts[name] ??= {});
export const forget = (name) => delete texts[name];

/** Fills the fields with what was typed earlier, and records it when they are removed; returns their box's ref. */
export function useTyped(typed) {
  const box = useRef(null);
  useLayoutEffect(() => {
    const fields = [...box.current.querySelectorAll("input[name]")];
    const property = (field) => (field.type === "checkbox" ? "checked" : "value");
    for (const field of fields) if (field.name in typed) field[property(field)] = typed[field.name];
    return () => {
      for (const field of fields) typed[field.name] = field[property(field)];
    };
  }, []);
  return box;
}
