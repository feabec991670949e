import { CalendarDays, X } from "lucide-react";
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useListener } from "../listen.js";
import { patient } from "../patient.js";

const load = patient(() => import("./calendar.jsx"));
const Calendar = lazy(load);
const stay = (event) => event.stopPropagation();
// Half-typed texts, by field and history entry: a server that was restarted has forgotten what the field belongs to.
const halves = {};

/** "21/11/2026 10:00 PM" for "2026-11-21T22:00", "" for anything that is not a moment. */
function display(moment) {
  const [, year, month, day, hour, minute] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)$/.exec(moment) ?? [];
  const clock = `${String(Number(hour) % 12 || 12).padStart(2, "0")}:${minute} ${hour < "12" ? "AM" : "PM"}`;
  return year ? `${day}/${month}/${year} ${clock}` : "";
}

/** A field for a moment as Indian wall-clock text, typed or chosen in a calendar that is loaded at the first touch. */
export function DateTimePicker({ label, name, value, onChange, problemId, ends, options, limits, ...attributes }) {
  const place = `${attributes.id} ${globalThis.history?.state?.key}`;
  const [chosen, setChosen] = useState(value);
  const [typed, setTyped] = useState(halves[place] ?? null);
  const [told, setTold] = useState({ text: "", isRefusal: false });
  // "shown", or "entered" when the focus moves into it.
  const [panel, setPanel] = useState("");
  const field = useRef(null);
  const input = useRef(null);
  // Shown at once, and corrected by whatever value its owner sends back.
  useEffect(() => setChosen(value), [value]);
  useEffect(() => {
    halves[place] = typed;
  }, [typed]);
  useEffect(() => {
    if (typed !== null && document.activeElement === document.body) input.current.focus({ preventScroll: true });
  }, []);
  const text = typed ?? display(chosen);
  // A value that arrives while somebody is about to type is selected, so that typing replaces it.
  useLayoutEffect(() => {
    if (typed === null && document.activeElement === input.current) input.current.select();
  }, [text]);

  // A refused text blocks the form until its field is left once more with the value that is shown instead.
  const tell = (news, isRefusal = false) => {
    setTold({ text: news, isRefusal });
    input.current?.setCustomValidity(isRefusal ? news : "");
  };
  const choose = (next) => {
    tell(next ? `${label}: ${display(next)}` : `${label} cleared`);
    if (next === chosen) return;
    setChosen(next);
    onChange?.(next);
  };
  const commit = async () => {
    if (typed === null) return told.isRefusal && tell("");
    const { typedMoment } = await load();
    const next = typed.trim() && typedMoment(typed, limits);
    if (next === undefined) tell(`Cannot be chosen: ${typed}`, true);
    else choose(next);
    flushSync(() => setTyped((now) => (now === typed ? null : now)));
  };
  // Until the code that reads a typed moment has loaded, only the field knows the text: a submit meanwhile waits.
  const hold = async (event) => {
    const form = event.target;
    if (typed === null || form !== input.current.form) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // Submit at once: a response to what was typed would change what was shown when the form was sent.
    await commit();
    form.requestSubmit();
  };
  useListener("submit", hold, true);
  const press = (event) => {
    const isTyped = event.key === "Enter" && typed !== null;
    if (isTyped) commit();
    if (isTyped || event.key === "Escape") setPanel("");
    if (event.key === "Escape") setTyped(null);
    if (event.key === "ArrowDown") setPanel("entered");
    if (isTyped || event.key === "ArrowDown") event.preventDefault();
  };
  const clear = () => {
    choose("");
    setTyped(null);
    input.current.focus();
  };
  const close = () => {
    setPanel("");
    // The element that had the focus is gone.
    if (document.activeElement === document.body) input.current.focus({ preventScroll: true });
  };
  const leave = ({ relatedTarget }) => {
    if (relatedTarget && !field.current.contains(relatedTarget)) setPanel("");
  };
  const calendar = { field, label, chosen, ends, options, limits, onChoose: choose, onClose: close };
  return (
    // The library closes the panel on a press that reaches the document.
    <div ref={field} className="dtp-field" onFocus={load} onPointerEnter={load} onBlur={leave} onMouseDown={stay}>
      <input type="hidden" name={name} value={chosen} />
      <input
        {...attributes}
        ref={input}
        {...(problemId && { "aria-invalid": true, "aria-describedby": problemId })}
        value={text}
        // Touch users choose in the panel; an on-screen keyboard would only cover it.
        onPointerDown={(event) => {
          event.currentTarget.inputMode = event.pointerType === "touch" ? "none" : "text";
        }}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={commit}
        onKeyDown={press}
        onClick={() => setPanel((now) => now || "shown")}
      />
      <div className="dtp-buttons">
        {chosen && (
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
      <span role="status" className={told.isRefusal ? "dtp-refused" : "sr-only"}>
        {told.text}
      </span>
      <Suspense fallback={null}>{panel && <Calendar {...calendar} enter={panel === "entered"} />}</Suspense>
    </div>
  );
}
