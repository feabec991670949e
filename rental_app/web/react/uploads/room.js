// What uploads.jsx counts, without the page, for javascript/test.

/** How many more files a group takes that has some: one that replaces another needs no place of its own. */
export const roomFor = (most, had, replaces) => (most === 1 ? 1 : most - had + (replaces ? 1 : 0));

const MEGABYTE = 1024 * 1024;
const sumOf = (all, value) => all.reduce((sum, each) => sum + (value(each) || 0), 0);
const inMegabytes = (bytes) => (bytes / MEGABYTE).toFixed(1);
const isOpen = ({ id }) => !id;

/** What the caption of a group says of its files. */
export function stateOf(items) {
  if (items.some(({ failed }) => failed)) return "Not sent yet";
  const sending = items.filter(isOpen);
  if (!sending.length) return items.length ? "Saved" : "Needed";
  const sent = sumOf(sending, ({ size, share }) => size * share);
  return `${inMegabytes(sent)} of ${inMegabytes(sumOf(sending, ({ size }) => size))} MB`;
}

/** How many groups are saved, and in words what the others wait for; `groups` are their files. */
export function totalOf(groups) {
  const failed = groups.filter((items) => items.some((item) => item.failed));
  const sending = groups.filter((items) => items.some(isOpen) && !failed.includes(items));
  const empty = groups.filter((items) => !items.length);
  const counts = { sending: sending.length, failed: failed.length, "to take": empty.length };
  const words = Object.entries(counts).map(([word, count]) => (count ? `${count} ${word}` : ""));
  const saved = groups.length - failed.length - sending.length - empty.length;
  return { saved, words: words.filter(Boolean).join(", ") };
}
