// Dialogs open and close at once, without a connection too, and only the browser knows Back.
import { lazy, Suspense, startTransition, useState } from "react";
import { useNavigate, useNavigation } from "react-router";
import { useListener } from "../listen.js";
import { patient } from "../patient.js";
import { forget, moveTo, typedInto, useOrders } from "./dialogs.js";

const load = patient(() => import("./modal_window.jsx"));
const Window = lazy(load);
const reach = ({ target }) => target.closest?.("[data-opens]") && load();

/** The texts of a dialog as they were while what it is `about` was there: without it they would have holes. */
function useTexts(about, title, description) {
  const [texts, setTexts] = useState({ title, description });
  const isNew = texts.title !== title || texts.description !== description;
  if (about && isNew) setTexts({ title, description });
  return about ? { title, description } : texts;
}

/**
 * A dialog that is open or closed in the browser alone: opened by a control that names it or by the server, closed by
 * Back too. Its code is loaded when somebody reaches for it. It keeps its texts while the server has lost what it is
 * `about`, and closes if that is gone because the session is `over`, unless something was changed in it: then the
 * redirect that follows asks before that is lost.
 */
export function Modal({
  name,
  keeps,
  onOpen,
  onClosed,
  about = true,
  over = false,
  title,
  description = "",
  ...dialog
}) {
  const [isOpen, setOpen] = useState(false);
  const [turned, setTurned] = useState(false);
  const [opener, setOpener] = useState("");
  // How often it has been opened; nothing is loaded before the first time.
  const [times, setTimes] = useState(0);
  const navigate = useNavigate();
  const isLeaving = useNavigation().state !== "idle";
  const open = (order) => {
    Object.assign(typedInto(name), order.typed);
    // A window takes a phone longer than it takes to show that something was pressed, which comes first.
    startTransition(() => {
      setTurned((before) => order.turned ?? before);
      setOpener(order.opener);
      setTimes((before) => before + 1);
      setOpen(true);
    });
    // A page that is loading will replace this one: a dialog that is being typed into goes along.
    if (keeps && isLeaving) window.awaited = { ...order, name };
    onOpen?.();
  };
  const close = (address) => {
    setOpen(false);
    if (isOpen) onClosed?.();
    if (keeps) window.awaited = null;
    if (address) moveTo(navigate, address);
  };
  const finish = (order) => {
    forget(name);
    setTurned(false);
    close(order.go);
  };
  const texts = useTexts(about, title, description);
  useListener("pointerover", reach);
  useListener("focusin", reach);
  useOrders(name, (order) => (order.closes ? finish(order) : open(order)));
  const state = { open: isOpen, gone: !about && over, turned, opener, times, typed: keeps ? typedInto(name) : {} };
  return (
    <Suspense fallback={null}>
      {times > 0 && <Window {...dialog} {...texts} {...state} onTurn={() => setTurned(!turned)} onClose={close} />}
    </Suspense>
  );
}
