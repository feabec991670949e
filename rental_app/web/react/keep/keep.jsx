// What is on the page already is copied, saved and printed by the browser alone.
import { lendFile, saving } from "../uploads/loaded.js";

// The toaster hears this: imported, it would be a file of its own on every page.
const say = (text, duration) => window.dispatchEvent(new CustomEvent("said", { detail: { text, duration } }));

/** Three buttons to keep a text: as a copy, as a file, on paper. */
export function Keep({ text, saveAs, copied, failed, className }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say(copied, 4000);
    } catch {
      // No clipboard without a secure connection, or it was refused.
      say(failed, 10_000);
    }
  };
  const save = () => lendFile(new Blob([text], { type: "text/plain" }), saving(saveAs));
  const acts = { Copy: copy, Download: save, Print: () => window.print() };
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
