// Two photos of one thing are looked at together: what moves or grows in one does so in the other.
import { Minus, Plus, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useEntry } from "../modal/dialogs.js";
import { call } from "../uploads/call.js";
import { useLoaded } from "../uploads/loaded.js";
import { dragged, grown, START } from "./view.js";
import "./compared.css";

const STEP = 1.5;

/** One view for both photos, moved by fingers, mouse and wheel over either of them. */
function useView() {
  const [view, setView] = useState(START);
  const box = useRef(null);
  const fingers = useRef(new Map());
  const place = ({ target, clientX, clientY }) => {
    const { left, top, width, height } = (target.closest("figure") ?? box.current).getBoundingClientRect();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  };
  const spread = () => {
    const [one, other] = [...fingers.current.values()];
    return other && Math.hypot(one.x - other.x, one.y - other.y);
  };
  const move = (event) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const [now, was] = [place(event), spread()];
    fingers.current.set(event.pointerId, now);
    const [count, by] = [fingers.current.size, was ? spread() / was : 1];
    setView((shown) => dragged(grown(shown, by, now), now, before, count));
  };
  const lift = ({ pointerId }) => fingers.current.delete(pointerId);
  const press = (event) => {
    if (!event.target.closest("figure")) return;
    event.target.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, place(event));
  };
  useEffect(() => {
    const turn = (event) => {
      event.preventDefault();
      const at = place(event);
      setView((shown) => grown(shown, event.deltaY < 0 ? 1.15 : 1 / 1.15, at));
    };
    // React's own listener may not keep the page from scrolling.
    box.current.addEventListener("wheel", turn, { passive: false });
    return () => box.current?.removeEventListener("wheel", turn);
  }, []);
  const by = (factor) => setView((shown) => grown(shown, factor, START));
  const listeners = { onPointerDown: press, onPointerMove: move, onPointerUp: lift, onPointerCancel: lift };
  return { box, view, by, listeners };
}

function FullScreen({ name, photos, onClose }) {
  const { box, view, by, listeners } = useView();
  useEffect(() => box.current.showModal(), []);
  useEntry(true, () => box.current.close());
  const style = { transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` };
  return (
    <dialog ref={box} className="cp-full" aria-label={`${name}, compared`} onClose={onClose} {...listeners}>
      {photos.map(({ shown, when }) => (
        <figure key={when}>
          {shown && <img src={shown} alt={`${name}, ${when}`} draggable={false} style={style} />}
          <figcaption>{when}</figcaption>
        </figure>
      ))}
      <div className="cp-tools">
        <button type="button" aria-label="Zoom out" disabled={view.scale === 1} onClick={() => by(1 / STEP)}>
          <Minus aria-hidden="true" />
        </button>
        <button type="button" aria-label="Zoom in" onClick={() => by(STEP)}>
          <Plus aria-hidden="true" />
        </button>
        <button type="button" aria-label="Close" onClick={() => box.current.close()}>
          <X aria-hidden="true" />
        </button>
      </div>
    </dialog>
  );
}

/** A side as it was and as it is now; a press opens both in full screen, Esc or the cross closes it. */
export function Compared({ name, before, now, beforeWhen, nowWhen, failure, again }) {
  const [isOpen, setOpen] = useState(false);
  const [first, , firstAgain] = useLoaded(() => (before ? call(before) : null), [before]);
  const [second, , secondAgain] = useLoaded(() => (now ? call(now) : null), [now]);
  const photos = [
    { shown: first, url: before, when: beforeWhen, tryAgain: firstAgain },
    { shown: second, url: now, when: nowWhen, tryAgain: secondAgain },
  ];
  return (
    <>
      <div className="cp-pair">
        {photos.map(({ shown, url, when, tryAgain }) => (
          <figure key={when}>
            {shown === null && url ? (
              <span role="status">
                {failure}{" "}
                <button type="button" onClick={tryAgain}>
                  {again}
                </button>
              </span>
            ) : (
              <button type="button" disabled={!shown} onClick={() => setOpen(true)}>
                {shown && <img src={shown} alt={`${name}, ${when}`} />}
              </button>
            )}
            <figcaption>{when}</figcaption>
          </figure>
        ))}
      </div>
      {isOpen && <FullScreen name={name} photos={photos} onClose={() => setOpen(false)} />}
    </>
  );
}
