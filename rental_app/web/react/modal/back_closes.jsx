// A popover is the browser's alone: only this tells the history of it.
import { useEffect, useState } from "react";
import { useEntry } from "./dialogs.js";

/** Has Back close the popover of an id, as it closes dialogs. */
export function BackCloses({ popoverId }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const note = ({ newState }) => setOpen(newState === "open");
    const popover = document.getElementById(popoverId);
    popover.addEventListener("toggle", note);
    return () => popover.removeEventListener("toggle", note);
  }, [popoverId]);
  useEntry(isOpen, () => document.getElementById(popoverId)?.hidePopover());
  return null;
}
