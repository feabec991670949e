// Which of our places is nearest to a position.
import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "../../rental_app/web/react/near_me/nearest.js";

const PLACES = [
  { name: "Madhapur", latitude: 17.4483, longitude: 78.3915 },
  { name: "Uppal", latitude: 17.4058, longitude: 78.5591 },
];

test("the nearest place and its distance", () => {
  const { name, km } = nearest(PLACES, { latitude: 17.41, longitude: 78.56 });
  assert.equal(name, "Uppal");
  assert.ok(km > 0.4 && km < 0.6, String(km));
});

test("a degree of longitude is shorter than one of latitude", () => {
  const east = { name: "east", latitude: 60, longitude: 1 };
  const north = { name: "north", latitude: 60.7, longitude: 0 };
  assert.equal(nearest([north, east], { latitude: 60, longitude: 0 }).name, "east");
});

test("without places there is none", () => assert.equal(nearest([], PLACES[0]), undefined));
