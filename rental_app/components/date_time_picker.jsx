import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button, IconButton, Popover, TextField } from "@radix-ui/themes";
import DatePicker from "react-datepicker";
import {
  clockName, dayName, display, firstOpenDay, isWall, monthName, parseTyped, rulesFor, toDay, toNoon,
} from "./date_time_rules.js";
import "./date_time_picker.css";

function Icon({ path }) {
  return (
    <svg width="18" height="18" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2"
      strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

const CALENDAR = "M8 2v4M16 2v4M3 10h18M5 4h14a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z";
const CROSS = "M18 6 6 18M6 6l12 12";
const BACK = "m15 18-6-6 6-6";
const ON = "m9 18 6-6-6-6";

function MonthStep({ name, path, blocked, onStep }) {
  // aria-disabled instead of disabled: at the last month the button keeps the keyboard's focus.
  return (
    <button type="button" className="dtp-step" aria-label={name} aria-disabled={blocked}
      onClick={blocked ? undefined : onStep}>
      <Icon path={path} />
    </button>
  );
}

function MonthHeader({ date, decreaseMonth, increaseMonth, prevMonthButtonDisabled, nextMonthButtonDisabled }) {
  return (
    <div className="dtp-month">
      <MonthStep name="Previous month" path={BACK} blocked={prevMonthButtonDisabled} onStep={decreaseMonth} />
      <span aria-live="polite">{monthName(date)}</span>
      <MonthStep name="Next month" path={ON} blocked={nextMonthButtonDisabled} onStep={increaseMonth} />
    </div>
  );
}

function Days({ day, rules, onPick }) {
  const isOpen = (date) => rules.hoursOn(toDay(date)).length > 0;
  // The library calls the browser's day "today", but India's may be another, and it names a day "21st",
  // which is not the number to be seen.
  const dress = (date) => (content) => {
    const cell = content?.parentElement;
    cell?.setAttribute("aria-label", `${isOpen(date) ? "Choose" : "Not available:"} ${dayName(toDay(date))}`);
    if (toDay(date) === rules.today) cell?.setAttribute("aria-current", "date");
    else cell?.removeAttribute("aria-current");
  };
  return (
    <DatePicker inline selected={day ? toNoon(day) : null} openToDate={toNoon(day || firstOpenDay(rules))}
      onChange={(date) => onPick(toDay(date))} shouldCloseOnSelect={false}
      minDate={toNoon(rules.first.slice(0, 10))} maxDate={toNoon(rules.last.slice(0, 10))}
      filterDate={isOpen}
      renderDayContents={(number, date) => <span ref={dress(date)}>{number}</span>}
      renderCustomHeader={MonthHeader} />
  );
}

function moveFocus(event) {
  const options = [...event.currentTarget.children];
  const at = options.indexOf(event.target);
  const target = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (target === undefined) return;
  event.preventDefault();
  options.at(target % options.length)?.focus();
}

function Hours({ day, hours, time, onPick }) {
  const list = useRef(null);
  const reachable = hours.includes(time) ? time : hours[0];
  useLayoutEffect(() => {
    const chosen = list.current?.querySelector("[tabindex='0']");
    if (chosen) list.current.scrollTop = chosen.offsetTop - list.current.clientHeight / 2 + chosen.offsetHeight / 2;
  }, [day]);
  const press = (event, hour) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onPick(hour);
  };
  if (!day) return <p className="dtp-hint">Choose a day to see its hours</p>;
  if (hours.length === 0) return <p className="dtp-hint">No hour is free on this day</p>;
  return (
    <ul ref={list} role="listbox" aria-label={`Hour on ${dayName(day)}`} className="dtp-hours" onKeyDown={moveFocus}>
      {hours.map((hour) => (
        <li key={hour} role="option" aria-selected={hour === time} tabIndex={hour === reachable ? 0 : -1}
          onClick={() => onPick(hour)} onKeyDown={(event) => press(event, hour)}>
          {clockName(hour)}
        </li>
      ))}
    </ul>
  );
}

function Panel({ label, chosen, rules, onChoose, onDone }) {
  const [day, setDay] = useState(chosen.slice(0, 10));
  const time = chosen.slice(11);
  useEffect(() => setDay(chosen.slice(0, 10)), [chosen]);
  const pickDay = (next) => {
    setDay(next);
    if (rules.allows(`${next}T${time}`)) onChoose(`${next}T${time}`);
  };
  const pickHour = (hour) => {
    onChoose(`${day}T${hour}`);
    onDone();
  };
  return (
    <div className="dtp-panel">
      <div className="dtp-title">
        <span>{label}</span>
        <Button size="3" variant="soft" highContrast onClick={onDone}>Done</Button>
      </div>
      <Days day={day} rules={rules} onPick={pickDay} />
      <div className="dtp-side">
        <p className="dtp-day">{day ? dayName(day, true) : "Hour"}</p>
        <Hours day={day} hours={day ? rules.hoursOn(day) : []} onPick={pickHour}
          time={day === chosen.slice(0, 10) ? time : ""} />
      </div>
    </div>
  );
}

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

function FieldButton({ name, path, ...props }) {
  return (
    <IconButton type="button" variant="ghost" color="gray" size="2" aria-label={name} {...props}>
      <Icon path={path} />
    </IconButton>
  );
}

export function DateTimePicker({ id, label, value, onChange, placeholder, invalid, describedBy, ...limits }) {
  const [chosen, choose] = useChosen(value, onChange);
  const [typed, setTyped] = useState(null);
  const [notice, setNotice] = useState("");
  const [open, setOpen] = useState(false);
  const field = useRef(null);
  const input = useRef(null);
  const panel = useRef(null);
  const opening = useRef({ from: null, enter: false });
  const rules = rulesFor(limits);

  const focusDay = () => panel.current?.querySelector(".react-datepicker__day[tabindex='0']")?.focus();
  const show = (from, enter) => {
    opening.current = { from, enter };
    setOpen(true);
  };
  const close = () => {
    if (panel.current?.contains(document.activeElement)) opening.current.from.focus({ preventScroll: true });
    setOpen(false);
  };
  const commit = () => {
    if (typed === null) return;
    const next = typed.trim() === "" ? "" : parseTyped(typed);
    const fits = next === "" || (next !== undefined && rules.allows(next));
    if (fits) choose(next);
    setNotice(fits ? "" : `${typed} cannot be chosen`);
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
    choose("");
    setTyped(null);
    input.current.focus();
  };
  const enter = (event) => {
    event.preventDefault();
    if (opening.current.enter) focusDay();
  };
  const stay = (event) => {
    if (field.current.contains(event.target)) event.preventDefault();
  };

  return (
    <Popover.Root open={open} onOpenChange={(next) => !next && close()}>
      <div ref={field} className="dtp-field" data-invalid={invalid || undefined}>
        <Popover.Anchor className="dtp-anchor" />
        <TextField.Root ref={input} id={id} size="3" autoComplete="off" spellCheck={false} placeholder={placeholder}
          // A touch screen chooses in the panel; its keyboard would only cover it.
          inputMode={matchMedia("(pointer: coarse)").matches ? "none" : "text"}
          aria-invalid={invalid || undefined} aria-describedby={describedBy || undefined}
          value={typed ?? display(chosen)} onChange={(event) => setTyped(event.target.value)}
          onBlur={commit} onKeyDown={typing} onClick={() => !open && show(input.current, false)}>
          <TextField.Slot side="right">
            {chosen && <FieldButton name={`Clear ${label}`} path={CROSS} onClick={clear} />}
            <FieldButton name={`Open calendar for ${label}`} path={CALENDAR} aria-haspopup="dialog" aria-expanded={open}
              onClick={(event) => (open ? close() : show(event.currentTarget, true))} />
          </TextField.Slot>
        </TextField.Root>
        <span role="status" className="dtp-notice">{notice}</span>
      </div>
      <Popover.Content ref={panel} size="1" maxWidth="none" className="dtp-content"
        aria-label={`${label}: choose day and hour`} onOpenAutoFocus={enter}
        onCloseAutoFocus={(event) => event.preventDefault()} onInteractOutside={stay}>
        <Panel label={label} chosen={chosen} rules={rules} onChoose={choose} onDone={close} />
      </Popover.Content>
    </Popover.Root>
  );
}
