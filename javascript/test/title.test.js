// The count before a tab's title.
import assert from "node:assert/strict";
import { test } from "node:test";
import { titled } from "../../rental_app/web/react/news/title.js";

test("a title has one count, and none for nothing", () => {
  assert.equal(titled("Dashboard | Pahiya", 3), "(3) Dashboard | Pahiya");
  assert.equal(titled("(3) Dashboard | Pahiya", 12), "(12) Dashboard | Pahiya");
  assert.equal(titled("(12) Dashboard | Pahiya", 0), "Dashboard | Pahiya");
});
