// What the steps of a form say is still to be done.
import assert from "node:assert/strict";
import { test } from "node:test";
import { totalOf, wordsFor } from "../../rental_app/web/react/steps/words.js";

const DONE = { blank: 0, wrong: 0 };
const WRONG = { blank: 0, wrong: 2 };

test("blank fields come before wrong ones", () => {
  const said = [{ blank: 3, wrong: 2 }, WRONG, DONE].map(wordsFor);
  assert.deepEqual(said, ["3 to fill", "2 to correct", "Complete"]);
});

test("all steps together", () => {
  assert.equal(totalOf([{ blank: 2, wrong: 1 }, { blank: 1, wrong: 0 }, DONE]), "3 fields to fill");
  assert.equal(totalOf([{ blank: 1, wrong: 0 }, DONE]), "1 field to fill");
  assert.equal(totalOf([DONE, WRONG]), "Some fields are to be corrected");
  assert.equal(totalOf([DONE, DONE]), "Everything is filled in");
});
