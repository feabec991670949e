const ABROAD = /^(\+?91|0)(?=\d{10}$)/;

function digitsOf(text, most) {
  const bare = text.replace(/[^\d+]/g, "");
  return (bare.length > most ? bare.replace(ABROAD, "") : bare).replace(/\D/g, "").slice(0, most);
}

/** A text input that takes digits only, however they are typed or pasted: a mobile number also with its country's code. */
export function Digits({ most, ...props }) {
  const take = ({ target }) => {
    const digits = digitsOf(target.value, most);
    // Past React, which would take the value for no change and tell nobody.
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    if (digits !== target.value) set.call(target, digits);
  };
  return <input {...props} inputMode="numeric" onInputCapture={take} />;
}
