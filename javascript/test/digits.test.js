// What an input for digits keeps of what is typed or pasted, and where its caret stands then.
import assert from "node:assert/strict";
import { test } from "node:test";
import { kept } from "../../rental_app/web/react/digits/mobile.js";

const digits = (text, most = 10) => kept(text, most, text.length).digits;

test("a mobile number loses what is dialled before it", () => {
  const written = ["0091 98765 43210", "+91-0-9876543210", "+91 98765 43210", "098765 43210", "98765-43210"];
  for (const text of [...written, "\u200e９８７６５４３２１０"]) assert.equal(digits(text), "9876543210", text);
  // Indian mobile numbers begin with 6 to 9.
  for (const number of ["6000000000", "7000000000", "8000000000"]) assert.equal(digits(`+91 ${number}`), number);
});

test("anything else stays whole, for the server to refuse", () => {
  const others = {
    "98765 432101": "98765432101",
    "+1 555 0100": "+15550100",
    "\u202a+1 555 0100": "+15550100",
    "+91 12345 67890": "+911234567890",
  };
  for (const text in others) assert.equal(digits(text), others[text]);
});

test("a pincode is cut to its length", () => {
  assert.equal(digits("500 032 1", 6), "500032");
  assert.equal(digits("pin", 6), "");
});

test("the caret stays between the digits that it was between", () => {
  assert.deepEqual(kept("9876x43210", 10, 5), { digits: "987643210", caret: 4 });
  assert.deepEqual(kept("+919876543210", 10, 13), { digits: "9876543210", caret: 10 });
  assert.deepEqual(kept("+919876543210", 10, 1), { digits: "9876543210", caret: 0 });
});
