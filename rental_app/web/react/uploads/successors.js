// A restart of the server builds a page anew, also while the chooser of one of its fields, or the camera, is open.
import { useEffect } from "react";

const KEPT_MS = 60_000;
const takers = new Map();
const left = new Map();

/** Where files are chosen: a group of the page that is open now. */
export const placeOf = (group) => `${window.location.pathname} ${group}`;

/**
 * Gives files that were chosen at a place, in a field that is gone, to its next field, which may be yet to come; what
 * nobody takes is forgotten. They take the place of the stored file `replaces`, if any.
 */
export function leave(place, files, replaces) {
  const take = takers.get(place);
  if (take) return take(files, replaces);
  const chosen = { files, replaces };
  left.set(place, chosen);
  setTimeout(() => left.get(place) === chosen && left.delete(place), KEPT_MS);
}

/** Has `take` called with a group, the files that are left for it and what they replace. */
export function useLeft(groups, take) {
  useEffect(() => {
    const places = groups.map((group) => placeOf(group));
    places.forEach((place, at) => {
      const chosen = left.get(place);
      takers.set(place, (files, replaces) => take(groups[at], files, replaces));
      left.delete(place);
      if (chosen) take(groups[at], chosen.files, chosen.replaces);
    });
    return () => {
      for (const place of places) takers.delete(place);
    };
  });
}
