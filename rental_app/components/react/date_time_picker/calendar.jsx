import { TZDate } from "@date-fns/tz";
import { shift } from "@floating-ui/react";
import { format, isValid, parse } from "date-fns";
import { enIN } from "date-fns/locale/en-IN";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useLayoutEffect, useState } from "react";
import DatePicker from "react-datepicker";
import { rulesFor } from "./hours.js";
import "./calendar.css";

// Dates that know India's clock: what is derived from one does too, whatever the browser's zone.
const INDIA = "Asia/Kolkata";
const SHOWN = "dd/MM/yyyy hh:mm aa";
const INSIDE = [shift({ padding: 12 })];
// Offered with a day that is chosen before any hour was.
const MORNING = "10:00";
const toDate = (moment) => new TZDate(`${moment}+05:30`, INDIA);
const toMoment = (date) => format(date, "yyyy-MM-dd'T'HH:mm");
const toDay = (date) => format(date, "yyyy-MM-dd");

/** The moment of a typed text, undefined for one that cannot be chosen. */
export function typedMoment(text, limits) {
  const typed = text.trim().toUpperCase();
  const date = parse(typed, SHOWN, TZDate.tz(INDIA));
  const isMoment = isValid(date) && format(date, SHOWN) === typed;
  return isMoment && rulesFor(limits).allows(toMoment(date)) ? toMoment(date) : undefined;
}

function panelOf(label, onDone) {
  return ({ className, children }) => (
    <div role="dialog" aria-label={`${label}: choose day and hour`} className={className}>
      <div className="dtp-title">
        {label}
        <button type="button" onClick={onDone}>
          Done
        </button>
      </div>
      {children}
    </div>
  );
}

/** Days and hours at a field; a part of its own, fetched when somebody is about to choose. */
export default function Calendar({ field, label, chosen, options, limits, enter, onChoose, onClose }) {
  const [Panel] = useState(() => panelOf(label, onClose));
  const rules = rulesFor(limits);
  useLayoutEffect(() => {
    if (enter) field.current.querySelector(".react-datepicker__day[tabindex='0']")?.focus({ preventScroll: true });
  }, [enter]);
  // A day keeps the hour chosen before, or gets the next one that is free.
  const pick = (date, event) => {
    const [day, time] = toMoment(date).split("T");
    const wanted = event && !chosen ? MORNING : time;
    const hours = rules.hoursOn(day);
    onChoose(`${day}T${hours.find((hour) => hour >= wanted) ?? hours.at(-1)}`);
  };
  return (
    <DatePicker
      {...options}
      selected={chosen ? toDate(chosen) : null}
      openToDate={toDate(rules.next)}
      minDate={toDate(rules.first)}
      maxDate={toDate(rules.last)}
      filterDate={(date) => rules.hoursOn(toDay(date)).length > 0}
      filterTime={(time) => rules.allows(toMoment(time))}
      dayClassName={(date) => (rules.isFull(toDay(date)) ? "dtp-taken" : "")}
      timeClassName={(time) => (rules.isTaken(toMoment(time)) ? "dtp-taken" : "")}
      onChange={pick}
      // Enter would go on to the field, which gets the keyboard back, and send its form.
      onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      onCalendarClose={onClose}
      timeCaption={`Hour on ${format(toDate(chosen || rules.next), "EEE d MMM")}`}
      locale={enIN}
      previousMonthButtonLabel={<ChevronLeft size={18} />}
      nextMonthButtonLabel={<ChevronRight size={18} />}
      calendarContainer={Panel}
      // The field is the picker's own; the library brings the panel.
      customInput={<input type="hidden" />}
      popperTargetRef={field}
      popperModifiers={INSIDE}
    />
  );
}
