import { useRef } from "react";
import { Dialog } from "@radix-ui/themes";
import "$/styles/radix.css";
import { X } from "lucide-react";

// Radix moves the keyboard from the last control to the first without scrolling.
const show = (event) => event.target.scrollIntoView({ block: "nearest" });

/** Radix's dialog: it traps the focus, closes on Esc and outside; a press on a link or button marked so closes it too. */
export default function Window({ open, onOpenChange, title, closeLabel, className, maxWidth, children }) {
  const opener = useRef(null);
  const remember = () => {
    opener.current = document.activeElement;
  };
  const leave = (event) => {
    if (event.target.closest("[data-closes] :is(a, button)")) onOpenChange(false);
  };
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Content className={className} style={{ maxWidth }} aria-describedby={undefined}
        onFocus={show} onOpenAutoFocus={remember} onCloseAutoFocus={() => opener.current?.focus()}>
        <div className="mb-4 flex items-center justify-between">
          <Dialog.Title size="5" className="m-0">{title}</Dialog.Title>
          <Dialog.Close>
            <button type="button" aria-label={closeLabel}
              className="inline-flex size-10 cursor-pointer items-center justify-center rounded-full">
              <X size={20} aria-hidden="true" />
            </button>
          </Dialog.Close>
        </div>
        <div onClick={leave}>{children}</div>
      </Dialog.Content>
    </Dialog.Root>
  );
}
