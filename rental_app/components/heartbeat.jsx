import { useEffect, useRef } from "react";

export function Heartbeat({ seconds, onBeat }) {
  const beat = useRef(onBeat);
  beat.current = onBeat;
  useEffect(() => {
    const tick = () => {
      if (!document.hidden) beat.current();
    };
    const timer = setInterval(tick, seconds * 1000);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [seconds]);
  return null;
}
