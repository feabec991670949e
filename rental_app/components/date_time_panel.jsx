import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button, Popover } from "@radix-ui/themes";
import "$/styles/radix.css";
import DatePicker from "react-datepicker";
import { Icon } from "./date_time_icon.jsx";
import { clockName, dayName, firstOpenDay, monthName, rulesFor, toDay, toNoon } from "./date_time_rules.js";
import "./date_time_panel.css";

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

function Choice({ label, chosen, rules, onChoose, onDone }) {
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
        <p className="dtp-day" aria-live="polite">{day ? dayName(day, true) : "Hour"}</p>
        <Hours day={day} hours={day ? rules.hoursOn(day) : []} onPick={pickHour}
          time={day === chosen.slice(0, 10) ? time : ""} />
      </div>
    </div>
  );
}

/** Days and hours in a popover at the field; a part of its own, fetched when somebody is about to open it. */
export default function Panel({ open, field, panel, label, chosen, limits, onChoose, onClose, onEnter }) {
  const stay = (event) => {
    if (field.current.contains(event.target)) event.preventDefault();
  };
  return (
    <Popover.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Popover.Anchor virtualRef={field} />
      <Popover.Content ref={panel} size="1" maxWidth="none" className="dtp-content"
        aria-label={`${label}: choose day and hour`} onOpenAutoFocus={onEnter}
        onCloseAutoFocus={(event) => event.preventDefault()} onInteractOutside={stay}>
        <Choice label={label} chosen={chosen} rules={rulesFor(limits)} onChoose={onChoose} onDone={onClose} />
      </Popover.Content>
    </Popover.Root>
  );
}
