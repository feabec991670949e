import { useEffect, useState } from "react";
import { useLocation } from "react-router";

const arrived = typeof window === "undefined" ? "" : window.location.pathname;
const address = ({ pathname, search }) => pathname + search;

/** What the server put into a place of the page; null where a browser has come by a link within the site. */
function readServed(id, location) {
  if (typeof document === "undefined") return { html: "", address: "" };
  const place = document.getElementById(id);
  return place?.hasAttribute("data-slot") ? { html: place.innerHTML, address: address(location) } : null;
}

/** Shows what the server put here until the page itself is ready to, and never again after that. */
export function Served({ name, ready, children }) {
  const id = `served-${name}`;
  const location = useLocation();
  const [served, setServed] = useState(() => readServed(id, location));
  const over = !served?.html || ready || served.address !== address(location);
  useEffect(() => {
    if (over) setServed(null);
  }, [over]);
  return served && (!over || !served.html) ? (
    <div
      id={id}
      data-slot=""
      className="contents"
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: served.html }}
    />
  ) : (
    children
  );
}

/** Takes what the server said about the first page out of the head when another one is shown. */
export function ServedHead() {
  const { pathname } = useLocation();
  useEffect(() => {
    if (pathname !== arrived) document.head.querySelectorAll("[data-served]").forEach((node) => node.remove());
  }, [pathname]);
  return null;
}
