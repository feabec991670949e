// Steps turn without a round trip, and none is taken off the page: what is being sent in it goes on.
import { Theme } from "@radix-ui/themes";
import { Check, CloudOff } from "lucide-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { useAway } from "../listen.js";
import "./walk.css";

export function Walk({ title, steps, done, to, turn, saved, kept, dark, children }) {
  const box = useRef(null);
  const navigate = useNavigate();
  const named = useLocation().hash.slice(1);
  const shown = steps.some(({ id }) => id === named) ? named : to;
  const at = steps.findIndex(({ id }) => id === shown);
  const [isAway] = useAway();
  const last = useRef({ turn, shown });

  useEffect(() => {
    if (last.current.turn !== turn) navigate(`#${to}`);
    last.current.turn = turn;
  }, [turn]);
  useLayoutEffect(() => {
    for (const part of box.current.querySelectorAll("[data-part]")) part.hidden = part.dataset.part !== shown;
    if (last.current.shown === shown) return;
    last.current.shown = shown;
    box.current.querySelector(`[data-part="${shown}"] h2`)?.focus();
    window.scrollTo(0, 0);
  });

  return (
    <Theme appearance={dark.includes(shown) ? "dark" : "inherit"} hasBackground={false} asChild>
      <div ref={box} className="walk" data-shown={shown}>
        <div className="walk-head">
          <h1>{`${title}, ${at + 1} of ${steps.length}`}</h1>
          <p role="status" className={isAway ? "walk-kept" : ""}>
            {isAway ? <CloudOff aria-hidden="true" /> : saved && <Check aria-hidden="true" />}
            {isAway ? kept : saved}
          </p>
        </div>
        <ol aria-label="Steps">
          {steps.map(({ id, label }) => (
            <li key={id}>
              <button
                type="button"
                disabled={id !== shown && id !== to && !done.includes(id)}
                aria-current={id === shown ? "step" : undefined}
                data-done={done.includes(id) || undefined}
                aria-label={label + (done.includes(id) ? ", done" : "")}
                onClick={() => navigate(`#${id}`)}
              />
            </li>
          ))}
        </ol>
        {children}
      </div>
    </Theme>
  );
}
