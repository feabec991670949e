import { lazy, Suspense, useEffect, useState } from "react";

const load = () => import("./modal_window.jsx");
const Window = lazy(load);

/** A dialog that `trigger` opens, or its owner with `open`; what it is made of is fetched when somebody reaches for it. */
export function Modal({ trigger, triggerLabel, triggerClass, open, onOpenChange, ...window }) {
  const [shown, setShown] = useState(false);
  const [wanted, setWanted] = useState(false);
  const isOpen = open ?? shown;
  const change = (next) => {
    setShown(next);
    onOpenChange?.(next);
  };
  useEffect(() => {
    if (isOpen) setWanted(true);
  }, [isOpen]);
  return (
    <>
      {trigger && (
        <button type="button" aria-label={triggerLabel} aria-haspopup="dialog" aria-expanded={isOpen}
          className={triggerClass} onPointerEnter={load} onFocus={load} onClick={() => change(true)}>
          {trigger}
        </button>
      )}
      {wanted && (
        <Suspense fallback={null}>
          <Window open={isOpen} onOpenChange={change} {...window} />
        </Suspense>
      )}
    </>
  );
}
