// The position never leaves the browser, which is promised in /privacy.
import { useState } from "react";
import { nearest } from "./nearest.js";

const OPTIONS = { maximumAge: 60_000, timeout: 10_000 };

const position = () => new Promise((found, failed) => navigator.geolocation.getCurrentPosition(found, failed, OPTIONS));

async function places(url) {
  const answer = await fetch(url);
  return (await answer.json()).data;
}

/**
 * A button that asks the browser where it is and finds the nearest of our places locally: `onFound` gets its name, and
 * nothing else leaves the browser. `texts` has the messages, those for failures by the browser's error codes.
 */
export function NearMe({ places: url, farKm, texts, onFound, className }) {
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);
  const look = async () => {
    if (busy) return;
    setBusy(true);
    setSaid(texts.busy);
    try {
      const [known, { coords }] = await Promise.all([places(url), position()]);
      const found = nearest(known, coords);
      const here = found?.km <= farKm;
      setSaid(here ? `${texts.found} ${found.name}` : texts.far);
      if (here) onFound(found.name);
    } catch (error) {
      setSaid(texts[error.code] ?? texts.failed);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" onClick={look} className={className} aria-disabled={busy}>
        {texts.label}
      </button>
      <span role="status">{said || texts.note}</span>
    </>
  );
}
