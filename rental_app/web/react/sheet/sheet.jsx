// The browser opens and closes it, by Back too; the keyboard's round in it and fields that are sought need a script.
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useListener } from "../listen.js";

const STOPS = "a[href], button, select, input:not([type=hidden])";
// As in site.css.
const isPhone = () => window.matchMedia("(max-width: 639px)").matches;

/** A part of the page that a phone shows as a sheet over it, once a control names it or one of its fields is sought. */
export function Sheet({ label, children, ...attributes }) {
  const box = useRef(null);
  const [isOpen, setOpen] = useState(false);
  const isSent = useRef(false);
  const { key } = useLocation();
  const turn = (open) => {
    isSent.current = false;
    box.current.togglePopover(open);
  };
  const seek = ({ target }) => isPhone() && box.current.contains(target) && turn(true);
  // The server seeks a field that it has refused, the browser one that it would not send.
  useListener("sought", seek);
  useListener("invalid", seek, true);
  useListener("resize", () => isPhone() || turn(false));
  // A place that is chosen may be followed by dates; after a search its results are to be seen.
  useListener("submit", () => {
    isSent.current = true;
  });
  useEffect(() => {
    if (isSent.current) turn(false);
  }, [key]);
  const note = ({ newState }) => {
    setOpen(newState === "open");
    if (newState === "open" && !box.current.contains(document.activeElement)) box.current.querySelector("h2").focus();
  };
  const round = (event) => {
    if (event.key !== "Tab" || !isOpen) return;
    const stops = [...box.current.querySelectorAll(STOPS)].filter((stop) => stop.checkVisibility());
    const [end, start] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
    if (document.activeElement !== end) return;
    event.preventDefault();
    start.focus();
  };
  const dialog = isOpen ? { role: "dialog", "aria-modal": true, "aria-label": label } : {};
  return (
    <div {...attributes} {...dialog} ref={box} popover="auto" onToggle={note} onKeyDown={round}>
      {children}
    </div>
  );
}
