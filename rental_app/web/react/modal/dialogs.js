// All open dialogs share one history entry: Back closes the innermost and stays on the page.
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { useListener } from "../listen.js";

// A browser that begins to leave the document meanwhile, as for a download, may never take a step back.
const STEP_MS = 5000;
const closers = [];
const texts = {};
// The address at which the entry was made, null without an entry.
let page = null;
// How many changes of pages are under way.
let moves = 0;
// Our own step back, which takes the browser a moment, and what ends it while it lasts.
let steppedBack = null;
let arrive = null;

const onEntry = () => Boolean(window.history.state?.dialog);

function enter() {
  if (arrive || !closers.length || onEntry()) return;
  page = window.location.href;
  const { state } = window.history;
  // The router numbers its entries.
  window.history.pushState({ ...state, idx: (state?.idx ?? 0) + 1, dialog: true }, "");
}

function settle() {
  if (closers.length || moves || arrive) return;
  if (onEntry()) stepBack();
  else page = null;
}

function stepBack() {
  steppedBack = new Promise((resolve) => {
    arrive = resolve;
  });
  const arrived = arrive;
  setTimeout(() => {
    if (arrive !== arrived) return;
    arrived();
    arrive = null;
  }, STEP_MS);
  window.history.back();
}

/** Hides from the router what is not a change of pages. */
function travelled(event) {
  const isOwn = Boolean(arrive);
  arrive?.();
  arrive = null;
  if (event.state?.dialog) {
    // The dialog of this entry is gone.
    event.stopImmediatePropagation();
    window.history.back();
  } else if (window.location.href === page) {
    event.stopImmediatePropagation();
    page = null;
    // If it is our own step, nobody has pressed Back: a dialog was closed, and the next may already be open.
    if (!isOwn) closers.at(-1)?.();
    if (!moves) setTimeout(enter);
  }
}

if (typeof window !== "undefined") {
  window.addEventListener("popstate", travelled, true);
  // For the server's redirects (reflex_patches/client.py).
  window.fromDialogs = fromDialogs;
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

/**
 * The router's `navigate` for a page that dialogs are open on: the new page takes the place of their entry, or with
 * `replace` of the page itself. Meanwhile no dialog that closes steps back, which would lead away from the new page; a
 * step that has begun is waited for, as the router would not hear where it led.
 */
function fromDialogs(navigate) {
  return async (address, options) => {
    const { href } = window.location;
    const replace = Boolean(options?.replace);
    moves += 1;
    try {
      if (replace && onEntry() && !arrive) stepBack();
      await steppedBack;
      await navigate(address, { replace: replace || onEntry() });
    } finally {
      moves -= 1;
      settle();
      // The page may not let itself be left.
      if (window.location.href === href) enter();
    }
  };
}

/** Goes from an open dialog to another page. */
export function moveTo(navigate, address) {
  const { pathname, search } = window.location;
  if (pathname + search !== address) fromDialogs(navigate)(address);
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
