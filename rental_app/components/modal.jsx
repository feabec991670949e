import { lazy, Suspense, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { forget, moveTo, typedInto, useEntry, useOrders } from "./dialogs.js";

const load = () => import("./modal_window.jsx");
const Window = lazy(load);

/**
 * A dialog that is open or closed in the browser alone: opened by `trigger`, a control that names it or the server,
 * closed by Back too. What it is made of is fetched when somebody reaches for it.
 */
export function Modal({ name, trigger, triggerLabel, triggerClass, keeps, onOpen, ...window }) {
  const [isOpen, setOpen] = useState(false);
  const [turned, setTurned] = useState(false);
  const [asking, setAsking] = useState(false);
  // How often it has been opened; nothing is fetched before the first time.
  const [times, setTimes] = useState(0);
  const form = useRef(null);
  const navigate = useNavigate();

  const open = (order = {}) => {
    Object.assign(typedInto(name), order.typed);
    setTurned((before) => order.turned ?? before);
    setTimes((before) => before + 1);
    setOpen(true);
    onOpen?.();
  };
  const close = () => {
    setAsking(false);
    setOpen(false);
  };
  const leave = () => (form.current?.querySelector('[data-dirty="true"]') ? setAsking(true) : close());
  const go = (address) => {
    close();
    moveTo(navigate, address);
  };
  const finish = (order) => {
    forget(name);
    setTurned(false);
    close();
    if (order.go) moveTo(navigate, order.go);
  };
  useOrders(name, (order) => (order.closes ? finish(order) : open(order)));
  useEntry(isOpen, leave);
  return (
    <>
      {trigger && (
        <button type="button" aria-label={triggerLabel} aria-haspopup="dialog" aria-expanded={isOpen}
          className={triggerClass} onPointerEnter={load} onFocus={load} onClick={() => open()}>
          {trigger}
        </button>
      )}
      {times > 0 && (
        <Suspense fallback={null}>
          <Window {...window} open={isOpen} turned={turned} onTurn={() => setTurned(!turned)} asking={asking}
            onStay={() => setAsking(false)} onDiscard={close} onLeave={leave} onGo={go} form={form}
            times={times} typed={keeps ? typedInto(name) : {}} />
        </Suspense>
      )}
    </>
  );
}
