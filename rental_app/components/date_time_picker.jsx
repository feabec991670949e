import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Icon } from "./date_time_icon.jsx";
import { display, isWall, parseTyped, rulesFor } from "./date_time_rules.js";

const loadPanel = () => import("./date_time_panel.jsx");
const Panel = lazy(loadPanel);
const CALENDAR = "M8 2v4M16 2v4M3 10h18M5 4h14a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z";
const CROSS = "M18 6 6 18M6 6l12 12";

/** The chosen text, shown at once and corrected by whatever the owner of the value answers. */
function useChosen(value, onChange) {
  const given = isWall(value) ? value : "";
  const [chosen, setChosen] = useState(given);
  useEffect(() => setChosen(given), [given]);
  const choose = (next) => {
    if (next === chosen) return;
    setChosen(next);
    onChange?.(next);
  };
  return [chosen, choose];
}

/** Whether fingers do the choosing; known in the browser only. */
function useTouch() {
  const [touch, setTouch] = useState(false);
  useEffect(() => setTouch(matchMedia("(pointer: coarse)").matches), []);
  return touch;
}

function FieldButton({ name, path, ...props }) {
  return (
    <button type="button" className="dtp-button" aria-label={name} {...props}>
      <Icon path={path} />
    </button>
  );
}

export function DateTimePicker({ id, label, value, onChange, placeholder, problemId, className, ...limits }) {
  const [chosen, choose] = useChosen(value, onChange);
  const [typed, setTyped] = useState(null);
  const [notice, setNotice] = useState("");
  const [refused, setRefused] = useState(false);
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const touch = useTouch();
  const field = useRef(null);
  const input = useRef(null);
  const panel = useRef(null);
  const opening = useRef({ from: null, enter: false });

  const pick = (next) => {
    choose(next);
    setRefused(false);
    setNotice(next ? `${label}: ${display(next)}` : `${label} cleared`);
  };
  const focusDay = () => panel.current?.querySelector(".react-datepicker__day[tabindex='0']")?.focus();
  const show = (from, enter) => {
    opening.current = { from, enter };
    setWanted(true);
    setOpen(true);
  };
  const close = () => {
    if (panel.current?.contains(document.activeElement)) opening.current.from.focus({ preventScroll: true });
    setOpen(false);
  };
  const commit = () => {
    if (typed === null) return;
    const next = typed.trim() === "" ? "" : parseTyped(typed);
    const fits = next === "" || (next !== undefined && rulesFor(limits).allows(next));
    if (fits) pick(next);
    else setNotice(`${typed} cannot be chosen`);
    setRefused(!fits);
    setTyped(null);
  };
  const typing = (event) => {
    if (event.key === "Escape") setTyped(null);
    if (event.key === "ArrowDown") {
      event.preventDefault();
      if (open) focusDay();
      else show(input.current, true);
    }
    if (event.key === "Enter" && typed !== null) {
      event.preventDefault();
      commit();
      setOpen(false);
    }
  };
  const clear = () => {
    pick("");
    setTyped(null);
    input.current.focus();
  };
  const enter = (event) => {
    event.preventDefault();
    if (opening.current.enter) focusDay();
  };
  return (
    <div ref={field} className="dtp-field" onFocus={loadPanel} onPointerEnter={loadPanel}>
      <input ref={input} id={id} className={className} autoComplete="off" spellCheck={false} placeholder={placeholder}
        // A touch screen chooses in the panel; its keyboard would only cover it.
        inputMode={touch ? "none" : "text"} aria-invalid={problemId ? true : undefined} aria-describedby={problemId || undefined}
        value={typed ?? display(chosen)} onChange={(event) => setTyped(event.target.value)}
        onBlur={commit} onKeyDown={typing} onClick={() => !open && show(input.current, false)} />
      <div className="dtp-buttons">
        {chosen && <FieldButton name={`Clear ${label}`} path={CROSS} onClick={clear} />}
        <FieldButton name={`Open calendar for ${label}`} path={CALENDAR} aria-haspopup="dialog" aria-expanded={open}
          onClick={(event) => (open ? close() : show(event.currentTarget, true))} />
      </div>
      <span role="status" className={refused ? "dtp-refused" : "dtp-notice"}>{notice}</span>
      {wanted && (
        <Suspense fallback={null}>
          <Panel open={open} field={field} panel={panel} label={label} chosen={chosen} limits={limits}
            onChoose={pick} onClose={close} onEnter={enter} />
        </Suspense>
      )}
    </div>
  );
}
