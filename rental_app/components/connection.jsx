import { useContext, useEffect, useState } from "react";
import { useNavigation } from "react-router";
import { EventLoopContext } from "$/utils/context";

const LOST_AFTER_MS = 2000;
const SHOWN_FOR_MS = 4000;
const TEXTS = {
  lost: "You are offline or the shop cannot be reached. Trying again …",
  back: "Connected again",
  refused: "No connection: nothing was sent",
};

// A popover is drawn above open dialogs too.
const show = (bar) => bar?.showPopover?.();

function useOffline() {
  const [offline, setOffline] = useState(false);
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine);
    look();
    window.addEventListener("online", look);
    window.addEventListener("offline", look);
    return () => {
      window.removeEventListener("online", look);
      window.removeEventListener("offline", look);
    };
  }, []);
  return offline;
}

/** "lost" once the connection has been away for a while, "back" for a moment after that, else "". */
function useNews() {
  const [, connectErrors] = useContext(EventLoopContext);
  const away = useOffline() || connectErrors.length > 0;
  const [news, setNews] = useState("");
  useEffect(() => {
    if (!away) setNews((before) => (before === "lost" ? "back" : ""));
    const timer = away && setTimeout(() => setNews("lost"), LOST_AFTER_MS);
    return () => clearTimeout(timer);
  }, [away]);
  useEffect(() => {
    const timer = news === "back" && setTimeout(() => setNews(""), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [news]);
  return news;
}

/** How often something was refused (utils/state.js says when), until a moment after the last time. */
function useRefusals() {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const more = () => setCount((before) => before + 1);
    window.addEventListener("not-sent", more);
    return () => window.removeEventListener("not-sent", more);
  }, []);
  useEffect(() => {
    const timer = count && setTimeout(() => setCount(0), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [count]);
  return count;
}

/** Marks the links to a page that is on its way: on a slow line a tap shows at once. */
function useWaitingLinks() {
  const { location } = useNavigation();
  const to = location && location.pathname + location.search;
  useEffect(() => {
    if (!to) return undefined;
    const links = [...document.querySelectorAll("a[href]")].filter((link) => link.getAttribute("href") === to);
    links.forEach((link) => link.setAttribute("aria-busy", "true"));
    return () => links.forEach((link) => link.removeAttribute("aria-busy"));
  }, [to]);
}

export function Connection() {
  useWaitingLinks();
  const news = useNews();
  const refusals = useRefusals();
  const told = refusals && news !== "back" ? "refused" : news;
  // Open dialogs hide the rest of the page from screen readers, except what says `aria-live`.
  return (
    <div role="status" aria-live="polite" aria-label="Connection">
      {told && (
        <p key={told + refusals} ref={show} popover="manual" className={`connection connection-${told}`}>
          {TEXTS[told]}
        </p>
      )}
    </div>
  );
}
