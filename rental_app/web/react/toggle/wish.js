// A press shows at once, and goes back if it is refused: both before and without an answer.
import { useEffect, useState } from "react";
import { useListener } from "../listen.js";

/**
 * Whether something about a vehicle is on, and the setter of the wished state, which is shown at once, before the
 * server has answered. `answered` is the vehicle that the latest response was about, with the response's number: then a
 * refused wish is undone.
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
