// Photos on their way to the server: shrunk, unless the browser falsifies what is drawn, and never lost by an error.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { call } from "../../rental_app/web/react/uploads/call.js";
import { lostOf } from "../../rental_app/web/react/uploads/kept.js";
import { roomFor, stateOf, totalOf } from "../../rental_app/web/react/uploads/room.js";
import { send, shrunk } from "../../rental_app/web/react/uploads/wire.js";

const JPEG_BYTES = 700_000;
const GREYS = { "#fff": 255, "#000": 0, "#888": 136 };
// The browser: the size of the decoded photo, whether it can be decoded, and what falsifies canvases.
let browser;

/** A canvas whose columns are grey, which is enough for what is compared. */
class Canvas {
  constructor(width, height) {
    Object.assign(this, { width, height, columns: Array(width).fill(0) });
  }
  getContext() {
    const canvas = this;
    return {
      fillRect(left, _top, width) {
        canvas.columns.fill(GREYS[this.fillStyle], left, left + width);
      },
      drawImage: ({ columns }) => {
        if (columns) canvas.columns = columns;
      },
      getImageData: () => ({
        data: Array.from({ length: canvas.width * canvas.height * 4 }, (_, at) => {
          if (browser.noise === "read") return 77;
          return at % 4 === 3 ? 255 : canvas.columns[(at >> 2) % canvas.width];
        }),
      }),
    };
  }
  async convertToBlob({ type }) {
    const columns = browser.noise === "written" ? this.columns.map(() => 77) : this.columns.map((grey) => grey ^ 3);
    return { type, size: JPEG_BYTES, columns, width: this.width, height: this.height };
  }
}

beforeEach(() => {
  browser = { photo: { width: 4000, height: 3000 }, noise: "" };
  const decoded = async (blob) => {
    if (!blob.columns && !browser.photo) throw new Error("no picture");
    return blob.columns ? blob : browser.photo;
  };
  Object.assign(globalThis, { OffscreenCanvas: Canvas, createImageBitmap: decoded });
});

test("a large photo becomes a JPEG of at most 2000 pixels a side", async () => {
  const { type, width, height } = await shrunk({ size: 9_000_000 });
  assert.deepEqual({ type, width, height }, { type: "image/jpeg", width: 2000, height: 1500 });
});

test("a photo that is heavy for its pixels is drawn again, if that makes it lighter", async () => {
  browser.photo = { width: 1600, height: 1200 };
  assert.equal((await shrunk({ size: 3_000_000 })).size, JPEG_BYTES);
  const light = { size: 1_500_000 };
  assert.equal(await shrunk(light), light);
});

test("what cannot be decoded goes up as it is", async () => {
  browser.photo = null;
  const paper = { size: 9_000_000 };
  assert.equal(await shrunk(paper), paper);
});

for (const noise of ["read", "written"]) {
  test(`a photo goes up as it is where what is ${noise} is noise`, async () => {
    browser.noise = noise;
    const photo = { size: 9_000_000 };
    assert.equal(await shrunk(photo), photo);
  });
}

test("without canvases shrinking rejects, and the caller sends the file", async () => {
  delete globalThis.OffscreenCanvas;
  await assert.rejects(shrunk({ size: 9_000_000 }));
});

/** A request that ends with this response. */
const requestOf = (response) =>
  class {
    upload = {};
    headers = {};
    open(method, url) {
      Object.assign(this, { method, url });
    }
    setRequestHeader(name, value) {
      this.headers[name] = value;
    }
    send(body) {
      this.upload.onprogress({ loaded: 1, total: 4 });
      this.response = response && {
        ...response,
        told: [this.method, this.url, this.headers.Authorization, body.get("group")],
      };
      this.onloadend();
    }
  };

test("a file is sent with its group and its owner's token; without a response there is none", async () => {
  globalThis.window = { localStorage: { getItem: () => "abc" } };
  const shares = [];
  globalThis.XMLHttpRequest = requestOf({ success: true });
  const answer = await send("/uploads", "RC", new Blob(["x"]), (share) => shares.push(share));
  assert.deepEqual(answer, { success: true, told: ["POST", "/uploads", "Bearer abc", "RC"] });
  assert.deepEqual(shares, [0.25]);
  globalThis.XMLHttpRequest = requestOf(null);
  assert.equal(await send("/uploads", "RC", new Blob(["x"]), () => {}), null);
});

test("a call takes the token along, and rejects when it fails", async () => {
  globalThis.window = { localStorage: { getItem: () => null } };
  const seen = [];
  globalThis.fetch = async (url, options) => {
    seen.push([url, options.method, options.headers.Authorization]);
    return { ok: url === "/there", status: 404, blob: async () => "content" };
  };
  assert.equal(await call("/there"), "content");
  await assert.rejects(call("/gone", "DELETE"), /404/);
  assert.deepEqual(seen, [
    ["/there", "GET", "Bearer "],
    ["/gone", "DELETE", "Bearer "],
  ]);
});

test("a group takes as many files as it has places, and one for one that is replaced", () => {
  assert.equal(roomFor(10, 0), 10);
  assert.equal(roomFor(10, 10), 0);
  assert.equal(roomFor(10, 10, 7), 1);
  assert.equal(roomFor(1, 1), 1);
});

test("a tile's caption says what its files are waiting for", () => {
  const sent = { id: 1 };
  const half = { size: 3 * 1024 * 1024, share: 0.5 };
  const waits = { size: 1024 * 1024 };
  assert.equal(stateOf([]), "Needed");
  assert.equal(stateOf([sent, sent]), "Saved");
  assert.equal(stateOf([sent, half]), "1.5 of 3.0 MB");
  assert.equal(stateOf([half, waits]), "1.5 of 4.0 MB");
  assert.equal(stateOf([half, { failed: true }]), "Not sent yet");
});

test("below the tiles stands how many are saved, and what the others wait for", () => {
  const groups = [[{ id: 1 }], [{ id: 2 }, { share: 0 }], [{ failed: true }], [], []];
  assert.deepEqual(totalOf(groups), { saved: 1, words: "1 sending, 1 failed, 2 to take" });
  assert.deepEqual(totalOf([[{ id: 1 }]]), { saved: 1, words: "" });
});

test("photos that were not found again are named, group by group", () => {
  const names = { Front: ["a.jpg", "b.jpg"], Back: ["a.jpg"], Odometer: ["c.jpg"] };
  const found = [
    { group: "Front", name: "a.jpg" },
    { group: "Odometer", name: "c.jpg" },
  ];
  assert.deepEqual(lostOf(names, found), [
    ["Front", ["b.jpg"]],
    ["Back", ["a.jpg"]],
  ]);
});
