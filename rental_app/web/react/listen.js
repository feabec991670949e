// Whatever the whole page hears, in one way; Reflex has no events of the window.
import { useEffectEvent, useLayoutEffect } from "react";

/** Calls `hear` with every event of a type that reaches the window, or in its capture phase, from before the paint. */
export function useListener(type, hear, isOnItsWayIn = false) {
  const latest = useEffectEvent(hear);
  useLayoutEffect(() => {
    const listener = (event) => latest(event);
    window.addEventListener(type, listener, isOnItsWayIn);
    return () => window.removeEventListener(type, listener, isOnItsWayIn);
  }, [type, isOnItsWayIn]);
}
