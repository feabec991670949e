// Corrects what is typed before it is seen, and keeps the caret, which only the browser has.
import { kept } from "./mobile.js";

/** A text input that takes digits only, however they are typed or pasted: a mobile number with its country code too. */
export function Digits({ most, ...props }) {
  const take = ({ target }) => {
    const { digits, caret } = kept(target.value, most, target.selectionStart);
    if (digits === target.value) return;
    // Bypasses React, which would see no change of the value and notify nobody.
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    set.call(target, digits);
    target.setSelectionRange(caret, caret);
  };
  return <input {...props} inputMode="numeric" onInputCapture={take} />;
}
