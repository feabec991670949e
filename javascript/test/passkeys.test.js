// A device is asked for a passkey in browsers without the JSON helpers, and behind password managers they refuse.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { asked } from "../../rental_app/web/react/passkeys.js";

const OPTIONS = {
  challenge: "-_8A",
  user: { id: "AQI", name: "customer@example.com" },
  excludeCredentials: [{ id: "AwQ", type: "public-key" }],
};
const BYTES = { clientDataJSON: Uint8Array.of(251, 255, 0).buffer, attestationObject: Uint8Array.of(1, 2).buffer };
const ANSWER = { id: "Cgs", rawId: Uint8Array.of(10, 11).buffer, type: "public-key", response: BYTES };
const WRITTEN = {
  id: "Cgs",
  rawId: "Cgs",
  type: "public-key",
  response: { clientDataJSON: "-_8A", attestationObject: "AQI" },
};
let heard;

/** A browser whose device gives an answer, or refuses with an error of this name. */
function browser(answer, refusal = "") {
  const act = async ({ publicKey }) => {
    heard = publicKey;
    if (refusal) throw Object.assign(new Error(), { name: refusal });
    return answer;
  };
  Object.defineProperty(globalThis, "navigator", {
    value: { credentials: { create: act, get: act } },
    configurable: true,
  });
}

beforeEach(() => {
  heard = undefined;
  globalThis.PublicKeyCredential = class {};
});

test("a browser with the helpers uses them", async () => {
  PublicKeyCredential.parseCreationOptionsFromJSON = (options) => ({ read: options });
  browser({ toJSON: () => WRITTEN });
  assert.deepEqual(JSON.parse(await asked("create", OPTIONS)), WRITTEN);
  assert.deepEqual(heard, { read: OPTIONS });
});

test("without them both ways are gone by hand", async () => {
  browser(ANSWER);
  assert.deepEqual(JSON.parse(await asked("create", OPTIONS)), WRITTEN);
  assert.deepEqual([...heard.challenge], [251, 255, 0]);
  assert.deepEqual([...heard.user.id], [1, 2]);
  assert.deepEqual([...heard.excludeCredentials[0].id], [3, 4]);
  assert.equal(heard.user.name, "customer@example.com");
});

test("an answer that the browser's own helper refuses is written by hand", async () => {
  const refuses = () => {
    throw new TypeError("Illegal invocation");
  };
  browser({ ...ANSWER, toJSON: refuses });
  assert.deepEqual(JSON.parse(await asked("get", { challenge: "AQ", allowCredentials: [] })), WRITTEN);
});

test("cancelled, known already and impossible are told apart", async () => {
  const reasons = { NotAllowedError: "cancelled", AbortError: "cancelled", InvalidStateError: "known" };
  for (const [name, refused] of Object.entries({ ...reasons, NotSupportedError: "cannot", SecurityError: "cannot" })) {
    browser(ANSWER, name);
    assert.deepEqual(JSON.parse(await asked("create", OPTIONS)), { refused }, name);
  }
  delete globalThis.PublicKeyCredential;
  browser(null);
  assert.deepEqual(JSON.parse(await asked("get", { challenge: "AQ" })), { refused: "cannot" });
});
