// Counts what is blank at every key, and turns steps without a round trip.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { useListener } from "../listen.js";
import { totalOf, wordsFor } from "./words.js";
import "./steps.css";

const ALL = "all";
const NEEDED = '[aria-required="true"], [name^="files."]';
const WRONG = '[aria-invalid="true"]';
const isBlank = ({ value }) => !value.trim() || value === "[]";

/** How many inputs of a step are still to be filled in, and how many of the others are wrong. */
function look(box, { id }) {
  const found = (selector) => [...box.querySelectorAll(selector)].filter((input) => input.closest(`.step-${id}`));
  const blank = found(NEEDED).filter(isBlank);
  return { id, blank: blank.length, wrong: found(WRONG).filter((input) => !isBlank(input)).length };
}

/** Counts again whenever something in the box has been typed, rendered or refused. */
function useCounts(box, steps) {
  const [counts, setCounts] = useState([]);
  const count = useEffectEvent(() => {
    const now = steps.map((step) => look(box.current, step));
    if (JSON.stringify(now) !== JSON.stringify(counts)) setCounts(now);
  });
  useEffect(() => {
    const observer = new MutationObserver(() => count());
    const attributeFilter = ["aria-invalid", "aria-required", "value"];
    observer.observe(box.current, { subtree: true, childList: true, attributeFilter });
    count();
    return () => observer.disconnect();
  }, []);
  useListener("input", () => count());
  return counts;
}

/** Renders the navigation through the steps around a form, and shows the step that the address names. */
export function Steps({ steps, children }) {
  const box = useRef(null);
  const counts = useCounts(box, steps);
  const navigate = useNavigate();
  const named = useLocation().hash.slice(1);
  const at = Math.max(
    0,
    steps.findIndex(({ id }) => id === named),
  );
  const shown = named === ALL ? ALL : steps[at].id;
  const [before, next] = shown === ALL ? [] : [steps[at - 1], steps[at + 1]];

  // Something in a step is to get the focus, which hidden elements cannot: show it at once, and then by the address.
  useListener("sought", ({ target }) => {
    const found = steps.find(({ id }) => target.closest(`.step-${id}`));
    if (!found || shown === ALL || found.id === shown) return;
    box.current.dataset.shown = found.id;
    // The focus scrolls to it: a step turned by hand begins at the top of the page.
    navigate(`#${found.id}`, { preventScrollReset: true });
  });

  const last = useRef(shown);
  useEffect(() => {
    if (last.current === shown) return;
    last.current = shown;
    const part = box.current.querySelector(shown === ALL ? "form" : `.step-${shown}`);
    if (document.activeElement?.closest(`.step-${shown}`)) return;
    part.tabIndex = -1;
    part.focus();
  }, [shown]);

  // Enter in a field goes on to the next step, as long as there is one.
  const submit = (event) => {
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    navigate(`#${next.id}`);
  };
  return (
    <div ref={box} className="steps" data-shown={shown} onSubmitCapture={submit}>
      <nav className="steps-way" aria-label="Steps">
        <p>{counts.length ? totalOf(counts) : ""}</p>
        <ol>
          {steps.map(({ id, label }, index) => (
            <li key={id}>
              <Link to={`#${id}`} aria-current={id === shown ? "step" : undefined}>
                <strong>{`${index + 1}. ${label}`}</strong>
                <span>{counts[index] ? wordsFor(counts[index]) : ""}</span>
              </Link>
            </li>
          ))}
        </ol>
        <Link to={`#${shown === ALL ? steps[0].id : ALL}`}>
          {shown === ALL ? "Show it in steps" : "Show all on one page"}
        </Link>
      </nav>
      {children}
      {shown !== ALL && (
        <div className="steps-foot">
          {before && <Link to={`#${before.id}`}>{`Back: ${before.label}`}</Link>}
          {next && <Link className="steps-next" to={`#${next.id}`}>{`Next: ${next.label}`}</Link>}
        </div>
      )}
    </div>
  );
}
