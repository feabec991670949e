import { useEffect, useEffectEvent } from "react";

/** Calls `hear` with every event of a type that reaches the window, while the component is there. */
export function useListener(type, hear) {
  const latest = useEffectEvent(hear);
  useEffect(() => {
    const listener = (event) => latest(event);
    window.addEventListener(type, listener);
    return () => window.removeEventListener(type, listener);
  }, [type]);
}
