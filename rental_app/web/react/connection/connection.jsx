// Tells what the server cannot: that it cannot be reached, and what was not sent.
import { useEffect, useState } from "react";
import { useNavigation } from "react-router";
import { useAway, useListener } from "../listen.js";
import "../translated/translated.js";
import { useKeptPlace } from "./kept_place.js";

const LOST_AFTER_MS = 2000;
const SHOWN_FOR_MS = 4000;
const NONE = { count: 0, told: "" };
const show = (bar) => bar?.showPopover?.();

/** "lost" once the connection has been gone for a while, "back" for a moment after that, otherwise "". */
function useNews(away) {
  const [news, setNews] = useState("");
  useEffect(() => {
    if (!away) setNews((before) => before && "back");
    const timer = setTimeout(() => setNews(away ? "lost" : ""), away ? LOST_AFTER_MS : SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [away]);
  return news;
}

const LOGIN = "form:has(input[autocomplete=current-password])";

/** Logs in by REST while the server has no room for this tab: it has for those of people who are logged in. */
function useLoginMeanwhile(isFull) {
  const logIn = async (event) => {
    if (!isFull || !event.target.matches(LOGIN)) return;
    event.preventDefault();
    event.stopPropagation();
    const { email, password } = Object.fromEntries(new FormData(event.target));
    const request = { method: "POST", headers: { "Content-Type": "application/json" } };
    const answer = await fetch("/api/user/login", { ...request, body: JSON.stringify({ email, password }) })
      .then((response) => response.json())
      .catch(() => ({}));
    if (answer.token) {
      localStorage.setItem("token", answer.token);
      location.reload();
    } else {
      window.dispatchEvent(new CustomEvent("not-sent", { detail: answer.message }));
    }
  };
  useListener("submit", logIn, true);
}

/** The latest refusal, or event that may not have arrived (utils/state.js says which), for a moment; their count. */
function useRefusals() {
  const [refusals, setRefusals] = useState(NONE);
  useListener("not-sent", ({ detail }) =>
    setRefusals(({ count }) => ({ count: count + 1, told: detail || "refused" })),
  );
  useEffect(() => {
    const timer = setTimeout(() => setRefusals(NONE), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [refusals.count]);
  return refusals;
}

const withoutPlace = (url) => url.split("#")[0];

/** Blocks links to other pages without a network: the browser would show its own error page instead. */
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

/** Marks the links to a page that is loading: on a slow line a tap shows an effect at once. */
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

/**
 * Loads the page anew when another tab of this browser has logged out (events.py): nothing private stays on it, in its
 * dialogs or in its storage. Forms that ask before they are left are not asked.
 */
function useLogoutElsewhere() {
  useListener("storage", ({ key, newValue }) => {
    if (key !== "logout" || !newValue) return;
    window.addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), true);
    sessionStorage.clear();
    location.reload();
  });
}

export function Connection({ texts, known }) {
  useWaitingLinks();
  useLogoutElsewhere();
  useStaying();
  const [away, connectErrors] = useAway();
  useKeptPlace(known);
  const news = useNews(away);
  // Why the server refuses this tab (sockets.py), if it is that.
  const reason = connectErrors.findLast((error) => error.data?.code);
  const isFull = reason?.data.code === "too_many_tabs";
  useLoginMeanwhile(isFull);
  const refusals = useRefusals();
  const told = (news !== "back" && refusals.told) || news;
  const isRefused = told === "lost" && reason;
  // Open dialogs hide the rest of the page from screen readers, except what has `aria-live`, and are below a popover.
  return (
    <div role="status" aria-live="polite" aria-label="Connection">
      {told && (
        <p key={told + refusals.count} ref={show} popover="manual" className={`connection connection-${news}`}>
          {isRefused ? reason.message : (texts[told] ?? told)}
          {isRefused && isFull && (
            <button type="button" data-opens="login" data-asks="{}">
              {texts.login}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
