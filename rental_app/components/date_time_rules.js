// A moment is Indian wall-clock text, "YYYY-MM-DDTHH:MM", and such texts sort as strings. Arithmetic
// reads the text as if it were UTC. A local Date only ever carries a calendar day, at noon: every
// browser zone has a noon, while midnight or 2 AM may be missing where clocks change.
const HOUR = 3_600_000;
const INDIAN_OFFSET = 5.5 * HOUR;
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January", "February", "March", "April", "May", "June",
  "July", "August", "September", "October", "November", "December",
];
const HOURS = Array.from({ length: 24 }, (_, hour) => `${pad(hour)}:00`);
const TYPED = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}):(\d{2}) ([AP])M$/;

function pad(number) {
  return String(number).padStart(2, "0");
}

const toMs = (wall) => Date.parse(`${wall}Z`);
const toWall = (ms) => new Date(ms).toISOString().slice(0, 16);
export const toDay = (date) => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
const weekdayOf = (day) => WEEKDAYS[new Date(`${day}T12:00Z`).getUTCDay()];

export function isWall(text) {
  const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text ?? "") ? toMs(text) : NaN;
  return !Number.isNaN(ms) && toWall(ms) === text;
}

export function toNoon(day) {
  const [year, month, date] = day.split("-").map(Number);
  return new Date(year, month - 1, date, 12);
}

export function clockName(time) {
  const hour = Number(time.slice(0, 2));
  return `${pad(hour % 12 || 12)}:${time.slice(3, 5)} ${hour < 12 ? "AM" : "PM"}`;
}

/** "Saturday 21 November 2026"; short: "Sat 21 Nov". */
export function dayName(day, short = false) {
  const [year, month, date] = day.split("-").map(Number);
  const [weekday, name] = [weekdayOf(day), MONTHS[month - 1]];
  return short ? `${weekday.slice(0, 3)} ${date} ${name.slice(0, 3)}` : `${weekday} ${date} ${name} ${year}`;
}

export function monthName(date) {
  return `${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
}

export function display(wall) {
  if (!isWall(wall)) return "";
  const [day, time] = wall.split("T");
  return `${day.split("-").reverse().join("/")} ${clockName(time)}`;
}

/** The wall-clock text for strictly typed dd/MM/yyyy hh:mm aa, else undefined. */
export function parseTyped(typed) {
  const text = typed.trim().toUpperCase();
  const [match, date, month, year, hour, minute, half] = TYPED.exec(text) ?? [];
  if (!match) return undefined;
  const wall = `${year}-${month}-${date}T${pad((hour % 12) + (half === "P" ? 12 : 0))}:${minute}`;
  return display(wall) === text ? wall : undefined;
}

/** What may be chosen right now: the first and last moment, and the hours offered on a day. */
export function rulesFor({ notBefore, daysAhead, openTime, closeTime, closingDays }) {
  const now = toWall(Date.now() + INDIAN_OFFSET);
  const earliest = isWall(notBefore) && notBefore > now ? notBefore : now;
  const first = toWall(Math.ceil(toMs(earliest) / HOUR) * HOUR);
  const last = toWall(toMs(now) + daysAhead * 24 * HOUR);
  const isKept = (time) => (!openTime || time >= openTime) && (!closeTime || time <= closeTime);
  const isWithin = (wall) => wall >= first && wall <= last;
  const hoursOn = (day) =>
    closingDays?.includes(weekdayOf(day)) ? [] : HOURS.filter((t) => isKept(t) && isWithin(`${day}T${t}`));
  const allows = (wall) => hoursOn(wall.slice(0, 10)).includes(wall.slice(11));
  return { today: now.slice(0, 10), first, last, hoursOn, allows };
}

export function firstOpenDay({ first, last, hoursOn }) {
  for (let ms = toMs(first); toWall(ms) <= last; ms += 24 * HOUR) {
    const day = toWall(ms).slice(0, 10);
    if (hoursOn(day).length > 0) return day;
  }
  return first.slice(0, 10);
}
