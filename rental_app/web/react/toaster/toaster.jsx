// Sonner behind Reflex's own name, fetched with the first toast, each of which is shown once.
import { lazy, Suspense, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { patient } from "../patient.js";

// Screen readers announce what is added to a region they know, so the region comes first.
const REGION_MS = 100;
let want;
let arrive;
const wanted = new Promise((resolve) => {
  want = resolve;
});
const arrived = new Promise((resolve) => {
  arrive = resolve;
});
const load = patient(() => import("sonner"));
const Region = lazy(async () => {
  const { Toaster, toast } = await load();
  setTimeout(() => arrive(toast), REGION_MS);
  return { default: Toaster };
});

// When each toast was called, by its id, and when somebody last pressed something: a refusal ends with the page that is
// left by a press after it, but goes along where the server itself sends people on and tells them why.
const calledAt = {};
let pressedAt = 0;
const rounds = {};
let said = 0;

/** Takes down the refusals that stand there, except for one that is about to be replaced: a success has followed. */
function endRefusals(sonner, replaced = "") {
  for (const { id, type } of sonner.getToasts()) if (type === "error" && id !== replaced) sonner.dismiss(id);
}

// From handlers whose success speaks for itself (rental_app/web/session/events.py).
if (typeof window !== "undefined")
  window.addEventListener("righted", () => arrived.then((sonner) => endRefusals(sonner)));

/**
 * The options of a toast; one that fades gives up its id, or a repeated one would meanwhile fade with it. A toast that
 * replaces another is shown for its whole time: Sonner restarts its timer only if the duration differs.
 */
function called({ id = "", duration = 0, ...options } = {}) {
  if (!id) return { ...options, duration };
  const end = () => {
    rounds[id] = (rounds[id] ?? 0) + 1;
  };
  const round = `${rounds[id] ?? 0} ${id}`;
  return { ...options, duration: duration + said / 1e6, id: round, onAutoClose: end, onDismiss: end };
}

function calling(kind) {
  return (text, options) => {
    want();
    said += 1;
    // Rendered afresh each time: a repeated text would not be noticed by a screen reader, or by the eye.
    const news = (
      <span key={said} className="toast-text">
        {text}
      </span>
    );
    const settings = called(options);
    arrived.then((sonner) => {
      if (kind === "success") endRefusals(sonner, "id" in settings ? settings.id : "");
      calledAt[sonner[kind](news, settings)] = Date.now();
    });
  };
}

/** Sonner's own functions; calls wait until it has loaded. */
export const toast = new Proxy(calling("message"), { get: (_, kind) => calling(kind) });

// From scripts that only some pages have (react/share).
if (typeof window !== "undefined")
  window.addEventListener("said", (event) => {
    const { text, duration } = /** @type {CustomEvent} */ (event).detail;
    toast(text, { id: "said", duration });
  });

if (typeof window !== "undefined")
  for (const press of ["click", "keydown", "popstate"])
    window.addEventListener(press, () => (pressedAt = Date.now()), true);

function endLeft(sonner) {
  for (const { id, type } of sonner.getToasts()) if (type === "error" && calledAt[id] < pressedAt) sonner.dismiss(id);
}

/** Sonner's toaster, loaded with the first toast; at a phone's foot, toasts would cover what they are about. */
export function Toaster(props) {
  const [isWanted, setWanted] = useState(false);
  const { pathname } = useLocation();
  useEffect(() => void arrived.then(endLeft), [pathname]);
  useEffect(() => void wanted.then(() => setWanted(true)), []);
  const place = isWanted && matchMedia("(width < 48rem)").matches ? { position: "top-center" } : {};
  return <Suspense fallback={null}>{isWanted && <Region {...props} {...place} />}</Suspense>;
}
