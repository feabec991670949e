// Only the browser can hold back a link, a reload or the closing of a tab.
import { useEffect, useRef, useState } from "react";
import { useBlocker } from "react-router";
import { useListener } from "../listen.js";
import { LeaveQuestion } from "../modal/leave_question.jsx";

// Null once the form is gone: what was in it has been saved or given up. Some forms track changes themselves.
function contentOf(formId) {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById(formId));
  return form && (form.dataset.dirty ?? JSON.stringify([...new FormData(form)]));
}

export function UnsavedGuard({ formId, text }) {
  const saved = useRef(null);
  const [leaving, setLeaving] = useState(null);
  const changed = () => {
    const content = contentOf(formId);
    return saved.current !== null && content !== null && content !== saved.current;
  };
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && changed(),
  );

  useEffect(() => {
    saved.current = contentOf(formId);
  }, [formId]);
  useListener("beforeunload", (event) => changed() && event.preventDefault());
  // In the capture phase, before the page's own handlers: a logout cannot be undone.
  const click = (event) => {
    const control = event.target.closest?.("[data-leaves]");
    if (!control || !changed()) return;
    event.preventDefault();
    event.stopPropagation();
    setLeaving(control);
  };
  useListener("click", click, true);

  const stay = () => {
    setLeaving(null);
    if (blocker.state === "blocked") blocker.reset();
  };
  const leave = () => {
    saved.current = null;
    if (blocker.state === "blocked") blocker.proceed();
    else leaving?.click();
    setLeaving(null);
  };
  return (
    <LeaveQuestion
      open={blocker.state === "blocked" || leaving !== null}
      title="Leave without saving?"
      text={text}
      leaveLabel="Leave"
      onStay={stay}
      onLeave={leave}
    />
  );
}
