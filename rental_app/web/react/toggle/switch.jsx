// See wish.js; apart from toggle.jsx, so that public pages do not load the switch.
import { Switch as RadixSwitch } from "@radix-ui/themes";
import { useWish } from "./wish.js";
import "./switch.css";

/** Radix's switch, for something that is on or off about a vehicle. */
export function Switch({ vehicle, isOn, answered, onToggle, ...props }) {
  const [isShown, setWish] = useWish(vehicle, isOn, answered);
  const press = (wanted) => {
    setWish(wanted);
    onToggle(vehicle, wanted);
  };
  return <RadixSwitch {...props} className="wide-target" size="3" checked={isShown} onCheckedChange={press} />;
}
