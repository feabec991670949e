// A day is the text "YYYY-MM-DD", read as if it were UTC: no zone can move it.
const DAY = 86_400_000;
const toDay = (ms) => new Date(ms).toISOString().slice(0, 10);
const dateOf = (day) => new Date(`${day}T00:00Z`);
/** What a day is called, by these parts; English, as the server's opening hours are. */
const named = (options) => {
  const format = new Intl.DateTimeFormat("en", { timeZone: "UTC", ...options });
  return (day) => format.format(dateOf(day));
};
const month = named({ month: "long" });
/** How many days after Monday a day is. */
const place = (day) => (dateOf(day).getUTCDay() + 6) % 7;

export const WEEK = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
export const addDays = (day, days) => toDay(Date.parse(day) + days * DAY);
export const weekday = named({ weekday: "long" });
/** The first day of the month some months after that of a day. */
export const monthAfter = (day, months) => {
  const date = dateOf(day);
  return toDay(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
};
/** The same day some months on, or the last one of that month. */
export const sameDayAfter = (day, months) => {
  const last = addDays(monthAfter(day, months + 1), -1);
  const same = `${last.slice(0, 8)}${day.slice(8)}`;
  return same < last ? same : last;
};
export const weekStart = (day) => addDays(day, -place(day));
export const monthName = (day) => `${month(day)} ${day.slice(0, 4)}`;
/** "Friday, 4 December 2026" */
export const fullName = (day) => `${weekday(day)}, ${dateOf(day).getUTCDate()} ${monthName(day)}`;
/** "Fri 4 Dec" */
export const shortName = (day) => `${weekday(day).slice(0, 3)} ${dateOf(day).getUTCDate()} ${month(day).slice(0, 3)}`;
/** "10 AM" */
export const hourName = (time) => `${Number(time.slice(0, 2)) % 12 || 12} ${time < "12" ? "AM" : "PM"}`;

const weeks = {};

function asWeeks(month) {
  const next = monthAfter(month, 1);
  const rows = [];
  for (let start = weekStart(month); start < next; start = addDays(start, 7)) {
    const days = WEEK.map((_, at) => addDays(start, at));
    rows.push(days.map((day) => (day >= month && day < next ? day : "")));
  }
  return rows;
}

/** The month of a day as weeks from Monday to Sunday; blank before its first day and after its last. */
export const weeksOf = (day) => {
  const month = monthAfter(day, 0);
  weeks[month] ??= asWeeks(month);
  return weeks[month];
};

/** The months from that of one day to that of another, as their first days. */
export function monthsBetween(from, to) {
  const months = [];
  for (let month = monthAfter(from, 0); month <= to; month = monthAfter(month, 1)) months.push(month);
  return months;
}
