// What waits for a lost connection, and what a tab keeps over a reload.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { storeDraft, storedDraft } from "../../rental_app/web/react/browser_draft/stored.js";
import { patient } from "../../rental_app/web/react/patient.js";

test("a module is loaded again until it arrives", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const load = mock.fn(async () => {
    if (load.mock.callCount() < 2) throw new Error("no connection");
    return "module";
  });
  const loaded = patient(load)();
  for (let step = 0; step < 20; step += 1) {
    await Promise.resolve();
    mock.timers.tick(1000);
  }
  assert.equal(await loaded, "module");
  assert.equal(load.mock.callCount(), 3);
});

test("a draft comes back as it was kept, and none as null", () => {
  const kept = new Map();
  const stub = { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) };
  Object.defineProperty(globalThis, "sessionStorage", { value: stub, configurable: true });
  storeDraft("draft-1", { typed: [["city", "<b>&\u00e9"]] });
  assert.deepEqual(storedDraft("draft-1"), { typed: [["city", "<b>&\u00e9"]] });
  assert.equal(storedDraft("draft-2"), null);
});
