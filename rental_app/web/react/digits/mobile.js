// What digits.jsx keeps, without the page, for javascript/test.
// The length of a mobile number, and how one is dialled: from abroad, with the country's code, with the 0 before it.
const MOBILE = 10;
const DIALLED = /^(?:(?:\+|00)?91)?0?([6-9]\d{9})$/;

// Keyboards and messengers write full-width digits, and marks that nobody sees.
const plain = (text) =>
  text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .trimStart();
const digitsIn = (text) => plain(text).replace(/\D/g, "");

/** A mobile number without what is dialled before it. Anything else stays whole: a number cut short is somebody's. */
function mobile(text) {
  const dialled = (plain(text).startsWith("+") ? "+" : "") + digitsIn(text);
  return dialled.match(DIALLED)?.[1] ?? dialled;
}

/** What a field for at most this many digits keeps of a text, and where the caret stands in it. */
export function kept(text, most, caret) {
  const digits = most === MOBILE ? mobile(text) : digitsIn(text).slice(0, most);
  const left = most === MOBILE ? digitsIn(text).length - digits.length : 0;
  return { digits, caret: Math.max(0, digitsIn(text.slice(0, caret)).length - left) };
}
