// React's calendar in India's time zone: Reflex has none that reads and offers single hours.
import { TZDate } from "@date-fns/tz";
import { shift } from "@floating-ui/react";
import { format } from "date-fns";
import { enIN } from "date-fns/locale/en-IN";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { createContext, useContext, useLayoutEffect, useState } from "react";
import DatePicker from "react-datepicker";
import { useEntry } from "../modal/dialogs.js";
import { rulesFor } from "./hours.js";
import "./calendar.css";

export { judge } from "./typed.js";

// Dates in India's time zone: those derived from one are too, whatever the browser's zone.
const INDIA = "Asia/Kolkata";
const SHOWN = "dd/MM/yyyy hh:mm aa";
const INSIDE = [shift({ padding: 12 })];
const toDate = (moment) => new TZDate(`${moment}+05:30`, INDIA);
const toMoment = (date) => format(date, "yyyy-MM-dd'T'HH:mm");
const toDay = (date) => format(date, "yyyy-MM-dd");
const shown = (moment, pattern) => (moment ? format(toDate(moment), pattern) : "");
const Ends = createContext([]);
// As in calendar.css.
const isSheet = () => window.matchMedia("(max-width: 540px)").matches;

/** Turns a phone's sheet to another end, the field of this id. */
function turnTo(id) {
  const other = document.getElementById(id);
  // No on-screen keyboard; leaving our field closes our panel.
  other.inputMode = "none";
  other.focus({ preventScroll: true });
  other.click();
}

/** Both ends of a rental, to switch from one to the other; only on a phone, where they look like one sheet. */
function EndTabs({ label }) {
  const ends = useContext(Ends);
  return (isSheet() ? ends : []).map((end) => (
    <button key={end.id} type="button" aria-pressed={end.label === label} onClick={() => turnTo(end.id)}>
      <span>{end.label}</span>
      <strong>{shown(end.value, "EEE d MMM, h aa") || "Choose"}</strong>
      <span>{shown(end.value, SHOWN)}</span>
    </button>
  ));
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
      <div className="dtp-ends">
        <EndTabs label={label} />
      </div>
      {children}
    </div>
  );
}

/** Days and hours at a field; a separate module, loaded when somebody is about to choose. */
export default function Calendar({
  field,
  label,
  chosen,
  hour,
  proposed,
  ends,
  options,
  limits,
  enter,
  onChoose,
  onClose,
}) {
  const [Panel] = useState(() => panelOf(label, onClose));
  const rules = rulesFor(limits);
  // A panel that covers most of a phone's screen is closed by Back.
  useEntry(isSheet(), onClose);
  useLayoutEffect(() => {
    if (enter) field.current.querySelector(".react-datepicker__day[tabindex='0']")?.focus({ preventScroll: true });
  }, [enter]);
  // A day keeps the hour chosen before, or gets the next one that is free. At night the hour proposed is one at which
  // nobody is open.
  const pick = (date, event) => {
    const [day, time] = toMoment(date).split("T");
    onChoose(`${day}T${rules.hourOn(day, event && (proposed || !chosen) ? hour : time)}`);
    // The first press is the start, the second the end; hours come after both.
    if (event && ends[0]?.label === label && isSheet()) turnTo(ends[1].id);
  };
  // A moment chosen earlier may have passed, or be too early by now.
  const isOffered = chosen >= rules.first.slice(0, 10) && chosen <= rules.last;
  const now = ends.map((end) => (end.label === label ? { ...end, value: chosen } : end));
  return (
    <Ends value={now}>
      <DatePicker
        {...options}
        selected={chosen ? toDate(chosen) : null}
        openToDate={toDate(isOffered ? chosen : rules.next)}
        minDate={toDate(rules.first)}
        maxDate={toDate(rules.last)}
        filterDate={(date) => rules.hoursOn(toDay(date)).length > 0}
        filterTime={(time) => rules.allows(toMoment(time))}
        dayClassName={(date) => (rules.isFull(toDay(date)) ? "dtp-taken" : "")}
        timeClassName={(time) => (rules.isTaken(toMoment(time)) ? "dtp-taken" : "")}
        onChange={pick}
        // A panel for both ends stays open until the user is done with it.
        shouldCloseOnSelect={!ends.length || !isSheet()}
        // Enter would reach the field, which gets the focus back, and submit its form.
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        onCalendarClose={onClose}
        timeCaption={`Hour on ${format(toDate(chosen || rules.next), "EEE d MMM")}`}
        locale={enIN}
        previousMonthButtonLabel={<ChevronLeft size={18} />}
        nextMonthButtonLabel={<ChevronRight size={18} />}
        calendarContainer={Panel}
        // The field is the picker's own; the library only provides the panel.
        customInput={<input type="hidden" />}
        popperTargetRef={field}
        popperModifiers={INSIDE}
      />
    </Ends>
  );
}
