// What a date-time picker offers, and what a typed date chooses in it, whatever the browser's zone.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { display } from "../../rental_app/web/react/date_time_picker/display.js";
import { rulesFor } from "../../rental_app/web/react/date_time_picker/hours.js";
import { judge, readTyped } from "../../rental_app/web/react/date_time_picker/typed.js";

const ZONES = ["Asia/Kolkata", "America/Los_Angeles", "Pacific/Auckland"];
const KEPT = { openTime: "09:00", closeTime: "12:00" };
mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-11-26T12:00+05:30") });

const offered = (day, limits = {}) => rulesFor({ daysAhead: 90, ...limits }).hoursOn(day);

/** Runs a test as browsers in these zones would. */
const inAllZones = (name, run) => {
  for (const zone of ZONES) {
    test(`${name}, in ${zone}`, () => {
      process.env.TZ = zone;
      run();
    });
  }
};

inAllZones("taken hours are not offered, nor days of which all are taken", () => {
  const busy = [{ pickup: "2026-11-30T10:00", return: "2026-12-02T11:00" }];
  const rules = rulesFor({ daysAhead: 90, ...KEPT, busy });
  const told = (day) => [rules.hoursOn(day), rules.isFull(day), rules.isTaken(`${day}T10:00`)];
  assert.deepEqual(told("2026-11-29"), [["09:00", "10:00", "11:00", "12:00"], false, false]);
  assert.deepEqual(told("2026-11-30"), [["09:00"], false, true]);
  assert.deepEqual(told("2026-12-01"), [[], true, true]);
  assert.deepEqual(told("2026-12-02"), [["11:00", "12:00"], false, true]);
  assert.equal(rules.next, "2026-11-26T12:00");
});

inAllZones("days before today, hours before now and what is too far ahead are not offered", () => {
  assert.deepEqual(offered("2026-11-25"), []);
  assert.deepEqual(offered("2027-02-25"), []);
  assert.equal(offered("2026-11-26")[0], "12:00");
  assert.equal(offered("2026-11-26").at(-1), "23:00");
  assert.equal(offered("2026-11-28").length, 24);
  assert.deepEqual(offered("2026-11-28", { notBefore: "2026-11-28T21:30" }), ["22:00", "23:00"]);
});

inAllZones("at the counter the hours of the days before are offered too", () => {
  const limits = { daysBack: 1, ...KEPT };
  assert.deepEqual(offered("2026-11-26", limits), ["09:00", "10:00", "11:00", "12:00"]);
  assert.deepEqual(offered("2026-11-25", limits), ["12:00"]);
  assert.deepEqual(offered("2026-11-24", limits), []);
});

test("a closing day has no hours, and is not full for that", () => {
  const rules = rulesFor({ daysAhead: 90, ...KEPT, closingDays: ["Sunday"] });
  assert.deepEqual([rules.hoursOn("2026-11-29"), rules.isFull("2026-11-29")], [[], false]);
  assert.equal(rules.hoursOn("2026-11-30").length, 4);
});

test("a day keeps the wanted hour, or gets the next one on offer, or its last", () => {
  const rules = rulesFor({
    daysAhead: 90,
    ...KEPT,
    busy: [{ pickup: "2026-11-28T10:00", return: "2026-11-28T12:00" }],
  });
  const hours = ["09:00", "10:00", "18:00"].map((wanted) => rules.momentOn("2026-11-28", wanted).slice(11));
  assert.deepEqual(hours, ["09:00", "12:00", "12:00"]);
});

const AT_TEN = [
  "05/12/2026 10:00 AM",
  "5/12/2026 10:00 am",
  "5/12/26 10:00",
  "05-12-2026 10:00AM",
  "5.12.2026 10.00 a.m.",
  "5 Dec 2026 10 AM",
  "5 december 26, 10am",
  "5-Dec-2026 10:00",
  "5th Dec 2026 at 10 am",
  "Dec 5, 2026 10:00",
  "Sat 5 Dec, 10:00 AM",
  "5/12 10 am",
  "10 AM, 5 Dec 2026",
  "2026-12-05 10:00",
  "2026-12-05T10:00",
  "2026/12/5 10:00:00",
  " 05 / 12 / 2026\u00a010:00\u202fAM ",
  "05\u201312\u20132026 10:00",
  "０５/１２/２０２６ １０:００",
];

inAllZones("a date is read in any usual spelling, the day first", () => {
  for (const text of AT_TEN) assert.deepEqual(readTyped(text), { day: "2026-12-05", time: "10:00" }, text);
  for (const text of ["5/12/2026", "05-12-2026", "5 dec 2026", "2026-12-05", "5 Dec"])
    assert.deepEqual(readTyped(text), { day: "2026-12-05", time: "" }, text);
  const times = { "05/12/26 14:00": "14:00", "5/12/2026 12 am": "00:00", "5/12/2026 12:00 PM": "12:00" };
  for (const text in times) assert.equal(readTyped(text).time, times[text], text);
  // An hour that clocks leave out elsewhere; a date without a year is the next one.
  assert.deepEqual(readTyped("14/3/2027 2:00 AM"), { day: "2027-03-14", time: "02:00" });
  assert.deepEqual(readTyped("5/1 9 pm"), { day: "2027-01-05", time: "21:00" });
});

test("what is no date is not read as another", () => {
  const wrong = ["tomorrow", "31/02/2027 10:00 AM", "31/02/27", "12/25/2026", "5/12/2026 25:00", "10:00", "5 j 2027"];
  for (const text of [...wrong, "5/12/2026 0:30 am", "5 marvember 2026"])
    assert.equal(readTyped(text), undefined, text);
});

test("a typed date that cannot be chosen says why, and any other is chosen", () => {
  const busy = [{ pickup: "2026-12-07T10:00", return: "2026-12-08T10:00" }];
  const limits = { openTime: "09:00", closeTime: "20:00", closingDays: ["Sunday"], daysAhead: 30, busy };
  const told = {
    "next week": "Write it like 26/11/2026 12:00 PM",
    "26/11/2026 11:00 AM": "Not before 26/11/2026 12:00 PM",
    "27/12/2026 10:00 AM": "Not after 26/12/2026 12:00 PM",
    "5/12/2026 10:30 am": "Full hours only",
    "5/12/2026 10 pm": "Outside opening hours",
    "6/12/2026": "Outside opening hours",
    "7/12/2026 2 pm": "Already taken",
  };
  for (const text in told) assert.deepEqual(judge(text, "18:00", limits), { complaint: told[text] });
  // A day alone gets the wanted hour, or the last that is free.
  const chosen = {
    " ": "",
    "5 dec": "2026-12-05T18:00",
    "7 dec": "2026-12-07T09:00",
    "5/12/26 10 AM": "2026-12-05T10:00",
  };
  for (const text in chosen) assert.deepEqual(judge(text, "18:00", limits), { moment: chosen[text] });
});

test("a moment or a day is shown as it may be typed, and what is neither is not shown", () => {
  const moments = ["2026-11-21T22:00", "2026-11-21T00:30", "2026-11-21T12:00"].map(display);
  assert.deepEqual(moments, ["21/11/2026 10:00 PM", "21/11/2026 12:30 AM", "21/11/2026 12:00 PM"]);
  assert.deepEqual(["2026-11-21", "2026-11", "21/11/2026", ""].map(display), ["21/11/2026", "", "", ""]);
});

inAllZones("a field for days takes any usual spelling of a day, whatever hour is with it", () => {
  const spellings = ["05/12/2026", "5/12/2026", "05-12-26", "2026-12-05", "5 Dec 2026", "5/12", "5.12.2026 10:00 AM"];
  for (const text of spellings) assert.deepEqual(judge(text, "10:00", { days: true }), { moment: "2026-12-05" }, text);
  assert.deepEqual(judge(" ", "10:00", { days: true }), { moment: "" });
  assert.deepEqual(judge("1/4/2019", "10:00", { days: true }), { moment: "2019-04-01" });
  const today = "Write it like 26/11/2026";
  for (const text of ["12/25/2026", "soon"]) assert.deepEqual(judge(text, "", { days: true }), { complaint: today });
});

test("a field for days keeps to its first and last day", () => {
  const done = { days: true, lastDay: "2026-11-26" };
  assert.deepEqual(judge("27/11/2026", "", done), { complaint: "Not after 26/11/2026" });
  assert.deepEqual(judge("26/11/2026", "", done), { moment: "2026-11-26" });
  // Without a year, the one in which it may be chosen.
  assert.deepEqual(judge("5/12", "", done), { moment: "2025-12-05" });
  const ahead = { days: true, firstDay: "2026-11-26" };
  assert.deepEqual(judge("25/11/2026", "", ahead), { complaint: "Not before 26/11/2026" });
  assert.deepEqual(judge("25/11", "", ahead), { moment: "2027-11-25" });
});

test("where minutes count any of the past can be typed, and none ahead", () => {
  const limits = { minutes: true, daysBack: 30, daysAhead: 0 };
  assert.deepEqual(judge("26/11/2026 11:37 am", "", limits), { moment: "2026-11-26T11:37" });
  assert.deepEqual(judge("25/11 18:05", "", limits), { moment: "2026-11-25T18:05" });
  const complaint = "Not after 26/11/2026 12:00 PM";
  assert.deepEqual(judge("26/11/2026 12:01 pm", "", limits), { complaint });
});
