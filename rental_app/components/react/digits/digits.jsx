// How a mobile number may begin: as it is dialled from abroad, with the country's code, with the 0 before it.
const LEADING = /^(00)?(91)?0?(?=\d{10}$)/;

const digitsIn = (text) => text.replace(/\D/g, "");

/** What an input keeps of some digits, and how many it leaves out at their beginning. */
function kept(digits, most) {
  // Typed key by key, a country's code comes before the number's last digits: they must not be the ones cut off.
  if (most === 10 && digits.startsWith("91") && digits.length === 11) return { digits, left: 0 };
  const left = digits.match(LEADING)?.[0].length ?? 0;
  return { digits: digits.slice(left, left + most), left };
}

/** A text input that takes digits only, however they are typed or pasted: a mobile number with its country code too. */
export function Digits({ most, ...props }) {
  const take = ({ target }) => {
    const { digits, left } = kept(digitsIn(target.value), most);
    if (digits === target.value) return;
    const caret = Math.max(0, digitsIn(target.value.slice(0, target.selectionStart)).length - left);
    // Bypasses React, which would see no change of the value and notify nobody.
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    set.call(target, digits);
    target.setSelectionRange(caret, caret);
  };
  return <input {...props} inputMode="numeric" onInputCapture={take} />;
}
