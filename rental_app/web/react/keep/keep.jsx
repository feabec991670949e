// What is on the page already is copied, saved and printed by the browser alone.
import { useEffect } from "react";
import { lendFile, saving } from "../uploads/loaded.js";

// Of a dialog that shows something to be printed, that alone. Not in the sheet of every page, few of which print it.
const PRINTED = `@media print {
  body:has([data-prints]) > :not(:has([data-prints])) { display: none; }
  body:has([data-prints]) * { visibility: hidden; background: none; box-shadow: none; }
  [data-prints], body [data-prints] * { visibility: visible; color: #000; }
}`;

// The toaster hears this: imported, it would be a file of its own on every page.
const say = (text, duration) => window.dispatchEvent(new CustomEvent("said", { detail: { text, duration } }));

const copier = (text, copied, failed) => async () => {
  try {
    await navigator.clipboard.writeText(text);
    say(copied, 4000);
  } catch {
    // No clipboard without a secure connection, or it was refused.
    say(failed, 10_000);
  }
};

/** A button that copies a text. */
export function Copy({ text, label, copied, failed, className }) {
  return (
    <button type="button" className={className} onClick={copier(text, copied, failed)}>
      {label}
    </button>
  );
}

/** Three buttons to keep a text: as a copy, as a file, on paper. */
export function Keep({ text, saveAs, copied, failed, className }) {
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(PRINTED);
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    };
  }, []);
  const save = () => lendFile(new Blob([text], { type: "text/plain" }), saving(saveAs));
  const acts = { Copy: copier(text, copied, failed), Download: save, Print: () => window.print() };
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      {Object.entries(acts).map(([label, act]) => (
        <button key={label} type="button" className={className} onClick={act}>
          {label}
        </button>
      ))}
    </div>
  );
}
