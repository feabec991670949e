// What files really are, whatever their names say.

const STARTS = [
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/webp", /^RIFF[^]{4}WEBP/],
  ["application/pdf", /^%PDF-/],
];
const LONGEST_START = 12;
export const PDF = "application/pdf";
export const PHOTOS = STARTS.map(([kind]) => kind).filter((kind) => kind !== PDF);

/** The kind of a file by how it begins; "" for a kind nobody takes, an empty file and one that cannot be read. */
export async function kindOf(file) {
  try {
    const bytes = await file.slice(0, LONGEST_START).arrayBuffer();
    const start = String.fromCharCode(...new Uint8Array(bytes));
    return STARTS.find(([, pattern]) => pattern.test(start))?.[0] ?? "";
  } catch {
    return "";
  }
}
