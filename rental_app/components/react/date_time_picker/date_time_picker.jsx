import { CalendarDays, X } from "lucide-react";
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useListener } from "../listen.js";
import { patient } from "../patient.js";

const load = patient(() => import("./calendar.jsx"));
const Calendar = lazy(load);
const stay = (event) => event.stopPropagation();
// What is half typed, by field and page of the history: a server that was restarted has forgotten what the field is of.
const halves = {};

/** "21/11/2026 10:00 PM" for "2026-11-21T22:00", "" for what is no moment. */
function display(moment) {
  const [, year, month, day, hour, minute] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)$/.exec(moment) ?? [];
  const clock = `${String(Number(hour) % 12 || 12).padStart(2, "0")}:${minute} ${hour < "12" ? "AM" : "PM"}`;
  return year ? `${day}/${month}/${year} ${clock}` : "";
}

/** A field for a moment of Indian wall-clock text, typed or chosen in a calendar that is fetched at the first touch. */
export function DateTimePicker({ label, name, value, onChange, problemId, ends, options, limits, ...attributes }) {
  const place = `${attributes.id} ${globalThis.history?.state?.key}`;
  const [chosen, setChosen] = useState(value);
  const [typed, setTyped] = useState(halves[place] ?? null);
  const [told, setTold] = useState({ text: "", isRefusal: false });
  // "shown", or "entered" when the keyboard goes in.
  const [panel, setPanel] = useState("");
  const field = useRef(null);
  const input = useRef(null);
  // Shown at once, and corrected by whatever the owner of the value answers.
  useEffect(() => setChosen(value), [value]);
  useEffect(() => {
    halves[place] = typed;
  }, [typed]);
  useEffect(() => {
    if (typed !== null && document.activeElement === document.body) input.current.focus({ preventScroll: true });
  }, []);
  const text = typed ?? display(chosen);
  // What arrives where somebody is about to type is typed over, not added to.
  useLayoutEffect(() => {
    if (typed === null && document.activeElement === input.current) input.current.select();
  }, [text]);

  // What was refused is not sent, until its field is left once more with what stands there instead.
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
  // Until what reads a typed moment has come, nobody but the field knows of it: what is sent meanwhile waits.
  const hold = async (event) => {
    const form = event.target;
    if (typed === null || form !== input.current.form) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // At once: an answer to what was typed would change what was on show when the form was sent.
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
    // What had the keyboard is gone.
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
        // A finger chooses in the panel; a keyboard on the screen would only cover it.
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
