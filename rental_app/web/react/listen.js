// Whatever the whole page hears, in one way; Reflex has no events of the window.
import { useContext, useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import { EventLoopContext } from "$/utils/context";

/** Calls `hear` with every event of a type that reaches the window, or in its capture phase, from before the paint. */
export function useListener(type, hear, isOnItsWayIn = false) {
  const latest = useEffectEvent(hear);
  useLayoutEffect(() => {
    const listener = (event) => latest(event);
    window.addEventListener(type, listener, isOnItsWayIn);
    return () => window.removeEventListener(type, listener, isOnItsWayIn);
  }, [type, isOnItsWayIn]);
}

/** Whether the server cannot be reached, and the errors of the attempts to connect. */
export function useAway() {
  const [, connectErrors] = useContext(EventLoopContext);
  const [isOnline, setOnline] = useState(true);
  const look = () => setOnline(navigator.onLine);
  useListener("online", look);
  useListener("offline", look);
  useEffect(look, []);
  return /** @type {const} */ ([!isOnline || connectErrors.length > 0, connectErrors]);
}
