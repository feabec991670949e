import assert from "node:assert/strict";
import { test } from "node:test";
import { pressed, remaining } from "../../rental_app/web/react/fleet_rows/range.js";

test("Shift picks all from the row pressed before, in either direction", () => {
  const shown = [7, 3, 9, 1];
  assert.deepEqual(pressed(shown, 7, 9, true), [7, 3, 9]);
  assert.deepEqual(pressed(shown, 1, 3, true), [3, 9, 1]);
  assert.deepEqual(pressed(shown, 7, 9, false), [9]);
});

test("a row that is no longer shown begins no range", () => {
  assert.deepEqual(pressed([7, 3], 5, 3, true), [3]);
  assert.deepEqual(pressed([7, 3], 0, 3, true), [3]);
});

test("what no longer matches is not selected any more", () => {
  assert.deepEqual(remaining(new Set([1, 2, 3]), [3, 1, 4]), [3, 1]);
});
