// The token leaves the page's address before anything else sees it: only the browser can change its history.
import { useEffect, useRef, useState } from "react";

/**
 * Moves the token of the page's address into the field for it. The address loses it before anything else can see it:
 * the history, a bookmark, the Referer of a link. A page that has just been left may have it shown as `done` for a
 * moment, without the field: it is filled once it is there, until its form is sent. `onLink` gets the token at once.
 */
export function ByLink({ className = "", done = false, onLink, children }) {
  const place = useRef(null);
  const token = useRef(null);
  const [isLinked, setLinked] = useState(false);
  useEffect(() => {
    const { pathname, search } = window.location;
    token.current = new URLSearchParams(search).get("token");
    if (!token.current) return;
    window.history.replaceState(window.history.state, "", pathname);
    onLink?.(token.current);
  }, []);
  useEffect(() => {
    if (done) return;
    if (token.current) place.current.querySelector("[name=token]").value = token.current;
    setLinked(Boolean(token.current));
  }, [done]);
  const send = () => {
    token.current = null;
  };
  return (
    <div ref={place} onSubmit={send} className={`group ${className}`} data-linked={isLinked || undefined}>
      {children}
    </div>
  );
}
