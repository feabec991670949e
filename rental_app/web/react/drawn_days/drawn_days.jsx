// Days light up under the moving mouse: no answer of the server would be in time.
import { useRef } from "react";
import { useListener } from "../listen.js";

const dayAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-day]");

/** Dragging over the days of a row with the mouse chooses them; a press on a single day is left to its button. */
export function DrawnDays({ onDraw }) {
  const drawn = useRef(/** @type {Element[]} */ ([]));
  const mark = (days) => {
    for (const day of drawn.current) day.removeAttribute("data-drawn");
    for (const day of days) day.setAttribute("data-drawn", "");
    drawn.current = days;
  };
  useListener("pointerdown", (event) => {
    const day = event.pointerType === "mouse" && event.target.closest("[data-day]");
    if (day) mark([day]);
  });
  useListener("pointermove", (event) => {
    const [first] = drawn.current;
    const day = first && dayAt(event);
    if (!day || day.parentElement !== first.parentElement) return;
    const row = [...day.parentElement.querySelectorAll("[data-day]")];
    const [from, to] = [row.indexOf(first), row.indexOf(day)];
    const between = row.slice(Math.min(from, to), Math.max(from, to) + 1);
    mark(from > to ? between.reverse() : between);
  });
  useListener("pointerup", () => {
    const days = drawn.current.map((day) => day.getAttribute("data-day")).sort();
    const vehicle = drawn.current[0]?.parentElement.getAttribute("data-vehicle");
    mark([]);
    if (days.length > 1) onDraw(vehicle, days[0], days.at(-1));
  });
  return null;
}
