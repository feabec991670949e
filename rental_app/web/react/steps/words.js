// What steps.jsx says, without the page, for javascript/test.
/** What the navigation says about a step, by how many of its inputs are blank and how many are wrong. */
export function wordsFor({ blank, wrong }) {
  if (blank) return `${blank} to fill`;
  return wrong ? `${wrong} to correct` : "Complete";
}

/** What it says about all steps. */
export function totalOf(counts) {
  const open = counts.reduce((sum, { blank }) => sum + blank, 0);
  if (open) return `${open} ${open === 1 ? "field" : "fields"} to fill`;
  return counts.some(({ wrong }) => wrong) ? "Some fields are to be corrected" : "Everything is filled in";
}
