import { useEffect, useState } from "react";
import { useListener } from "../listen.js";

/**
 * A button that marks a vehicle and shows it at once, before the server has answered. `answered` is the vehicle that the
 * latest answer was about, with the answer's number: what was refused goes back then.
 */
export function Toggle({ vehicle, marked, answered, onToggle, children, ...props }) {
  const isMarked = marked.includes(vehicle);
  const [wish, setWish] = useState(null);
  const forget = () => setWish(null);
  useEffect(() => {
    if (answered[0] === vehicle) forget();
  }, [answered[0], answered[1], vehicle]);
  useListener("not-sent", forget);
  const isOn = wish ?? isMarked;
  const press = () => {
    setWish(!isOn);
    onToggle(vehicle, !isOn);
  };
  return (
    <button {...props} type="button" value={vehicle} aria-pressed={isOn} onClick={press}>
      {children}
    </button>
  );
}
