import { useEffect, useState } from "react";

/** A native drop-down that shows a choice at once; the owner of the value corrects it later if need be. */
export function Choice({ value = "", options = [], emptyLabel, onChoose, className, ...props }) {
  const [shown, setShown] = useState(value);
  useEffect(() => setShown(value), [value, options]);
  const change = (event) => {
    setShown(event.target.value);
    onChoose?.(event.target.value);
  };
  return (
    <select {...props} className={className} value={shown} onChange={change}>
      <option value="">{emptyLabel}</option>
      {options.map((option) => <option key={option.value} value={option.value}>{option.label}</option>)}
    </select>
  );
}
