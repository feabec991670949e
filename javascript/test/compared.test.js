// Two photos in full screen: one view for both, which keeps what is looked at where it is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dragged, grown, START } from "../../rental_app/web/react/compared/view.js";

test("what is pointed at stays where it is while it grows", () => {
  const at = { x: 40, y: -20 };
  const view = grown(START, 2, at);
  // The point lay 40 to the right of the middle: doubled it would lie at 80, so the photo goes 40 to the left.
  assert.deepEqual(view, { x: -40, y: 20, scale: 2 });
  assert.deepEqual(grown(view, 1 / 2, at), START);
});

test("a photo never gets smaller than the screen, nor larger than eight times", () => {
  assert.deepEqual(grown({ x: 9, y: 9, scale: 1.2 }, 0.5, START), START);
  assert.equal(grown({ x: 0, y: 0, scale: 6 }, 3, START).scale, 8);
});

test("a grown photo is dragged, by two fingers half as far each; a whole one stays", () => {
  const grownView = { x: 5, y: 5, scale: 3 };
  assert.deepEqual(dragged(grownView, { x: 10, y: 0 }, { x: 0, y: 0 }, 1), { x: 15, y: 5, scale: 3 });
  assert.deepEqual(dragged(grownView, { x: 10, y: 0 }, { x: 0, y: 0 }, 2), { x: 10, y: 5, scale: 3 });
  assert.deepEqual(dragged(START, { x: 10, y: 0 }, { x: 0, y: 0 }, 1), START);
});
