import { useEffect, useState } from "react";
import { useListener } from "../listen.js";

/**
 * Whether something about a vehicle is on, and what says that it should be: that shows at once, before the server has
 * answered. `answered` is the vehicle that the latest answer was about, with the answer's number: what was refused goes
 * back then.
 */
export function useWish(vehicle, isStored, answered) {
  const [wish, setWish] = useState(null);
  const forget = () => setWish(null);
  useEffect(() => {
    if (answered[0] === vehicle) forget();
  }, [answered[0], answered[1], vehicle]);
  useListener("not-sent", forget);
  return [wish ?? isStored, setWish];
}
