// What travels between the browser and the server: the form's data, its files, the answer.

import { PDF, PHOTOS } from "./file_kinds.js";

const LONGEST_SIDE = 2000;
const SMALL_ENOUGH = 1_500_000;
const MEGABYTE = 1024 * 1024;
const NO_CONNECTION = "The connection failed. Nothing you entered is lost: please try again.";

const bearer = () => ({ Authorization: `Bearer ${window.localStorage.getItem("token") ?? ""}` });

const kinds = (group) => (group.photos ? PHOTOS : [...PHOTOS, PDF]);
export const accepted = (group) => kinds(group).join(",");

/** What is wrong with a file of a kind for a group that holds `count` files already; "" when nothing is. */
export function fileProblem(group, file, kind, count, limits) {
  if (count >= limits.files) return `At most ${limits.files} files`;
  if (!file.size) return `${file.name} is empty`;
  if (kind === PDF && group.photos) return `${file.name} is a PDF: add a photo (JPEG, PNG or WebP)`;
  if (!kind) {
    const wanted = `add a JPEG, PNG or WebP${group.photos ? "" : ", or a PDF"}`;
    const lies = kinds(group).includes(file.type);
    return lies ? `${file.name} is not what its name says: ${wanted}` : `${file.name} cannot be used: ${wanted}`;
  }
  if (kind === PDF && file.size > limits.fileBytes) {
    return `${file.name} is larger than ${limits.fileBytes / MEGABYTE} MB`;
  }
  return "";
}

/** A large photo as a JPEG of at most 2000 pixels a side; everything else as it is. */
export async function shrunk(file, kind) {
  if (!PHOTOS.includes(kind)) return file;
  let bitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return file; // The server says what is wrong with a picture that cannot be decoded.
  }
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  if (scale === 1 && file.size <= SMALL_ENOUGH) return file;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
  return blob && (blob.size < file.size || scale < 1) ? new File([blob], file.name, { type: "image/jpeg" }) : file;
}

/** The named inputs as the server wants them: `prices.0.price` becomes prices[0].price. */
export function collect(form) {
  const data = {};
  for (const input of form.elements) {
    if (!input.name) continue;
    const value = input.type === "checkbox" && !input.checked ? input.dataset.off : input.value;
    const [name, row, part] = input.name.split(".");
    if (part) ((data[name] ??= [])[row] ??= {})[part] = value;
    else data[name] = value;
  }
  return data;
}

const refusal = (message, fields, text) => ({
  success: false,
  message: `${message}: ${fields.join(", ")}`,
  errors: fields.map((field) => ({ field, message: text })),
});

/**
 * A refusal that needs no server: it marks every blank field and every group without a file, and speaks of the fields
 * first; null when nothing is missing.
 */
export function missing(required, data, groups, filled) {
  const blank = required.filter((name) => !String(data[name] ?? "").trim());
  const empty = groups.filter((title) => !filled.has(title));
  const refusals = [
    blank.length && refusal("Please fill all required fields", blank, "Please fill this in"),
    empty.length && refusal("Please upload documents for", empty, "Upload at least one file"),
  ].filter(Boolean);
  return refusals.length ? { ...refusals[0], errors: refusals.flatMap(({ errors }) => errors) } : null;
}

export function tooMuch(files, limits) {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes <= limits.formBytes) return null;
  const [sum, most] = [Math.ceil(bytes / MEGABYTE), limits.formBytes / MEGABYTE];
  return { success: false, message: `The files come to ${sum} MB: please send at most ${most} MB at once`, errors: [] };
}

function answerOf(request) {
  try {
    const answer = JSON.parse(request.responseText);
    if (typeof answer?.success === "boolean") return answer;
  } catch {
    // Not JSON: something between here and the server answered.
  }
  return { success: false, message: `The server did not understand (${request.status}), please try again`, errors: [] };
}

/** Send data and files; resolves to the server's answer or a refusal of the same shape, and never rejects. */
export function send(url, data, files, onProgress) {
  const body = new FormData();
  body.append("vehicleData", JSON.stringify(data));
  for (const { group, file, name } of files) body.append(group, file, name);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    for (const [name, value] of Object.entries(bearer())) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onload = () => resolve(answerOf(request));
    request.onerror = request.onabort = () => resolve({ success: false, message: NO_CONNECTION, errors: [] });
    request.send(body);
  });
}

/** A stored file, read with the owner's token when it is private. Rejects when it cannot be had. */
export async function stored(url) {
  const response = await fetch(url, { headers: url.startsWith("/api/") ? bearer() : {} });
  if (!response.ok) throw new Error(String(response.status));
  return response.blob();
}
