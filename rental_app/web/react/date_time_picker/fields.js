// The pickers of a page, by the id of their field: one panel chooses both ends of a window.
import { useEffect, useSyncExternalStore } from "react";

let fields = {};
const listeners = new Set();

function set(id, field) {
  fields = { ...fields, [id]: field };
  for (const listener of listeners) listener();
}

/** Lets the panel of another field read this one and choose for it. */
export function useField(id, field) {
  const said = JSON.stringify([field.chosen, field.limits, field.hour, field.isPreset]);
  useEffect(() => {
    set(id, field);
  }, [id, said]);
  useEffect(() => () => set(id, undefined), [id]);
}

const subscribe = (listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const read = () => fields;

/** All pickers of the page that are there. */
export const useFields = () => useSyncExternalStore(subscribe, read, read);
