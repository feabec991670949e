// Days and hours of both ends of a rental in one panel: Reflex and Radix have no such calendar.
import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { memo, useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { useListener } from "../listen.js";
import { useEntry } from "../modal/dialogs.js";
import {
  addDays,
  fullName,
  hourName,
  monthAfter,
  monthName,
  monthsBetween,
  sameDayAfter,
  shortName,
  WEEK,
  weekStart,
  weeksOf,
} from "./days.js";
import { display } from "./display.js";
import { HOURS, rulesFor } from "./hours.js";
import "./calendar.css";

export { learnTime } from "./clock.js";
export { judge } from "./typed.js";

// Most people ride by day: the hours begin with this one, earlier ones come last.
const MORNING = "08:00";
const EDGE = 12;
// What sticks to the top of the window, as in site.css.
const BAR = 80;
// As in calendar.css.
const isSheet = () => window.matchMedia("(max-width: 640px)").matches;
const dayOf = (moment) => moment.slice(0, 10);
const timeOf = (moment) => moment.slice(11);

/** What a day is, for the eye and the ear; "" for one that can be chosen. */
function stateOf(day, rules) {
  if (rules.isFree(day)) return "";
  if (rules.isClosed(day) && day >= dayOf(rules.first) && day <= dayOf(rules.last)) return "closed";
  return rules.isFull(day) ? "taken" : "not available";
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** Where a key leads from a day; undefined for other keys. */
function reached(key, day) {
  if (key in STEPS) return addDays(day, STEPS[key]);
  if (key === "Home") return weekStart(day);
  if (key === "End") return addDays(weekStart(day), 6);
  if (key === "PageUp" || key === "PageDown") return sameDayAfter(day, key === "PageUp" ? -1 : 1);
  return undefined;
}

function DrawnDay({ day, state, isEnd, isFirst, isLast, isInside, isFocus, isToday }) {
  const look = `dtp-day ${state ? `dtp-${state.replace(" ", "-")}` : ""} ${isInside ? "dtp-inside" : ""}`;
  return (
    <button
      type="button"
      data-day={day}
      tabIndex={isFocus ? 0 : -1}
      className={look}
      data-end={isEnd || undefined}
      data-first={isFirst || undefined}
      data-last={isLast || undefined}
      aria-label={fullName(day) + (state && `, ${state}`)}
      aria-pressed={isEnd}
      aria-current={isToday ? "date" : undefined}
      aria-disabled={state !== ""}
    >
      <span>{Number(day.slice(8))}</span>
    </button>
  );
}

// A phone shows a season of them: those that a tap does not change are not drawn again.
const Day = memo(DrawnDay);

/** The columns' names; each day says its own. */
const WeekDays = () => (
  <div className="dtp-week dtp-names" aria-hidden="true">
    {WEEK.map((name) => (
      <span key={name}>{name}</span>
    ))}
  </div>
);

function Month({ month, rules, chosen, span, focus, today }) {
  const named = useId();
  const isInside = (day) => Boolean(span.to) && day >= span.from && day <= span.to;
  return (
    <div className="dtp-month">
      <h3 id={named}>{monthName(month)}</h3>
      <fieldset aria-labelledby={named}>
        <WeekDays />
        {weeksOf(month).map((week) => (
          <div key={week.join()} className="dtp-week">
            {week.map((day, at) =>
              day ? (
                <Day
                  key={day}
                  day={day}
                  state={stateOf(day, rules)}
                  isEnd={day === chosen || day === span.from || day === span.to}
                  isFirst={day === span.from}
                  isLast={day === span.to}
                  isInside={isInside(day)}
                  isFocus={day === focus}
                  isToday={day === today}
                />
              ) : (
                <span key={WEEK[at]} />
              ),
            )}
          </div>
        ))}
      </fieldset>
    </div>
  );
}

/** The hours of a day, the morning first; those that cannot be had are struck out. */
function Hours({ day, time, rules, isEarly, label, onPick }) {
  const open = rules.hoursOn(day);
  // Only where somebody says that they open so early.
  const early = isEarly ? HOURS.filter((hour) => hour < MORNING && open.includes(hour)) : [];
  const named = useId();
  const begun = time && `${time.slice(0, 2)}:00`;
  const reach = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -6, ArrowDown: 6 }[event.key];
    if (!by) return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll("[role=option]:not([aria-disabled=true])")];
    all[Math.min(Math.max(all.indexOf(event.target) + by, 0), all.length - 1)]?.focus();
  };
  const hour = (each) => {
    const isOpen = open.includes(each);
    const why = rules.isTaken(`${day}T${each}`) ? "taken" : "closed";
    return (
      <button
        key={each}
        type="button"
        role="option"
        className="dtp-hour"
        aria-selected={each === begun}
        aria-disabled={!isOpen}
        aria-label={hourName(each) + (isOpen ? "" : `, ${why}`)}
        tabIndex={each === begun || (!open.includes(begun) && each === open[0]) ? 0 : -1}
        onClick={() => isOpen && onPick(each)}
      >
        {hourName(each)}
      </button>
    );
  };
  return (
    <div className="dtp-times">
      <h3 id={named}>
        {label} <span>{shortName(day)}</span>
      </h3>
      <div role="listbox" aria-labelledby={named} onKeyDown={reach}>
        {HOURS.filter((each) => each >= MORNING).map(hour)}
        {early.length > 0 && <span className="dtp-early">Earlier</span>}
        {early.map(hour)}
      </div>
    </div>
  );
}

/** Further minutes of the hour that was chosen. */
function Minutes({ moment, rules, onPick }) {
  const all = Array.from({ length: 60 }, (_, minute) => `${moment.slice(0, 14)}${String(minute).padStart(2, "0")}`);
  const open = all.filter((each) => !rules.complaint(each));
  return (
    <label className="dtp-minutes">
      Minutes
      <select className="dtp-select" value={moment} onChange={(event) => onPick(event.target.value)}>
        {open.map((each) => (
          <option key={each} value={each}>
            {each.slice(14)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Papers and their dates are years apart: too many months to turn. */
function Year({ view, rules, onPick }) {
  const from = Number(rules.first.slice(0, 4));
  const years = Array.from({ length: Number(rules.last.slice(0, 4)) - from + 1 }, (_, at) => String(from + at));
  return (
    <select
      aria-label="Year"
      className="dtp-select"
      value={view.slice(0, 4)}
      onChange={(event) => onPick(`${event.target.value}${view.slice(4)}`)}
    >
      {years.map((year) => (
        <option key={year}>{year}</option>
      ))}
    </select>
  );
}

function Ends({ ends, active, onTurn }) {
  return (
    <div className="dtp-ends">
      {ends.map((end) => (
        <button key={end.id} type="button" aria-pressed={end.id === active} onClick={() => onTurn(end.id)}>
          <span>{end.label}</span>
          <strong>{display(end.chosen) || "Choose a day"}</strong>
        </button>
      ))}
    </div>
  );
}

/** The left edge of a panel of a width beside its field; undefined if there is no room for it. */
function beside(field, width) {
  const left = field.left - EDGE - width;
  const right = field.right + EDGE;
  if (left >= EDGE) return left;
  return right <= widest(width) ? right : undefined;
}

const widest = (width) => document.documentElement.clientWidth - EDGE - width;

/**
 * Keeps a panel inside the window without covering its field, which may be typed into: below it, else beside it, else
 * the page moves up as it opens. Only in a window too low for both is the field covered.
 */
function useInside(panel) {
  const isOpening = useRef(true);
  // A window that is resized, or a phone that is turned, has other room.
  const [, lookAgain] = useState(0);
  useListener("resize", () => lookAgain((times) => times + 1));
  useLayoutEffect(() => {
    const field = panel.current.parentElement.getBoundingClientRect();
    const { style } = panel.current;
    style.cssText = "";
    // A dialog would cut off what lies over its edge.
    if (panel.current.parentElement.closest("[role=dialog]")) {
      panel.current.popover = "manual";
      panel.current.showPopover();
      if (!isSheet()) style.cssText = `position: fixed; top: ${field.bottom + 8}px; left: ${field.left}px`;
    }
    if (isSheet()) return;
    const lowest = window.innerHeight - EDGE;
    const measured = () => panel.current.getBoundingClientRect();
    const { left, width, bottom } = measured();
    const aside = bottom > lowest ? beside(field, width) : undefined;
    const missing = Math.min(bottom - lowest, field.top - BAR);
    if (isOpening.current && aside === undefined && missing > 0) window.scrollBy({ top: missing, behavior: "instant" });
    isOpening.current = false;
    const across = (aside ?? Math.max(EDGE, Math.min(left, widest(width)))) - left;
    const box = measured();
    const up = Math.min(Math.max(0, box.bottom - lowest), Math.max(0, box.top - EDGE));
    style.translate = `${across}px ${-up}px`;
  });
}

/** Days and hours at a field; a separate module, loaded when somebody is about to choose. */
export default function Calendar({ store, id, label, ends, asks, summary, note, enter, onClose }) {
  const fields = useSyncExternalStore(
    (listener) => {
      store.listeners.add(listener);
      return () => store.listeners.delete(listener);
    },
    () => store.fields,
  );
  const panel = useRef(null);
  const [active, setActive] = useState(id);
  const field = fields[active];
  const isSecond = ends.length > 1 && active === ends[1].id;
  const pickup = isSecond ? (fields[ends[0].id]?.chosen ?? "") : "";
  // The server says the same, but later than somebody may press.
  const earliest = pickup && { notBefore: `${addDays(dayOf(pickup), 1)}T${timeOf(pickup)}` };
  const rules = rulesFor({ ...field?.limits, ...earliest });
  const chosen = dayOf(field?.chosen ?? "");
  const start = chosen || dayOf(rules.next);
  const [focus, setFocus] = useState(start);
  const [view, setView] = useState(monthAfter(start, 0));
  const moved = useRef(false);
  const both = ends.map((end) => ({ ...end, chosen: fields[end.id]?.chosen ?? end.value }));
  const isRange = both.length > 1;
  const { days: isDay, minutes: hasMinutes } = field?.limits ?? {};
  // The months of some weeks; those of many years are turned.
  const scrolls = isSheet() && !isDay;
  useInside(panel);
  // A panel that covers most of a phone's screen is closed by Back.
  useEntry(isSheet(), onClose);
  const show = (day, isFocused) => {
    const cell = panel.current?.querySelector(`[data-day='${day}']`);
    if (isFocused) cell?.focus({ preventScroll: true });
    if (isSheet()) cell?.scrollIntoView({ block: "nearest" });
  };
  useLayoutEffect(() => {
    const days = panel.current.querySelector(".dtp-months");
    const cell = panel.current.querySelector(`[data-day='${start}']`);
    // The week of the field, below the names that stay.
    if (isSheet() && cell) days.scrollTop += cell.getBoundingClientRect().top - days.getBoundingClientRect().top - 40;
  }, []);
  useLayoutEffect(() => {
    if (enter) show(focus, true);
  }, [enter]);
  useLayoutEffect(() => {
    if (moved.current) show(focus, true);
    moved.current = false;
  }, [focus, view]);
  // A press beside the panel and its field leaves it.
  useListener("mousedown", (event) => !panel.current.parentElement.contains(event.target) && onClose());
  if (!field) return <div ref={panel} className="dtp-panel" />;

  const turn = (to) => {
    setActive(to);
    const day = dayOf(fields[to]?.chosen ?? "");
    if (day) setFocus(day);
  };
  const pick = ({ target }) => {
    const cell = target.closest("[data-day][aria-disabled=false]");
    if (!cell) return;
    const { day } = cell.dataset;
    const wanted = (!field.isPreset && timeOf(field.chosen)) || timeOf(pickup) || field.hour;
    field.pick(rules.momentOn(day, wanted));
    setFocus(day);
    if (isDay) onClose();
    if (isRange && active === ends[0].id) setActive(ends[1].id);
  };
  const pickHour = (time) => {
    field.pick(`${chosen || start}T${time}`);
    // The panel of a single moment has nothing else to ask.
    if (!isRange && !hasMinutes) onClose();
  };
  const reach = (event) => {
    const day = event.target.dataset.day && reached(event.key, event.target.dataset.day);
    if (!day) return;
    event.preventDefault();
    // Between the two others, as texts.
    const inside = [monthAfter(dayOf(rules.first), 0), day, dayOf(rules.last)].sort()[1];
    moved.current = true;
    setFocus(inside);
    if (!shownMonths().includes(monthAfter(inside, 0))) setView(monthAfter(inside, inside < view || !isRange ? 0 : -1));
  };
  const shownMonths = () => {
    if (scrolls) return monthsBetween([view, dayOf(rules.first)].sort()[0], dayOf(rules.last));
    return isRange ? [view, monthAfter(view, 1)] : [view];
  };
  const months = shownMonths();
  const seen = months.includes(monthAfter(focus, 0)) ? focus : months[0];
  const span = isRange ? { from: dayOf(both[0].chosen), to: dayOf(both[1].chosen) } : { from: "", to: "" };
  const clear = () => {
    for (const end of both) fields[end.id]?.pick("");
    setActive(ends[0].id);
  };
  const remove = () => {
    field.pick("");
    onClose();
  };
  const turnMonth = (by) => setView(monthAfter(view, by));
  const missing = isRange && both.find((end) => !end.chosen);
  const title = isRange ? asks : `${label}: choose ${isDay ? "a day" : "day and hour"}`;
  return (
    <>
      <div className="dtp-scrim" aria-hidden="true" onClick={onClose} />
      <div
        ref={panel}
        role="dialog"
        aria-label={title}
        className={`dtp-panel ${isRange ? "dtp-range" : ""} ${isDay ? "dtp-days" : ""}`}
      >
        <div className="dtp-title">
          <h2>{isRange ? asks : label}</h2>
          {isDay && <Year view={view} rules={rules} onPick={setView} />}
          <button type="button" className="dtp-round" aria-label="Close" onClick={onClose}>
            <X size={20} aria-hidden="true" />
          </button>
        </div>
        {isRange && <Ends ends={both} active={active} onTurn={turn} />}
        {/* Where the months scroll, below them. */}
        <WeekDays />
        <div className="dtp-months" onClick={pick} onKeyDown={reach}>
          {!scrolls && (
            <div className="dtp-turns">
              <button
                type="button"
                className="dtp-round"
                aria-label="Previous month"
                aria-disabled={view <= monthAfter(dayOf(rules.first), 0)}
                onClick={() => view > monthAfter(dayOf(rules.first), 0) && turnMonth(-1)}
              >
                <ChevronLeft size={18} aria-hidden="true" />
              </button>
              <button
                type="button"
                className="dtp-round"
                aria-label="Next month"
                aria-disabled={months.at(-1) >= monthAfter(dayOf(rules.last), 0)}
                onClick={() => months.at(-1) < monthAfter(dayOf(rules.last), 0) && turnMonth(1)}
              >
                <ChevronRight size={18} aria-hidden="true" />
              </button>
            </div>
          )}
          {months.map((month) => (
            <Month
              key={month}
              month={month}
              rules={rules}
              chosen={chosen}
              span={span}
              focus={seen}
              today={dayOf(rules.today)}
            />
          ))}
        </div>
        {isDay && field.chosen && (
          <button type="button" className="dtp-clear" onClick={remove}>
            Clear
          </button>
        )}
        {!isDay && (
          <>
            <div className="dtp-legend" aria-hidden="true">
              <span className="dtp-taken">4</span> taken <i /> closed: no pickup or return
            </div>
            <Hours
              day={chosen || start}
              time={timeOf(field.chosen)}
              rules={rules}
              isEarly={Boolean(field.limits.openTime || hasMinutes)}
              label={isRange ? `${both.find((end) => end.id === active)?.label ?? label} hour` : "Hour"}
              onPick={pickHour}
            />
            {hasMinutes && field.chosen && <Minutes moment={field.chosen} rules={rules} onPick={field.pick} />}
            <div className="dtp-foot">
              {(summary || missing) && (
                <p role="status">{missing ? `Choose a ${missing.label.toLowerCase()} day` : summary}</p>
              )}
              {note && (
                <p role="status" className="dtp-note">
                  {note}
                </p>
              )}
              <div>
                {isRange && (
                  <button type="button" className="dtp-clear" onClick={clear}>
                    Clear
                  </button>
                )}
                <button type="button" className="dtp-done" disabled={Boolean(missing)} onClick={onClose}>
                  {isRange ? "Use these dates" : "Done"}
                </button>
              </div>
            </div>
          </>
        )}
      </div>
    </>
  );
}
