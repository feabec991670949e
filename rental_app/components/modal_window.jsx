import { Children, useRef } from "react";
import { AlertDialog, Dialog } from "@radix-ui/themes";
import "$/styles/radix.css";
import { X } from "lucide-react";
import { useTyped } from "./dialogs.js";
import { LeaveQuestion } from "./leave_question.jsx";

// Radix moves the keyboard from the last control to the first without scrolling.
const show = (event) => event.target.scrollIntoView({ block: "nearest" });
const pressed = (event, mark) => event.target.closest(`[${mark}]:is(a, button), [${mark}] :is(a, button)`);
const inThisTab = (event, control) =>
  control.tagName === "A" && !control.target && !(event.ctrlKey || event.metaKey || event.shiftKey);

function Content({ typed, children }) {
  return <div ref={useTyped(typed)}>{children}</div>;
}

function Head({ title, description, closeLabel }) {
  return (
    <div className="mb-4 flex items-start justify-between gap-3">
      <div>
        <Dialog.Title size="5" className="m-0">{title}</Dialog.Title>
        {description && <Dialog.Description className="m-0 text-(--muted)">{description}</Dialog.Description>}
      </div>
      <Dialog.Close>
        <button type="button" aria-label={closeLabel}
          className="inline-flex size-10 shrink-0 cursor-pointer items-center justify-center rounded-full">
          <X size={20} aria-hidden="true" />
        </button>
      </Dialog.Close>
    </div>
  );
}

function QuestionHead({ title, description }) {
  return (
    <>
      <AlertDialog.Title>{title}</AlertDialog.Title>
      <AlertDialog.Description className="mt-2">{description}</AlertDialog.Description>
    </>
  );
}

/**
 * Radix's dialog: it traps the focus, closes on Esc, and outside unless it is a question. A press on what is marked
 * `data-closes` closes it, on what is marked `data-turns` shows its other side. Unsaved changes are asked about.
 */
export default function Window({
  open, question, title, otherTitle, description, closeLabel, className, maxWidth, maxHeight, focusBack, children,
  turned, onTurn, asking, onStay, onDiscard, onLeave, onGo, form, times, typed,
}) {
  const opener = useRef(null);
  const Kind = question ? AlertDialog : Dialog;
  const ChosenHead = question ? QuestionHead : Head;
  const remember = () => {
    opener.current = document.activeElement;
    // Radix looks for a button of its own making.
    if (question) form.current.querySelector("button").focus();
  };
  const giveBack = () => {
    const place = opener.current?.isConnected ? opener.current : document.getElementById(focusBack);
    place?.focus();
  };
  const press = (event) => {
    if (pressed(event, "data-turns")) onTurn();
    else if (pressed(event, "data-closes")) onLeave();
  };
  // Before the router does.
  const follow = (event) => {
    const control = pressed(event, "data-closes");
    if (!control || !inThisTab(event, control)) return;
    event.preventDefault();
    event.stopPropagation();
    onGo(control.pathname + control.search);
  };
  return (
    <>
      <Kind.Root open={open} onOpenChange={(next) => next || onLeave()}>
        <Kind.Content className={className} style={{ maxWidth, maxHeight }} onFocus={show}
          onOpenAutoFocus={remember} onCloseAutoFocus={giveBack}
          {...(description ? {} : { "aria-describedby": undefined })}>
          <ChosenHead title={turned ? otherTitle : title} description={description} closeLabel={closeLabel} />
          <div ref={form} onClickCapture={follow} onClick={press}>
            <Content key={`${times} ${turned}`} typed={typed}>
              {otherTitle ? Children.toArray(children)[turned ? 1 : 0] : children}
            </Content>
          </div>
        </Kind.Content>
      </Kind.Root>
      <LeaveQuestion open={asking} title="Discard your changes?" text="What you changed here has not been saved."
        leaveLabel="Discard changes" onStay={onStay} onLeave={onDiscard} />
    </>
  );
}
