// Whether anybody is looking at the tab is known only there.
import { useEffect, useEffectEvent } from "react";
import { useListener } from "../listen.js";

export function Heartbeat({ seconds, onBeat }) {
  const beat = () => document.hidden || onBeat();
  const latest = useEffectEvent(beat);
  useListener("visibilitychange", beat);
  useEffect(() => {
    const timer = setInterval(() => latest(), seconds * 1000);
    return () => clearInterval(timer);
  }, [seconds]);
  return null;
}
