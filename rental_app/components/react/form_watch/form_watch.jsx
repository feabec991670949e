import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";

const PAUSE_MS = 300;
const KEEP_MS = 1500;
const heldBy = (input) => (input.type === "checkbox" && !input.checked ? "" : input.value);

/**
 * Watches the form of an id: says in its `data-dirty` that something was changed, tells what was typed once the typing
 * pauses, and keeps all of it in this tab under the key `draft`. `onStart` asks for that: at first, and when the server
 * has lost the key. `told` is another number once it has been told. `onKeep` gets all of it after a longer pause, and
 * `saved` says since when it is kept elsewhere.
 */
export function FormWatch({ formId, draft = "", told = 0, saved = "", onTyped, onStart, onKeep }) {
  const first = useRef(told);
  const key = useRef("");
  const hasAsked = useRef(false);
  const typed = useRef({});
  const timer = useRef(0);
  const keepTimer = useRef(0);
  key.current = draft || key.current;

  const start = useEffectEvent(() => onStart?.());
  useEffect(() => {
    if (draft && hasAsked.current) return;
    hasAsked.current = true;
    first.current = told;
    start();
  }, [draft]);

  const report = useEffectEvent(() => {
    onTyped?.(typed.current);
    typed.current = {};
  });
  // Told after the form is sent, it would take away what is found wrong with all of it.
  const hurry = useEffectEvent(({ target }) => {
    if (target.id !== formId || !Object.keys(typed.current).length) return;
    clearTimeout(timer.current);
    report();
  });
  const keep = useEffectEvent((now) => onKeep?.(now));
  const note = useEffectEvent(({ target }) => {
    const form = target.form;
    if (form?.id !== formId) return;
    form.dataset.dirty = "true";
    if (!target.name) return;
    typed.current[target.name] = target.value;
    clearTimeout(timer.current);
    timer.current = setTimeout(report, PAUSE_MS);
    if (!key.current) return;
    // Until the draft is back, what is on show is not all that there is.
    const isAll = draft && told !== first.current;
    const inputs = isAll ? [...form.elements].filter((input) => input.name) : [target];
    const before = isAll ? {} : JSON.parse(sessionStorage.getItem(key.current) ?? "{}");
    const now = Object.fromEntries(inputs.map((input) => [input.name, heldBy(input)]));
    sessionStorage.setItem(key.current, JSON.stringify({ ...before, ...now, ...(isAll && { saved }) }));
    clearTimeout(keepTimer.current);
    if (isAll) keepTimer.current = setTimeout(() => keep(now), KEEP_MS);
  });
  useEffect(() => {
    const kept = JSON.parse(sessionStorage.getItem(key.current) ?? "null");
    if (kept && saved) sessionStorage.setItem(key.current, JSON.stringify({ ...kept, saved }));
  }, [saved]);
  // Before anybody can type.
  useLayoutEffect(() => {
    const listener = (event) => note(event);
    const sent = (event) => hurry(event);
    document.addEventListener("input", listener);
    document.addEventListener("submit", sent, true);
    return () => {
      clearTimeout(timer.current);
      clearTimeout(keepTimer.current);
      document.removeEventListener("input", listener);
      document.removeEventListener("submit", sent, true);
    };
  }, []);
  return null;
}
