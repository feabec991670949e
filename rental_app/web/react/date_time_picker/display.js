// The field shows a moment before the calendar and its library are loaded.
/** "21/11/2026 10:00 PM" for "2026-11-21T22:00", "21/11/2026" for "2026-11-21", "" for anything else. */
export function display(moment) {
  const [, year, month, day, hour, minute] = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?$/.exec(moment) ?? [];
  const clock = hour && ` ${String(Number(hour) % 12 || 12).padStart(2, "0")}:${minute} ${hour < "12" ? "AM" : "PM"}`;
  return year ? `${day}/${month}/${year}${clock ?? ""}` : "";
}
