import { useEffect, useLayoutEffect } from "react";
import { Link, useLocation, useNavigate, useNavigationType } from "react-router";
import { useListener } from "../listen.js";

// How far down each entry of the history was, by its key, and which entry showed results last.
const places = {};
let last = null;
const entry = () => window.history.state?.idx;
// The one that a session begins with has no key.
const keyHere = () => window.history.state?.key ?? "default";

/** Brings people back to where they were in a list that comes later than its page. */
export function KeptPlace({ ready }) {
  const { key } = useLocation();
  const isReturn = useNavigationType() === "POP";
  useListener("scroll", () => {
    if (ready && keyHere() === key) places[key] = window.scrollY;
  });
  useLayoutEffect(() => {
    if (ready && isReturn && key in places) window.scrollTo(0, places[key]);
  }, [key, ready]);
  useEffect(() => {
    // The address changes before its page has taken the place of this one.
    if (keyHere() === key) last = entry();
  });
  return null;
}

/** A link back to the results: where they are the page before, it is the step back to the place in them. */
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
