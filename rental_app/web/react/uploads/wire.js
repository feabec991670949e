// Transfers between the browser and the server: one file at a time, with its owner's token.
import { bearer } from "./call.js";

const LONGEST_SIDE = 2000;
const SMALL_ENOUGH = 1_500_000;

const KNOWN = ["#fff", "#000", "#888"];
const KNOWN_SIDE = 16;
// What a JPEG may change about a plain grey.
const TOLERANCE = 16;

const asJpeg = (canvas) => canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 });

/**
 * Whether drawings can be taken out of a canvas as they are: against fingerprinting, browsers return noise instead,
 * without an error. Greys that are known are drawn, taken out as photos are, and compared.
 */
async function isFaithful() {
  const canvas = new OffscreenCanvas(KNOWN_SIDE * KNOWN.length, KNOWN_SIDE);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const read = () => context.getImageData(0, 0, canvas.width, canvas.height).data;
  KNOWN.forEach((grey, at) => {
    context.fillStyle = grey;
    context.fillRect(at * KNOWN_SIDE, 0, KNOWN_SIDE, KNOWN_SIDE);
  });
  const drawn = read();
  context.drawImage(await createImageBitmap(await asJpeg(canvas)), 0, 0);
  const known = KNOWN.map((grey) => 17 * Number.parseInt(grey[1], 16));
  const isRight = (value, at) => {
    const wanted = at % 4 === 3 ? 255 : known[Math.floor((at >> 2) / KNOWN_SIDE) % KNOWN.length];
    return Math.abs(value - wanted) <= TOLERANCE;
  };
  return drawn.every(isRight) && read().every(isRight);
}

/** A large photo as a JPEG of at most 2000 pixels a side; everything else as it is. Rejects if it cannot be drawn. */
export async function shrunk(file) {
  // What cannot be decoded is for the server to refuse.
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => null);
  if (!bitmap) return file;
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  if (scale === 1 && file.size <= SMALL_ENOUGH) return file;
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  if (!(await isFaithful())) return file;
  const drawn = await asJpeg(canvas);
  return scale < 1 || drawn.size < file.size ? drawn : file;
}

/** Sends a file of a group; resolves to the server's response, null without one, and never rejects. */
export function send(url, group, file, onProgress) {
  const body = new FormData();
  body.append("group", group);
  body.append("file", file);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.responseType = "json";
    request.setRequestHeader("Authorization", bearer());
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onloadend = () => resolve(request.response);
    request.send(body);
  });
}
