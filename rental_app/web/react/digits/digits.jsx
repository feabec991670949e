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

/** A text input that takes digits only, however they are typed or pasted: a mobile number with its country code too. */
export function Digits({ most, ...props }) {
  const take = ({ target }) => {
    const kept = most === MOBILE ? mobile(target.value) : digitsIn(target.value).slice(0, most);
    if (kept === target.value) return;
    const left = most === MOBILE ? digitsIn(target.value).length - kept.length : 0;
    const caret = Math.max(0, digitsIn(target.value.slice(0, target.selectionStart)).length - left);
    // Bypasses React, which would see no change of the value and notify nobody.
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    set.call(target, kept);
    target.setSelectionRange(caret, caret);
  };
  return <input {...props} inputMode="numeric" onInputCapture={take} />;
}
