// Scroll positions and steps in the history are the browser's.
import { useEffect, useLayoutEffect } from "react";
import { Link, useLocation, useNavigate, useNavigationType } from "react-router";
import { useListener } from "../listen.js";

// The scroll position of each history entry, by its key, and the entry that showed results last.
const places = {};
// By the addresses of lists, and the address seen last: a list that is returned to from its map stands where it stood.
const lists = {};
let [before, last, height] = ["", null, 0];
const entry = () => window.history.state?.idx;
// The first entry of a session has no key.
const keyHere = () => window.history.state?.key ?? "default";

/** Cards that have not been laid out only nearly have their height (site.css). */
const layOutAll = () => document.documentElement.setAttribute("data-whole", "");

/** Scrolls to where somebody was before. */
function scrollBack(place) {
  layOutAll();
  window.scrollTo(0, place);
}

/** Restores the scroll position in a list that is loaded later than its page. */
export function RestoredScroll({ ready }) {
  const { key, search } = useLocation();
  const isReturn = useNavigationType() === "POP";
  useListener("scroll", () => {
    const { scrollY } = window;
    if (ready && keyHere() === key) places[key] = lists[search] = scrollY;
    // On the way down a phone's bar and buttons make room; the rules are in site.css. A few pixels are no way.
    if (Math.abs(scrollY - height) < 8) return;
    document.documentElement.toggleAttribute("data-down", scrollY > height && scrollY > 120);
    height = scrollY;
  });
  useLayoutEffect(() => {
    if (!ready) return;
    // Somebody who has scrolled in the served list stays there when it is replaced.
    if (window.scrollY > 0) layOutAll();
    if (isReturn && key in places) scrollBack(places[key]);
    else if (before.includes("view=map") && search in lists) scrollBack(lists[search]);
    before = search;
  }, [key, ready]);
  useEffect(() => {
    // The address changes before its page has replaced this one.
    if (keyHere() === key) last = entry();
  });
  return null;
}

/** A link back to the results: if they are the previous page, it steps back to the scroll position in them. */
export function BackLink({ href, children, ...attributes }) {
  const navigate = useNavigate();
  const back = (event) => {
    if (last === null || entry() !== last + 1 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    navigate(-1);
  };
  return (
    <Link to={href} onClick={back} {...attributes}>
      {children}
    </Link>
  );
}
