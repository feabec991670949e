// Photos turn and load where they are swiped, without a round trip.
import { useLayoutEffect, useRef } from "react";
import { useListener } from "../listen.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };
// Which photo was pressed last: full screen begins with it.
let pressed = 0;

const step = (row, by) => row?.scrollBy({ left: by * row.clientWidth });
const show = (row, place, behavior) => row?.scrollTo({ left: place * row.clientWidth, behavior });

/** Has the controls around rows of photos turn them, and loads the other photos of a card once it is swiped. */
export function PhotoControls() {
  useListener("click", (event) => {
    const control = event.target.closest?.("[data-step], [data-photo]");
    if (!control) return;
    const row = control.closest("[data-gallery]").querySelector("[data-row]");
    // Without scripts these links lead to the photo itself.
    event.preventDefault();
    const { step: by, photo } = control.dataset;
    if (by) step(row, Number(by));
    else if (control.dataset.opens) pressed = Number(photo);
    else show(row, Number(photo));
  });
  // The browser does not always scroll a row to the link that Tab has reached.
  useListener("focusin", ({ target }) => {
    if (target.matches("[data-row] > [data-photo]"))
      show(target.parentElement, Number(target.dataset.photo), "instant");
  });
  useListener(
    "scroll",
    ({ target }) => {
      if (!target.dataset?.row) return;
      target.setAttribute("data-swiped", "");
      const counter = target.closest("[data-gallery]").querySelector("[data-counter]");
      const shown = Math.round(target.scrollLeft / target.clientWidth) + 1;
      if (counter) counter.textContent = `${shown} of ${target.children.length}`;
    },
    true,
  );
  return null;
}

/** The full-screen row: starts with the photo that was pressed; the arrow keys turn it, wherever the focus is. */
export function PhotoRow({ children, ...props }) {
  const row = useRef(null);
  // `void`, because scrolling returns a promise, which is not a clean-up function.
  useLayoutEffect(() => void show(row.current, pressed, "instant"), []);
  useListener("keydown", (event) => {
    if (!(event.key in STEPS)) return;
    event.preventDefault();
    step(row.current, STEPS[event.key]);
  });
  return (
    <div ref={row} {...props}>
      {children}
    </div>
  );
}
