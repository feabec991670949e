// Files that only their owner may load: a plain link or image carries no token.
import { useEffect, useState } from "react";
import { call } from "./call.js";

const LENT_MS = 60_000;
const giveUpLater = (address) => setTimeout(() => URL.revokeObjectURL(address), LENT_MS);

/**
 * The address of a file that `load` returns: "" until it is there, null if that failed; its setter, and what tries again.
 * `load` may return nothing.
 */
export function useLoaded(load, from) {
  const [address, setAddress] = useState("");
  const [tries, setTries] = useState(1);
  useEffect(() => {
    let made = "";
    let isGone = false;
    const show = (blob) => {
      if (blob && !isGone) made = URL.createObjectURL(blob);
      if (!isGone) setAddress(made);
    };
    Promise.resolve(load()).then(show, () => isGone || setAddress(null));
    return () => {
      isGone = true;
      // What shows it is still there, and may be loading it, until the next one is.
      giveUpLater(made);
    };
  }, [...from, tries]);
  const again = () => {
    setAddress("");
    setTries(tries + 1);
  };
  return /** @type {const} */ ([address, setAddress, again]);
}

/** Has `use` open the address of a file that is here, which works for a minute. */
export function lendFile(file, use) {
  const address = URL.createObjectURL(file);
  use(address);
  giveUpLater(address);
}

/** Loads a file and does the same with it. Rejects when it cannot be loaded. */
export async function lend(url, use) {
  lendFile(await call(url), use);
}

/** Saves what is at an address under a name. */
export const saving = (download) => (href) => Object.assign(document.createElement("a"), { href, download }).click();
