// The calendar asks for each day and hour that it draws; tested in javascript/test.
import { now as instant } from "./clock.js";
import { addDays, weekday } from "./days.js";
import { display } from "./display.js";

// A moment is Indian wall-clock text, "YYYY-MM-DDTHH:MM", read as if it were UTC; such texts sort as strings.
const HOUR = 3_600_000;
const INDIAN_OFFSET = 5.5 * HOUR;
export const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);

const toMs = (moment) => Date.parse(`${moment}Z`);
const toMoment = (ms) => new Date(ms).toISOString().slice(0, 16);

const outside = (moment, first, last) => {
  if (moment < first) return `Not before ${display(first)}`;
  return moment > last ? `Not after ${display(last)}` : "";
};

/** The rules of a field for days alone: it takes any from the first to the last. */
function dayRules({ firstDay, lastDay }) {
  const first = firstDay || "2000-01-01";
  const last = lastDay || "2099-12-31";
  const today = toMoment(instant() + INDIAN_OFFSET).slice(0, 10);
  return {
    first,
    last,
    today,
    next: [first, today, last].sort()[1],
    isFree: (day) => !outside(day, first, last),
    momentOn: (day) => day,
    complaint: (day) => outside(day, first, last),
    isFull: () => false,
    isClosed: () => false,
  };
}

/** What may be chosen right now in a field with these limits: days, or days with their hours. */
export const rulesFor = (limits) => (limits.days ? dayRules(limits) : hourRules(limits));

/**
 * The opening hours between the first and the last moment that are not taken; with `minutes`, any minute there.
 * `complaint` says why a moment may not be chosen, "" if it may; `momentOn` is the first of a day from the wanted hour on.
 */
function hourRules(limits) {
  const { notBefore, daysBack = 0, daysAhead, openTime, closeTime, closingDays = [], busy = [], minutes } = limits;
  const now = instant() + INDIAN_OFFSET;
  // Even within its first minute, an hour has already begun.
  const begin = now - daysBack * 24 * HOUR;
  const first = toMoment(Math.ceil(Math.max(notBefore ? toMs(notBefore) : 0, begin) / HOUR) * HOUR);
  const last = toMoment(now + daysAhead * 24 * HOUR);
  const isOffered = (moment) => moment >= first && moment <= last;
  const kept = HOURS.filter((time) => (!openTime || time >= openTime) && (!closeTime || time <= closeTime));
  const isTaken = (moment) => busy.some((window) => window.pickup <= moment && moment < window.return);
  // Most are open every day, and the name of a day is what takes longest here.
  const isClosed = (day) => closingDays.length > 0 && closingDays.includes(weekday(day));
  const keptOn = (day) => (isClosed(day) ? [] : kept.filter((time) => isOffered(`${day}T${time}`)));
  const hoursOn = (day) => keptOn(day).filter((time) => !isTaken(`${day}T${time}`));
  // Whether there is any, without looking at all of them: the calendar asks it of each day.
  const isFree = (day) => keptOn(day).some((time) => !isTaken(`${day}T${time}`));
  const hourOn = (day, wanted) => hoursOn(day).find((hour) => hour >= wanted) ?? hoursOn(day).at(-1) ?? wanted;
  const complaint = (moment) => {
    if (minutes || hoursOn(moment.slice(0, 10)).includes(moment.slice(11))) return outside(moment, first, last);
    if (!moment.endsWith(":00")) return "Full hours only";
    return outside(moment, first, last) || (isTaken(moment) ? "Already taken" : "Outside opening hours");
  };
  const isFull = (day) => keptOn(day).length > 0 && !isFree(day);
  let day = first.slice(0, 10);
  while (day <= last && !isFree(day)) day = addDays(day, 1);
  return {
    first,
    last,
    today: toMoment(now),
    next: day <= last ? `${day}T${hoursOn(day)[0]}` : first,
    hoursOn,
    isFree,
    momentOn: (day, wanted) => `${day}T${hourOn(day, wanted)}`,
    complaint,
    isTaken,
    isFull,
    isClosed,
  };
}
