// Which part of two photos is shown, without the page, for javascript/test.
const MOST = 8;

/** The whole photo. `x` and `y` are how far its middle is moved, in pixels. */
export const START = { x: 0, y: 0, scale: 1 };

/** The view by another scale, around a point that stays where it is; a whole photo is in its place. */
export function grown({ x, y, scale }, by, at) {
  const next = Math.min(MOST, scale * by);
  if (next <= 1) return START;
  const ratio = next / scale;
  return { x: at.x - (at.x - x) * ratio, y: at.y - (at.y - y) * ratio, scale: next };
}

/** The view moved along with one of as many fingers; a whole photo stays. */
export function dragged({ x, y, scale }, now, before, fingers) {
  if (scale === 1) return START;
  return { x: x + (now.x - before.x) / fingers, y: y + (now.y - before.y) / fingers, scale };
}
