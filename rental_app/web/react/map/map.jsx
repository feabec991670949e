// The foreign host is contacted only by a press, and the focus moves to the map.
import { useState } from "react";

/** A map from another host, which is contacted only once the user asks for the map. */
export function MapOnDemand({ src, title, label, note, look, className }) {
  const [wanted, setWanted] = useState("");
  if (wanted === src) {
    // The button that had the focus is gone.
    const take = (frame) => frame?.focus();
    return <iframe ref={take} src={src} title={title} className={className} referrerPolicy="no-referrer" />;
  }
  return (
    <button type="button" onClick={() => setWanted(src)} className={look} data-map="">
      <span className="font-semibold underline">{label}</span>
      <span>{note}</span>
    </button>
  );
}
