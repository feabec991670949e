// How a vehicle stands on a day. Times are minutes from the start of the board's first day, Indian.
const DAY = 24 * 60;
// The bar begins at 6 AM and ends at 10 PM.
const [FROM, TO] = [6 * 60, 22 * 60];
const KINDS = { out: "Out", booking: "Booked", hold: "Requested", block: "Blocked", buffer: "Kept free" };
const DAYS_TO_NAME = 14;

const on = (vehicle, at) => vehicle.entries.filter(({ begin, end }) => begin < (at + 1) * DAY && end > at * DAY);
const isOff = ({ off, ends }, at) => Boolean(off) || at > ends;

/** '8 AM', with minutes only if there are any. */
export function hour(minutes) {
  const ofDay = ((minutes % DAY) + DAY) % DAY;
  const [hours, rest] = [Math.floor(ofDay / 60), ofDay % 60];
  return `${hours % 12 || 12}${rest ? `:${String(rest).padStart(2, "0")}` : ""} ${hours < 12 ? "AM" : "PM"}`;
}

/** An instant as 'Sat 5 Dec, 8 AM'; a midnight is the end of the day before. */
function moment(minutes, days) {
  const isMidnight = minutes % DAY === 0;
  const day = days[Math.floor(minutes / DAY) - (isMidnight ? 1 : 0)];
  if (!day) return `a day after ${days.at(-1).label}`;
  return isMidnight ? day.label : `${day.label}, ${hour(minutes)}`;
}

/** 0 if a vehicle is free all day, 1 if for a part of it, 2 if it is not free between 6 AM and 10 PM. */
export function groupOf(vehicle, at) {
  if (isOff(vehicle, at)) return 2;
  const taken = on(vehicle, at);
  if (!taken.length) return 0;
  let until = at * DAY + FROM;
  for (const { begin, end } of [...taken].sort((one, other) => one.begin - other.begin))
    if (begin <= until) until = Math.max(until, end);
  return until >= at * DAY + TO ? 2 : 1;
}

/** What occupies a vehicle within the bar, in percent of it. */
export function barOf(vehicle, at) {
  if (isOff(vehicle, at)) return [{ kind: "off", left: 0, width: 100 }];
  const share = (minutes) => (100 * (Math.min(Math.max(minutes - at * DAY, FROM), TO) - FROM)) / (TO - FROM);
  const parts = on(vehicle, at).map(({ kind, begin, end }) => ({
    kind,
    left: share(begin),
    width: share(end) - share(begin),
  }));
  return parts.filter(({ width }) => width > 0);
}

/** The same in words, with the booking that they are about, and whether they are a warning. */
export function standing(vehicle, days, at) {
  if (isOff(vehicle, at)) return { words: vehicle.off || vehicle.expired, href: "", isBad: true };
  const taken = on(vehicle, at);
  if (!taken.length) return { words: freeUntil(vehicle, days, at), href: "", isBad: false };
  const words = taken
    .filter(({ kind }, index) => kind !== "buffer" || index === 0)
    .map((entry) => said(entry, days, at));
  return { words: words.join("; "), href: taken.find(({ href }) => href)?.href ?? "", isBad: false };
}

function freeUntil({ entries, ends, expired }, days, at) {
  const next = Math.min(...entries.map(({ begin }) => begin).filter((begin) => begin >= (at + 1) * DAY));
  if (ends < days.length - 1 && (ends + 1) * DAY <= next)
    return `Free to ${days[ends].label}: ${expired[0].toLowerCase()}${expired.slice(1)}`;
  if (next < days.length * DAY) return `Free to ${moment(next, days)}`;
  return days.length - at < DAYS_TO_NAME ? `Free to ${days.at(-1).label} at least` : "Free for 2 weeks";
}

function said({ kind, begin, end, text }, days, at) {
  const [starts, stops] = [begin > at * DAY, end < (at + 1) * DAY];
  const name = KINDS[kind];
  const who = kind === "buffer" ? "" : `, ${text}`;
  if (starts && stops) return `${name} ${hour(begin)} to ${hour(end)}${who}`;
  if (starts) return `${name} from ${hour(begin)}${who}`;
  if (stops) return `${kind === "out" || kind === "booking" ? "Back" : `${name} to`} ${hour(end)}${who}`;
  return `${name} to ${moment(end, days)}${who}`;
}
