import { useState } from "react";

/** A password's input with a button that shows what was typed, and hides it again. */
export function Password(props) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="relative">
      <input {...props} type={isShown ? "text" : "password"} />
      <button
        type="button"
        aria-pressed={isShown}
        className="absolute inset-y-0 right-0 cursor-pointer px-3 text-sm font-semibold text-(--accent-11)"
        onClick={() => setShown(!isShown)}
      >
        {isShown ? "Hide" : "Show"}
        <span className="sr-only"> password</span>
      </button>
    </div>
  );
}
