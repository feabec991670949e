import { useState } from "react";

// The button that had the focus is gone.
const take = (frame) => frame?.focus();

/** A map of a foreign host, which is asked for it only once the user has. */
export function MapOnDemand({ src, title, label, note, className }) {
  const [wanted, setWanted] = useState("");
  return wanted === src ? (
    <iframe ref={take} src={src} title={title} className={className}
      referrerPolicy="no-referrer" />
  ) : (
    <button type="button" onClick={() => setWanted(src)} className={className}>
      <span className="font-semibold underline">{label}</span>
      <span>{note}</span>
    </button>
  );
}
