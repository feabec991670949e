// A password is shown and hidden at once, and what is typed does not travel to the server for it.
import { useState } from "react";

/** An input for a password with a button that shows what is in it, and hides it again. */
export function Secret({ className, ...props }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="relative">
      <input {...props} type={isShown ? "text" : "password"} className={`${className} pr-16`} spellCheck={false} />
      <button
        type="button"
        aria-pressed={isShown}
        aria-controls={props.id}
        onClick={() => setShown(!isShown)}
        className="absolute inset-y-0 right-0 min-w-14 cursor-pointer rounded-(--radius-3) px-3 text-sm font-medium text-(--accent-11)"
      >
        {isShown ? "Hide" : "Show"}
        <span className="sr-only"> password</span>
      </button>
    </div>
  );
}
