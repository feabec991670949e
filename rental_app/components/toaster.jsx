import { lazy, Suspense, useEffect, useState } from "react";

const Window = lazy(() => import("./toaster_window.jsx"));
let arrived;
const sonner = new Promise((resolve) => {
  arrived = resolve;
});
let asked = false;
let onAsk = () => {};

function call(kind) {
  return (...args) => {
    if (kind === "dismiss" && !asked) return;
    asked = true;
    onAsk();
    sonner.then((toast) => toast[kind](...args));
  };
}

const KINDS = ["success", "info", "warning", "error", "loading", "dismiss"];
/** Sonner's own calls; they wait until it is there. */
export const toast = Object.assign(call("message"), Object.fromEntries(KINDS.map((kind) => [kind, call(kind)])));

/** Sonner's toaster, fetched with the first toast. */
export function Toaster(props) {
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    onAsk = () => setWanted(true);
    if (asked) onAsk();
  }, []);
  return wanted && <Suspense fallback={null}><Window {...props} onReady={arrived} /></Suspense>;
}
