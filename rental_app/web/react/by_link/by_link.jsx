// The token leaves the page's address before anything else sees it: only the browser can change its history.
import { useEffect, useRef, useState } from "react";

/**
 * Moves the token of the page's address into the field for it. The address loses it before anything else can see it:
 * the history, a bookmark, the Referer of a link.
 */
export function ByLink({ className = "", children }) {
  const place = useRef(null);
  const [isLinked, setLinked] = useState(false);
  useEffect(() => {
    const { pathname, search } = window.location;
    const token = new URLSearchParams(search).get("token");
    if (!token) return;
    window.history.replaceState(window.history.state, "", pathname);
    place.current.querySelector("[name=token]").value = token;
    setLinked(true);
  }, []);
  return (
    <div ref={place} className={`group ${className}`} data-linked={isLinked || undefined}>
      {children}
    </div>
  );
}
