// A field that swallows no key, even before its calendar is loaded or after the server has restarted.
import { CalendarDays, X } from "lucide-react";
import { lazy, Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useListener } from "../listen.js";
import { patient } from "../patient.js";
import { display } from "./display.js";

const load = patient(async () => {
  const calendar = await import("./calendar.jsx");
  await calendar.learnTime();
  return calendar;
});
const Calendar = lazy(load);
// The pickers of the page by the id of their field: one panel reads and chooses both ends of a window.
const store = { fields: {}, listeners: new Set() };
const keep = (id, field) => {
  store.fields = { ...store.fields, [id]: field };
  for (const listener of store.listeners) listener();
};
// Half-typed texts, by field and history entry: a server that was restarted has forgotten what the field belongs to.
const halves = {};

/**
 * A field for a moment as Indian wall-clock text, or for a day, typed or chosen in a calendar that is loaded at the
 * first touch. A day is in the form like any date that is typed, so that whoever keeps or fills in forms does so here.
 */
export function DateTimePicker({
  label,
  name,
  value = "",
  hour,
  isPreset,
  onChange,
  problemId,
  ends,
  asks,
  summary,
  note,
  limits,
  ref,
  ...attributes
}) {
  const place = `${attributes.id} ${globalThis.history?.state?.key}`;
  const [chosen, setChosen] = useState(value);
  const [typed, setTyped] = useState(halves[place] ?? null);
  const [told, setTold] = useState({ text: "", isRefusal: false });
  // "shown", or "entered" and "entered again" when the focus moves into it.
  const [panel, setPanel] = useState("");
  const field = useRef(null);
  const input = useRef(null);
  const own = useRef(null);
  // Reflex sends what its own ref holds in place of what the form says.
  const sent = ref ?? own;
  // Shown at once, and corrected by whatever value its owner sends back.
  useEffect(() => {
    setChosen(value);
    if (limits.days) sent.current.value = value;
  }, [value]);
  // A form that is opened again starts without its refused text.
  useEffect(() => {
    halves[place] = told.isRefusal ? null : typed;
  }, [typed, told.isRefusal]);
  useEffect(() => {
    if (typed !== null && document.activeElement === document.body) input.current.focus({ preventScroll: true });
  }, []);
  const text = typed ?? display(chosen);
  // A value that arrives while somebody is about to type is selected, so that typing replaces it.
  useLayoutEffect(() => {
    if (typed === null && document.activeElement === input.current) input.current.select();
  }, [text]);

  // A refused text stays, and blocks the form, until it is corrected or something else is chosen.
  const tell = (news, isRefusal = false) => {
    setTold({ text: news, isRefusal });
    input.current?.setCustomValidity(isRefusal ? news : "");
  };
  const choose = (next) => {
    tell(next ? `${label}: ${display(next)}` : `${label} cleared`);
    if (next === chosen) return;
    setChosen(next);
    if (limits.days) {
      sent.current.value = next;
      sent.current.dispatchEvent(new Event("input", { bubbles: true }));
    }
    onChange?.(next);
  };
  const pick = (next) => {
    choose(next);
    setTyped(null);
  };
  const fill = typed === null ? pick : choose;
  const commit = async () => {
    if (typed === null) return;
    const { judge } = await load();
    const { moment, complaint } = judge(typed, chosen.slice(11) || hour, limits);
    if (complaint) return tell(complaint, true);
    choose(moment);
    flushSync(() => setTyped((now) => (now === typed ? null : now)));
  };
  const judgeAgain = useEffectEvent(() => told.isRefusal && document.activeElement !== input.current && commit());
  const bounds = JSON.stringify(limits);
  useEffect(() => {
    judgeAgain();
  }, [bounds]);
  // Until the code that reads a typed moment has loaded, only the field knows the text: a submit meanwhile waits.
  const hold = async (event) => {
    const form = event.target;
    if (typed === null || form !== input.current.form) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // Submit at once: a response to what was typed would change what was shown when the form was sent.
    await commit();
    if (input.current.validity.valid) form.requestSubmit();
    else input.current.reportValidity();
  };
  useListener("submit", hold, true);
  const close = () => {
    setPanel("");
    const { activeElement } = document;
    // What had the focus is gone, or goes now.
    const isGone = activeElement === document.body || field.current.contains(activeElement);
    if (isGone) input.current.focus({ preventScroll: true });
  };
  // Wherever the focus is, and before a dialog around the field would close as well.
  const leaveByEscape = (event) => {
    if (event.key !== "Escape" || !panel) return;
    event.preventDefault();
    event.stopPropagation();
    setPanel("");
    input.current.focus({ preventScroll: true });
  };
  useListener("keydown", leaveByEscape, true);
  const enter = () => setPanel((now) => (now === "entered" ? "entered again" : "entered"));
  const press = (event) => {
    const isTyped = event.key === "Enter" && typed !== null;
    if (isTyped) {
      commit();
      setPanel("");
    }
    if (event.key === "Escape" && typed !== null) {
      tell("");
      setTyped(null);
    }
    if (event.key === "ArrowDown") enter();
    if (isTyped || event.key === "ArrowDown") event.preventDefault();
  };
  const clear = () => {
    pick("");
    input.current.focus();
  };
  const leave = ({ relatedTarget }) => {
    if (relatedTarget && !field.current.contains(relatedTarget)) setPanel("");
  };
  // Touch users choose in the panel; an on-screen keyboard would only cover it.
  const hush = ({ pointerType }) => {
    input.current.inputMode = pointerType === "touch" ? "none" : "text";
  };
  const { id } = attributes;
  useEffect(() => keep(id, { chosen, limits, hour, isPreset, pick }), [id, chosen, bounds, hour, isPreset]);
  useEffect(() => () => keep(id), [id]);
  const calendar = { store, id, label, ends, asks, summary, note, onClose: close };
  const toldId = `${attributes.id}-told`;
  const wrong = told.isRefusal ? toldId : problemId;
  return (
    <div ref={field} className="dtp-field" onFocus={load} onPointerEnter={load} onPointerDown={hush} onBlur={leave}>
      {limits.days ? (
        // Filled in by whoever restores a form: what is half typed beside it is newer.
        <input ref={sent} hidden type="date" name={name} defaultValue={value} onChange={(e) => fill(e.target.value)} />
      ) : (
        <input type="hidden" name={name} value={chosen} />
      )}
      <input
        {...attributes}
        ref={input}
        {...(wrong && { "aria-invalid": true, "aria-describedby": wrong })}
        value={text}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={commit}
        onKeyDown={press}
        onClick={() => setPanel((now) => now || "shown")}
      />
      <div className="dtp-buttons">
        {chosen && !limits.days && (
          <button type="button" className="dtp-button" aria-label={`Clear ${label}`} onClick={clear}>
            <X size={18} aria-hidden="true" />
          </button>
        )}
        <button
          type="button"
          className="dtp-button"
          aria-label={`Open calendar for ${label}`}
          aria-haspopup="dialog"
          aria-expanded={panel !== ""}
          onClick={() => setPanel((now) => (now ? "" : "entered"))}
        >
          <CalendarDays size={18} aria-hidden="true" />
        </button>
      </div>
      <span id={toldId} role="status" className={told.isRefusal ? "dtp-refused" : "sr-only"}>
        {told.text}
      </span>
      <Suspense fallback={null}>{panel && <Calendar {...calendar} enter={panel !== "shown" && panel} />}</Suspense>
    </div>
  );
}
