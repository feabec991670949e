// Typed text belongs to the browser; the server is told once the typing pauses.
import { Children, useEffect, useEffectEvent, useRef, useState } from "react";
import { storeDraft, storedDraft } from "../browser_draft/browser_draft.jsx";
import { useListener } from "../listen.js";

const PAUSE_MS = 300;
const KEEP_MS = 1500;
const heldBy = (input) => (input.type === "checkbox" && !input.checked ? "" : input.value);

/**
 * Watches the form with an id: marks in its `data-dirty` that something was changed, reports what was typed once the
 * typing pauses, and keeps all of it in this tab under the key `draft`. `onStart` asks for that: at first, and when the
 * server has lost the key. `told` is a higher number once the draft has been sent: until then the first of the children
 * is shown, then the second, with the form. `onKeep` gets the whole form after a longer pause, kept since `saved`.
 */
export function FormChanges({ formId, draft = "", told = 0, saved = "", onTyped, onStart, onKeep, children = null }) {
  const [before, setBefore] = useState(told);
  const hasAsked = useRef(false);
  const typed = useRef({});
  const timer = useRef(0);
  const keepTimer = useRef(0);

  const start = useEffectEvent(() => onStart?.());
  useEffect(() => {
    if (draft && hasAsked.current) return;
    hasAsked.current = true;
    setBefore(told);
    start();
  }, [draft]);

  const report = useEffectEvent(() => {
    onTyped?.(typed.current);
    typed.current = {};
  });
  // Reported after the form is sent, it would clear the errors found in the whole form.
  const hurry = ({ target }) => {
    if (target.id !== formId || !Object.keys(typed.current).length) return;
    clearTimeout(timer.current);
    report();
  };
  const keep = useEffectEvent((now) => onKeep?.(now));
  const note = ({ target }) => {
    const form = target.form;
    if (form?.id !== formId) return;
    form.dataset.dirty = "true";
    if (!target.name) return;
    typed.current[target.name] = target.value;
    clearTimeout(timer.current);
    timer.current = setTimeout(report, PAUSE_MS);
    if (!draft) return;
    const now = Object.fromEntries(
      [...form.elements].filter((input) => input.name).map((input) => [input.name, heldBy(input)]),
    );
    storeDraft(draft, { ...now, saved });
    clearTimeout(keepTimer.current);
    keepTimer.current = setTimeout(() => keep(now), KEEP_MS);
  };
  useEffect(() => {
    const stored = storedDraft(draft);
    if (stored && saved) storeDraft(draft, { ...stored, saved });
  }, [saved]);
  useListener("input", note);
  useListener("submit", hurry, true);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      clearTimeout(keepTimer.current);
    },
    [],
  );
  // The form is refilled with what is left from an earlier visit: what was typed into it before that would be lost.
  return Children.toArray(children)[Number(told > before)];
}
