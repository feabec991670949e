// Only the browser knows which part of a drawing is in sight.
import { useRef, useState } from "react";

const WIDTHS = [100, 160, 240];

/** Plus and minus for the drawing in the pane before them, around its middle, and at first around what is chosen. */
export function Zoom({ look, className }) {
  const place = useRef(null);
  const [step, setStep] = useState(0);
  const move = (next) => {
    if (!WIDTHS[next]) return;
    const pane = place.current.previousElementSibling;
    const drawing = pane.firstElementChild;
    const box = (node) => node.getBoundingClientRect();
    const [whole, seen] = [box(drawing), box((step === 0 && pane.querySelector("[aria-current=true]")) || pane)];
    const across = (seen.left + seen.width / 2 - whole.left) / whole.width;
    const down = (seen.top + seen.height / 2 - whole.top) / whole.height;
    drawing.style.width = `${WIDTHS[next]}%`;
    const now = box(drawing);
    pane.scrollTo(across * now.width - pane.clientWidth / 2, down * now.height - pane.clientHeight / 2);
    setStep(next);
  };
  const button = (sign, label, next) => (
    <button type="button" className={look} aria-label={label} aria-disabled={!WIDTHS[next]} onClick={() => move(next)}>
      {sign}
    </button>
  );
  return (
    <div ref={place} className={className}>
      {button("+", "Zoom in", step + 1)}
      {button("−", "Zoom out", step - 1)}
    </div>
  );
}
