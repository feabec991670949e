import { useContext, useEffect, useState } from "react";
import { useNavigation } from "react-router";
import { EventLoopContext } from "$/utils/context";
import { useListener } from "../listen.js";

const LOST_AFTER_MS = 2000;
const SHOWN_FOR_MS = 4000;
const show = (bar) => bar?.showPopover?.();

/** "lost" once the connection has been away for a while, "back" for a moment after that, else "". */
function useNews() {
  const [, connectErrors] = useContext(EventLoopContext);
  const [isOnline, setOnline] = useState(true);
  const look = () => setOnline(navigator.onLine);
  useListener("online", look);
  useListener("offline", look);
  useEffect(look, []);
  const away = !isOnline || connectErrors.length > 0;
  const [news, setNews] = useState("");
  useEffect(() => {
    if (!away) setNews((before) => before && "back");
    const timer = setTimeout(() => setNews(away ? "lost" : ""), away ? LOST_AFTER_MS : SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [away]);
  return news;
}

/** How often something was refused (utils/state.js says when), until a moment after the last time. */
function useRefusals() {
  const [count, setCount] = useState(0);
  useListener("not-sent", () => setCount((before) => before + 1));
  useEffect(() => {
    const timer = setTimeout(() => setCount(0), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [count]);
  return count;
}

const withoutPlace = (url) => url.split("#")[0];

/** Refuses links to other pages without a network: the browser would show a page of its own instead. */
function useStaying() {
  const stay = (event) => {
    const link = navigator.onLine ? null : event.target.closest?.("a[href]");
    if (link?.origin !== location.origin || withoutPlace(link.href) === withoutPlace(location.href)) return;
    event.preventDefault();
    event.stopPropagation();
    window.dispatchEvent(new Event("not-sent"));
  };
  useListener("click", stay, true);
}

/** Marks the links to a page that is on its way: on a slow line a tap shows at once. */
function useWaitingLinks() {
  const { location } = useNavigation();
  const to = location && CSS.escape(location.pathname + location.search);
  useEffect(() => {
    const links = to ? [...document.querySelectorAll(`a[href="${to}"]`)] : [];
    for (const link of links) link.ariaBusy = "true";
    return () => {
      for (const link of links) link.ariaBusy = null;
    };
  }, [to]);
}

export function Connection({ texts }) {
  useWaitingLinks();
  useStaying();
  const news = useNews();
  const refusals = useRefusals();
  const told = refusals && news !== "back" ? "refused" : news;
  // Open dialogs hide the rest of the page from screen readers, except what says `aria-live`, and lie below a popover.
  return (
    <div role="status" aria-live="polite" aria-label="Connection">
      {told && (
        <p key={told + refusals} ref={show} popover="manual" className={`connection connection-${told}`}>
          {texts[told]}
        </p>
      )}
    </div>
  );
}
