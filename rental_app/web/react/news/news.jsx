// A tab behind others goes on asking: its title and a sound are what its owner has of it there.
import { Volume2, VolumeX } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { titled } from "./title.js";
import "./news.css";

const KEY = "quiet-requests";
const TONES = [880, 1174.7];

/** Two short, soft tones; browsers allow them once the page has been used. */
function ring() {
  const context = new AudioContext();
  TONES.forEach((frequency, place) => {
    const at = context.currentTime + place * 0.16;
    const tone = new OscillatorNode(context, { frequency });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.3);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.3);
  });
  setTimeout(() => context.close(), 1000);
}

export function News({ seconds, count, newest, onBeat }) {
  const [isQuiet, setQuiet] = useState(false);
  const latest = useEffectEvent(onBeat);
  const before = useRef(newest);
  useEffect(() => setQuiet(localStorage.getItem(KEY) === "yes"), []);
  useEffect(() => {
    const timer = setInterval(() => latest(), seconds * 1000);
    return () => clearInterval(timer);
  }, [seconds]);
  useEffect(() => {
    document.title = titled(document.title, count);
    return () => {
      document.title = titled(document.title, 0);
    };
  }, [count]);
  const tell = useEffectEvent(() => {
    if (newest && newest !== before.current && !isQuiet) ring();
    before.current = newest;
  });
  useEffect(() => tell(), [newest]);
  const flip = () => {
    localStorage.setItem(KEY, isQuiet ? "no" : "yes");
    setQuiet(!isQuiet);
    if (isQuiet) ring();
  };
  const Icon = isQuiet ? VolumeX : Volume2;
  return (
    <>
      <button type="button" className="sound-switch" aria-pressed={!isQuiet} onClick={flip} title="Sound">
        <Icon size={18} aria-hidden="true" />
        <span className="sr-only">Sound for new requests</span>
      </button>
      <span role="status" className="sr-only">
        {newest}
      </span>
    </>
  );
}
