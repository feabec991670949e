// A server that has lost a page, as after a restart, empties it before it builds it anew.
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

const BUILT_WITHIN_MS = 10_000;
const nameOf = ({ textContent, ariaLabel, name }) => textContent || ariaLabel || name;
/** What is of an element's kind and name, in the page's order. */
const alike = (element) =>
  [...document.querySelectorAll(element.localName)].filter((node) => nameOf(node) === nameOf(element));
let end = () => {};

/** Keeps what is in view, and has the keyboard, until the page is there again. */
function keepPlace() {
  end();
  const { body, activeElement } = document;
  const place = alike(activeElement).indexOf(activeElement);
  let focused = activeElement;
  // A page that gets shorter is scrolled up.
  body.style.minHeight = `${body.scrollHeight}px`;
  const watch = new MutationObserver(() => {
    if (focused.isConnected || document.activeElement !== body) return;
    const successor = alike(activeElement)[place];
    if (!successor) return;
    successor.focus({ preventScroll: true });
    // Whoever leaves it then is left alone.
    focused = successor;
  });
  watch.observe(body, { childList: true, subtree: true });
  const timer = setTimeout(() => end(), BUILT_WITHIN_MS);
  end = () => {
    clearTimeout(timer);
    watch.disconnect();
    body.style.minHeight = "";
  };
}

/** Keeps the place in a page from when the server knows nobody any more, unless the page is left. */
export function useKeptPlace(known) {
  const { pathname } = useLocation();
  const wasKnown = useRef(known);
  // The page is still whole until this is rendered.
  if (wasKnown.current && !known) keepPlace();
  wasKnown.current = known;
  useEffect(() => () => end(), [pathname]);
}
