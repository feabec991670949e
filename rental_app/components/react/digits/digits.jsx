const ABROAD = /^(91|0)(?=\d{10}$)/;

function digitsOf(text, most) {
  const digits = text.replace(/\D/g, "");
  // Typed key by key, a country's code comes before the number's last digits: they must not be the ones cut off.
  if (most === 10 && digits.startsWith("91") && digits.length === 11) return digits;
  return (digits.length > most ? digits.replace(ABROAD, "") : digits).slice(0, most);
}

/** A text input that takes digits only, however they are typed or pasted: a mobile number with its country code too. */
export function Digits({ most, ...props }) {
  const take = ({ target }) => {
    const digits = digitsOf(target.value, most);
    // Bypasses React, which would see no change of the value and notify nobody.
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    if (digits !== target.value) set.call(target, digits);
  };
  return <input {...props} inputMode="numeric" onInputCapture={take} />;
}
