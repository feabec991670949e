// What uploads.jsx counts, without the page, for javascript/test.

/** How many more files a group takes that has some: one that replaces another needs no place of its own. */
export const roomFor = (most, had, replaces) => (most === 1 ? 1 : most - had + (replaces ? 1 : 0));
