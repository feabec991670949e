// See wish.js.
import { useWish } from "./wish.js";

/** A button that marks a vehicle. */
export function Toggle({ vehicle, marked, answered, onToggle, children, ...props }) {
  const [isOn, setWish] = useWish(vehicle, marked.includes(vehicle), answered);
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
