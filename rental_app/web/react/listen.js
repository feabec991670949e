import { useEffect, useEffectEvent } from "react";

/** Calls `hear` with every event of a type that reaches the window, or in its capture phase, while mounted. */
export function useListener(type, hear, isOnItsWayIn = false) {
  const latest = useEffectEvent(hear);
  useEffect(() => {
    const listener = (event) => latest(event);
    window.addEventListener(type, listener, isOnItsWayIn);
    return () => window.removeEventListener(type, listener, isOnItsWayIn);
  }, [type, isOnItsWayIn]);
}
