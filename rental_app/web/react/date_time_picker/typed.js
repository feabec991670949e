// Reads dates as they are typed, with or without a connection; tested in javascript/test.
import { TZDate } from "@date-fns/tz";
import { addYears, format, isValid, parse } from "date-fns";
import { display } from "./display.js";
import { rulesFor } from "./hours.js";

const INDIA = "Asia/Kolkata";
// As India writes dates: the day before the month. A year of two digits comes first: "yyyy" would read 26 as the year 26.
const DAYS = ["d/M/yy", "d/M/yyyy", "yyyy/M/d", "d MMMM yy", "d MMMM yyyy", "MMMM d yyyy"];
const DAYS_OF_THE_YEAR = ["d/M", "d MMMM", "MMMM d"];
const TIMES = ["h:mm a", "h:mm:ss a", "h a", "H:mm", "H:mm:ss"];
const WEEKDAY = /\b(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?\b/g;
// The library takes a single letter for a month.
const STRAY_LETTERS = /\b(?![ap]m\b)[a-z]{1,2}\b/;
const CLOCK_FIRST = /^(\d{1,2}(?:[:.]\d\d)? ?[ap]m|\d{1,2}:\d\d) (.+)$/;

/** A text with one spelling for separators, AM and PM, and without words that say nothing new. */
function plain(text) {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, "")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/(\d) ?([ap])\.? ?m\b\.?/g, "$1 $2m")
    .replace(/\bat\b/g, " ")
    .replace(WEEKDAY, " ")
    .replace(/(\d)(st|nd|rd|th)\b/g, "$1")
    .replace(/\bsept\b/g, "sep")
    .replace(/(\d)t(\d)/g, "$1 $2")
    .replace(/[\s,]+/g, " ")
    .trim()
    .replace(CLOCK_FIRST, "$2 $1")
    .replace(/ (\d{1,2})\.(\d\d)( [ap]m)?$/, " $1:$2$3")
    .replace(/ (1[3-9]|2[0-3])(:\d\d) pm$/, " $1$2")
    .replace(/(\d) ?[-./] ?(?=\d)/g, "$1/")
    .replace(/(\d)[-./ ]*([a-z]{3,})[-./ ]*(?=\d|$)/g, "$1 $2 ")
    .trim();
}

/** The date of a plain text by the first pattern that it fits, undefined if it fits none. */
function read(text, patterns, now) {
  if (STRAY_LETTERS.test(text)) return undefined;
  const dates = patterns.map((pattern) => parse(text, pattern, now));
  return dates.find((date) => isValid(date) && date.getFullYear() > 1900);
}

function readAt(text, days, now) {
  const day = read(text, days, now);
  if (day) return { day: format(day, "yyyy-MM-dd"), time: "" };
  const both = days.flatMap((each) => TIMES.map((time) => `${each} ${time}`));
  const date = read(text, both, now);
  return date && { day: format(date, "yyyy-MM-dd"), time: format(date, "HH:mm") };
}

/**
 * Reads a date as people type it: `{ day: "YYYY-MM-DD", time: "HH:MM" }` in Indian wall-clock text, undefined for a text
 * that is none. The time is blank if none was typed; a date without a year is the next one, or the one that `isOffered`.
 */
export function readTyped(text, isOffered = (day) => day >= format(TZDate.tz(INDIA), "yyyy-MM-dd")) {
  const now = TZDate.tz(INDIA);
  const typed = plain(text);
  const dated = readAt(typed, DAYS, now);
  if (dated) return dated;
  const [same, next, last] = [0, 1, -1].map((years) => readAt(typed, DAYS_OF_THE_YEAR, addYears(now, years)));
  return [same, next, last].find((date) => date && isOffered(date.day)) ?? next;
}

/**
 * What a typed text chooses within the limits: `{ moment }`, blank for a blank text, or `{ complaint }`, why it chooses
 * nothing. A day typed without a time gets the wanted hour, or the next one on offer; a field for days takes no time.
 */
export function judge(text, wanted, limits) {
  if (!text.trim()) return { moment: "" };
  const rules = rulesFor(limits);
  const typed = readTyped(text, (day) => day >= rules.first.slice(0, 10) && day <= rules.last.slice(0, 10));
  if (!typed) return { complaint: `Write it like ${display(rules.next)}` };
  const moment = typed.time && !limits.days ? `${typed.day}T${typed.time}` : rules.momentOn(typed.day, wanted);
  const complaint = rules.complaint(moment);
  return complaint ? { complaint } : { moment };
}
