// All dialogs on show share one entry of the history: Back closes the innermost and stays on the page.
import { useEffect, useLayoutEffect, useRef } from "react";

const closers = [];
const texts = {};
// The address the entry was made on, null without one.
let page = null;
let moving = false;
let returning = null;
let returned = null;

const onEntry = () => Boolean(window.history.state?.dialog);

async function enter() {
  await returning;
  if (!closers.length || onEntry()) return;
  page = window.location.href;
  const { state } = window.history;
  // The router counts its entries.
  window.history.pushState({ ...state, idx: (state?.idx ?? 0) + 1, dialog: true }, "");
}

function settle() {
  if (closers.length || moving || returned) return;
  if (!onEntry()) {
    page = null;
    return;
  }
  returning = new Promise((done) => {
    returned = done;
  });
  window.history.back();
}

/** Keeps from the router what is no change of pages. */
function travelled(event) {
  const isOwn = returned !== null;
  returned?.();
  returned = returning = null;
  if (event.state?.dialog) {
    // The dialog of this entry is gone.
    event.stopImmediatePropagation();
    window.history.back();
  } else if (window.location.href === page) {
    event.stopImmediatePropagation();
    page = null;
    // Nobody has pressed Back: a dialog has been closed, and the next may be open by now.
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
  const latest = useRef(close);
  latest.current = close;
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const closer = () => latest.current();
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
  if (window.location.pathname === address) return;
  moving = true;
  try {
    await navigate(address, { replace: onEntry() });
  } finally {
    moving = false;
    settle();
  }
}

/** Hears what is asked of the dialog of a name: by a pressed control (`data-opens`, `data-asks`) or by the server. */
export function useOrders(name, obey) {
  const latest = useRef(obey);
  latest.current = obey;
  useEffect(() => {
    const pressed = (event) => {
      const control = event.target.closest?.("[data-opens]");
      if (control?.dataset.opens === name) latest.current(JSON.parse(control.dataset.asks));
    };
    const heard = ({ detail }) => {
      if (detail.name !== name) return;
      window.awaited = null;
      latest.current(detail);
    };
    document.addEventListener("click", pressed);
    window.addEventListener("dialog", heard);
    // Asked for before the page it is on was there.
    if (window.awaited) heard({ detail: window.awaited });
    return () => {
      document.removeEventListener("click", pressed);
      window.removeEventListener("dialog", heard);
    };
  }, [name]);
}

/** What has been typed into the dialog of a name since it was last forgotten, by the names of its fields. */
export const typedInto = (name) => (texts[name] ??= {});
export const forget = (name) => delete texts[name];

/** Fills the fields with what was typed earlier, and takes note of it when they go; returns the ref of their box. */
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
