/** A page's title with how much waits before it, or without one: "(4) Today". */
export const titled = (title, count) => (count ? `(${count}) ` : "") + title.replace(/^\(\d+\) /, "");
