import assert from "node:assert/strict";
import { test } from "node:test";
import { barOf, groupOf, hour, standing } from "../../rental_app/web/react/day_board/standing.js";

const DAY = 24 * 60;
const days = ["Thu 26 Nov", "Fri 27 Nov", "Sat 28 Nov", "Sun 29 Nov"].map((label) => ({ label }));
const at = (day, hours) => day * DAY + hours * 60;
const entry = (kind, begin, end, text = "Imran", href = "/there") => ({ kind, begin, end, text, href });
const vehicle = (...entries) => ({ off: "", ends: 35, expired: "Pollution expires Fri 27 Nov", entries });
const words = (car, day) => standing(car, days, day).words;

test("hours are said as India says them", () => {
  assert.deepEqual([0, 8 * 60, 12 * 60, 17 * 60 + 5, DAY + 60].map(hour), [
    "12 AM",
    "8 AM",
    "12 PM",
    "5:05 PM",
    "1 AM",
  ]);
});

test("a vehicle is free all day, for a part of it, or not between 6 AM and 10 PM", () => {
  const out = vehicle(entry("out", at(-1, 8), at(2, 8)));
  assert.deepEqual(
    [0, 1, 2, 3].map((day) => groupOf(out, day)),
    [2, 2, 1, 0],
  );
  assert.equal(groupOf(vehicle(entry("block", at(0, 6), at(0, 14)), entry("hold", at(0, 13), at(0, 22))), 0), 2);
  assert.equal(groupOf(vehicle(entry("block", at(0, 6), at(0, 13)), entry("hold", at(0, 14), at(0, 22))), 0), 1);
  assert.equal(groupOf(vehicle(entry("booking", at(1, 0), at(2, 0))), 2), 0, "it ends at midnight");
});

test("what cannot be booked at all is not free, from the day its paper has ended", () => {
  const expiring = { ...vehicle(), ends: 1 };
  assert.deepEqual(
    [0, 1, 2].map((day) => groupOf(expiring, day)),
    [0, 0, 2],
  );
  assert.equal(words(expiring, 0), "Free to Fri 27 Nov: pollution expires Fri 27 Nov");
  assert.deepEqual(standing(expiring, days, 2), { words: "Pollution expires Fri 27 Nov", href: "", isBad: true });
  assert.equal(standing({ ...vehicle(), off: "Switched off" }, days, 0).words, "Switched off");
  assert.deepEqual(barOf({ ...vehicle(), off: "Switched off" }, 0), [{ kind: "off", left: 0, width: 100 }]);
});

test("words say the same as the bar", () => {
  const trip = vehicle(entry("booking", at(0, 17), at(2, 8)));
  assert.deepEqual(
    [0, 1, 2].map((day) => words(trip, day)),
    ["Booked from 5 PM, Imran", "Booked to Sat 28 Nov, 8 AM, Imran", "Back 8 AM, Imran"],
  );
  assert.equal(standing(trip, days, 0).href, "/there");
  assert.deepEqual(barOf(trip, 0), [{ kind: "booking", left: 68.75, width: 31.25 }]);
  assert.deepEqual(barOf(trip, 2), [{ kind: "booking", left: 0, width: 12.5 }]);
  assert.deepEqual(barOf(vehicle(entry("out", at(0, 23), at(0, 24))), 0), [], "after 10 PM");
  assert.equal(words(vehicle(entry("hold", at(0, 9), at(0, 13))), 0), "Requested 9 AM to 1 PM, Imran");
  assert.equal(words(vehicle(entry("block", at(0, 0), at(2, 0), "Service", "")), 1), "Blocked to Fri 27 Nov, Service");
  assert.equal(words(vehicle(entry("out", at(0, 0), at(9, 0))), 1), "Out to a day after Sun 29 Nov, Imran");
  assert.equal(words(vehicle(entry("buffer", at(0, 0), at(0, 9))), 0), "Kept free to 9 AM");
});

test("a free vehicle says until when", () => {
  assert.equal(words(vehicle(entry("hold", at(2, 8), at(3, 8))), 0), "Free to Sat 28 Nov, 8 AM");
  assert.equal(words(vehicle(), 0), "Free to Sun 29 Nov at least");
  const long = Array.from({ length: 35 }, (_, day) => ({ label: `day ${day}` }));
  assert.equal(standing(vehicle(), long, 0).words, "Free for 2 weeks");
});
