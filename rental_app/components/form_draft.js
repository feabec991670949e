import { useEffect, useRef } from "react";

const read = (key) => {
  try {
    return JSON.parse(sessionStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
};
const named = (form) => [...form.elements].filter((input) => input.name && input.type !== "hidden");
const valueOf = (input) => (input.type === "checkbox" ? input.checked : input.value);
const takes = (input, value) =>
  !input.disabled && (input.tagName !== "SELECT" || [...input.options].some((option) => option.value === value));

/** Put a value into an input as its user would. Whoever listens hears of it, also of a value that is there already. */
function enter(input, value) {
  if (input.type === "checkbox") {
    if (input.checked === value) input.click();
    return input.click();
  }
  input.value = value;
  for (const type of ["input", "change"]) input.dispatchEvent(new Event(type, { bubbles: true }));
}

/**
 * Keeps what is typed into a form in this tab, under a key, and types it again when the form comes back. Inputs that
 * others bring about get theirs when they are there: a model waits for the maker, a price for the model. Files are not
 * kept. Without a key nothing happens. `opened` is another number once the fresh form has been made ready; from then
 * on a key that comes anew, as after a restart of the server, brings the draft back too. Returns what notes an input
 * event and what forgets everything.
 */
export function useDraft(form, key, opened) {
  const waiting = useRef({});
  const before = useRef(opened);
  const restore = () => {
    for (const input of named(form.current)) {
      const value = waiting.current[input.name];
      if (value === undefined || !takes(input, value)) continue;
      delete waiting.current[input.name];
      enter(input, value);
    }
  };
  useEffect(() => {
    if (opened !== before.current) before.current = null;
    if (!key || before.current !== null) return undefined;
    waiting.current = read(key);
    restore();
    const observer = new MutationObserver(restore);
    observer.observe(form.current, { subtree: true, childList: true, attributeFilter: ["disabled"] });
    return () => observer.disconnect();
  }, [key, opened]);

  const note = (event) => {
    if (!key) return;
    // Another type or model than the draft's: what hangs on it will not come.
    if (event.nativeEvent.isTrusted && event.target.tagName === "SELECT") waiting.current = {};
    delete waiting.current[event.target.name];
    const onShow = () => Object.fromEntries(named(form.current).map((input) => [input.name, valueOf(input)]));
    // Until the draft is back, what is on show is not all that there is.
    const typed = before.current === null
      ? { ...onShow(), ...waiting.current }
      : { ...read(key), [event.target.name]: valueOf(event.target) };
    sessionStorage.setItem(key, JSON.stringify(typed));
  };
  const forget = () => {
    waiting.current = {};
    if (key) sessionStorage.removeItem(key);
  };
  return [note, forget];
}
