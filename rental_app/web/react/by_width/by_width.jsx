// Hidden by CSS, 200 rows would still be made and kept up to date.
import { useSyncExternalStore } from "react";

// Tailwind's `md`.
const WIDE = "(min-width: 48rem)";

const listen = (hear) => {
  const width = window.matchMedia(WIDE);
  width.addEventListener("change", hear);
  return () => width.removeEventListener("change", hear);
};

/** Its children in a window that is wide or, without `isWide`, narrow; none while the server renders. */
export function ByWidth({ isWide, children }) {
  const shown = useSyncExternalStore(
    listen,
    () => window.matchMedia(WIDE).matches === isWide,
    () => false,
  );
  return shown ? children : null;
}
