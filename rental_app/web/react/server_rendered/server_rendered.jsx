// What the server has rendered stands until React takes over what was typed, pressed and focused there.
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

const arrived = typeof window === "undefined" ? "" : window.location.pathname;
const address = ({ pathname, search }) => pathname + search;

/** What the server put into a place of the page; null if the page was reached by a link within the site. */
function readServed(id, location) {
  if (typeof document === "undefined") return { html: "", address: "" };
  const place = document.getElementById(id);
  return place?.hasAttribute("data-slot") ? { html: place.innerHTML, address: address(location) } : null;
}

const FIELDS = "input[name]:not([type=checkbox]), select[name], textarea[name]";
// Dialogs open without the server.
const WAITING = "button[type=button]:not([data-opens]), [data-waits] [type=submit]";
const isTypedInto = (node) => Boolean(node?.matches(FIELDS));

/** What somebody has entered into a served form, by the names of the fields; ticked values are joined by commas. */
function entered(form) {
  const isOwn = ({ options, selectedOptions, value, defaultValue }) =>
    options ? selectedOptions[0]?.defaultSelected : value === defaultValue;
  const fields = [...form.querySelectorAll(FIELDS)].filter((field) => !isOwn(field));
  const given = Object.fromEntries(fields.map((field) => [field.name, field.value]));
  for (const { name, value } of form.querySelectorAll("[type=checkbox][name]:checked")) {
    given[name] = given[name] ? `${given[name]},${value}` : value;
  }
  return given;
}

/** Tells a button or link from the others of its place: those that mark a vehicle have its number as their value. */
const nameOf = (node) => [node.textContent, node.value, node.getAttribute("href")].join(" ");

/** Presses, or focuses, the page's own element that corresponds to a served one. */
function again(place, kind, name, what) {
  const isIt = (node) => nameOf(node) === name;
  queueMicrotask(() => [...place.querySelectorAll(kind)].find(isIt)?.[what]());
}

/** Puts what was typed into the inputs that stand in the place of those it was typed into. */
function putBack(typed, texts) {
  for (const [field, id] of Object.entries(typed)) {
    const input = /** @type {HTMLInputElement | null} */ (document.getElementById(id));
    if (input && field in texts) input.value = texts[field];
  }
}

/** The server's own HTML; `onHold` tells whether a field of it has the focus, `onGone` gets it when it is removed. */
function Slot({ id, html, onHold, pressed, onGone }) {
  const slot = useRef(null);
  useLayoutEffect(() => {
    const node = slot.current;
    onHold(node.contains(document.activeElement) && isTypedInto(document.activeElement));
    return () => onGone(node);
  }, []);
  const holds = {
    onFocus: (event) => onHold(isTypedInto(event.target)),
    onBlur: ({ relatedTarget }) => onHold(slot.current.contains(relatedTarget) && isTypedInto(relatedTarget)),
    onClick: (event) => {
      const button = event.target.closest(WAITING);
      if (button?.type === "submit") event.preventDefault();
      pressed.current = button && nameOf(button);
    },
    dangerouslySetInnerHTML: { __html: html },
  };
  return <div ref={slot} id={id} data-slot="" className="contents" suppressHydrationWarning {...holds} />;
}

/** Gives the focus to the replacement of what had it, once that is there, unless something else has it by then. */
function givenBack(gone) {
  const place = document.getElementById(gone?.id ?? "");
  if (!place) return gone;
  if (document.activeElement === document.body) place.focus();
  return null;
}

/**
 * Sends again what was chosen here when the server has lost it: after a restart, for example, it knows nobody at first.
 * It may not have received the last text of the inputs `typed` (ids by fields): what was in them when removed counts.
 */
function useRegained(known, ready, chosen, typed, here, onTake) {
  const before = useRef(null);
  const lost = useRef(null);
  const keyboard = useRef(null);
  // What is lost with the server's memory is still on the page until this is rendered.
  if (!known && before.current) {
    const inputs = Object.entries(typed).map(([field, id]) => [field, document.getElementById(id)]);
    lost.current ??= { inputs, focused: document.activeElement };
  }
  useEffect(() => {
    if (!known || !ready || !chosen) return;
    const { place, values } = before.current ?? {};
    before.current = { place: here, values: chosen };
    if (lost.current && place === here) {
      const gone = lost.current.inputs.filter(([, input]) => input && !input.isConnected);
      const texts = Object.fromEntries(gone.map(([field, input]) => [field, input.value]));
      const entered = { ...values, ...texts };
      if (Object.keys(chosen).some((field) => entered[field] && entered[field] !== chosen[field])) {
        onTake(entered);
        putBack(typed, texts);
      }
      keyboard.current = lost.current.focused;
    }
    lost.current = null;
    keyboard.current = givenBack(keyboard.current);
  });
}

/** Shows what the server put here until the page's own content is ready, and never again after that. */
export function ServerRendered({ name, known, ready, chosen, typed = {}, onTake, children }) {
  const id = `served-${name}`;
  const location = useLocation();
  useRegained(known, ready, chosen, typed, address(location), onTake);
  const [served, setServed] = useState(() => readServed(id, location));
  const [held, setHeld] = useState(false);
  const elsewhere = served?.address !== address(location);
  // A field is not removed while it has the focus.
  const over = !served?.html || elsewhere || (ready && !held);
  useEffect(() => {
    if (over) setServed(null);
  }, [over]);
  const pressed = useRef("");
  const hand = (node) => {
    const given = onTake && !elsewhere ? entered(node) : {};
    if (Object.keys(given).length) {
      onTake(given);
      queueMicrotask(() => putBack(typed, given));
    }
    const focused = document.activeElement;
    if (elsewhere) return;
    if (node.contains(focused)) again(node.parentElement, focused.localName, nameOf(focused), "focus");
    const early = window.pressedEarly?.();
    if (node.contains(early)) pressed.current = nameOf(early);
    if (pressed.current) again(node.parentElement, WAITING, pressed.current, "click");
  };
  const isServed = served && (!over || !served.html);
  return isServed ? <Slot id={id} html={served.html} onHold={setHeld} pressed={pressed} onGone={hand} /> : children;
}

/** Removes what the server put into the head for the first page when another is shown (and see early.js). */
export function ServerRenderedHead() {
  const { pathname } = useLocation();
  // Once the whole page has its listeners.
  useEffect(() => void setTimeout(() => window.pressAgain?.()), []);
  useEffect(() => {
    for (const node of pathname === arrived ? [] : document.head.querySelectorAll("[data-served]")) node.remove();
  }, [pathname]);
  return null;
}
