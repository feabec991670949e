// The parts of modal.jsx that are loaded with the first dialog.
import { AlertDialog, Dialog } from "@radix-ui/themes";
import { Children, startTransition, useEffect, useEffectEvent, useRef, useState } from "react";
import "$/styles/radix.css";
import { X } from "lucide-react";
import { standing, useEntry, useTyped } from "./dialogs.js";
import { LeaveQuestion } from "./leave_question.jsx";

// Radix moves the focus from the last control to the first without scrolling.
const show = (event) => event.target.scrollIntoView({ block: "nearest" });
const pressed = (event, mark) => event.target.closest(`[${mark}]:is(a, button), [${mark}] :is(a, button)`);
const inThisTab = (event, control) =>
  control.tagName === "A" && !control.target && !(event.ctrlKey || event.metaKey || event.shiftKey);

/** Shows the text that is hidden in the input before a pressed control, or hides it again. */
function reveal(control) {
  const isShown = control.previousElementSibling.type === "text";
  control.previousElementSibling.type = isShown ? "password" : "text";
  control.textContent = isShown ? "Show" : "Hide";
}

function Fields({ typed, begins, children }) {
  const box = useTyped(typed);
  // After a turn the control that had the focus is gone: typing can begin at once.
  useEffect(() => {
    if (begins) box.current.querySelector("input:not([type=hidden])")?.focus();
  }, []);
  return <div ref={box}>{children}</div>;
}

function Close({ label }) {
  return (
    <Dialog.Close>
      <button
        type="button"
        aria-label={label}
        className="-my-1.5 -mr-2.5 grid size-10 shrink-0 cursor-pointer place-items-center rounded-full"
      >
        <X size={20} aria-hidden="true" />
      </button>
    </Dialog.Close>
  );
}

/** What got the focus back may be removed by the server's response a moment later: then its stand-in gets it. */
function stayReachable(place, standIn) {
  const changes = new MutationObserver(() => {
    if (document.activeElement === place) return;
    changes.disconnect();
    if (place.isConnected || document.activeElement !== document.body) return;
    (standing(place) ?? document.getElementById(standIn))?.focus();
  });
  changes.observe(document.body, { childList: true, subtree: true });
}

/**
 * Radix's dialog: it traps the focus, closes on Esc and, unless it is a question, on a press outside. A control marked
 * `data-closes` closes it, one marked `data-turns` shows its other side. It asks before unsaved changes are lost.
 */
export default function Window({ open, gone, turned, opener: named, times, typed, onTurn, onClose, ...dialog }) {
  const [asking, setAsking] = useState(false);
  // The opening in which the other side was asked for.
  const [turnedIn, setTurnedIn] = useState(0);
  const opener = useRef(null);
  const form = useRef(null);
  const { question, description, children } = dialog;
  const { Root, Content, Title, Description } = question ? AlertDialog : Dialog;
  const { className = question ? "" : "sheet-on-phone" } = dialog;
  const close = (address) => {
    setAsking(false);
    onClose(address);
  };
  const isChanged = () => form.current?.querySelector('[data-dirty="true"]');
  const leave = () => (isChanged() ? setAsking(true) : close());
  const leaveWhatIsGone = useEffectEvent(() => open && !isChanged() && close());
  useEffect(() => {
    if (gone) leaveWhatIsGone();
  }, [gone]);
  useEntry(open, leave);
  const remember = () => {
    opener.current = (named instanceof Element ? named : document.getElementById(named)) ?? document.activeElement;
    // Radix looks for one of its own buttons.
    if (question) form.current.querySelector("button").focus();
  };
  const giveBack = () => {
    const known = standing(opener.current);
    const place = known ?? document.getElementById(dialog.focusBack);
    place?.focus();
    if (place && place === known) stayReachable(place, dialog.focusBack);
  };
  const press = (event) => {
    if (pressed(event, "data-turns")) {
      setTurnedIn(times);
      onTurn();
    } else if (pressed(event, "data-closes")) leave();
    else if (pressed(event, "data-reveals")) reveal(event.target);
  };
  // Runs before the router's own handler.
  const follow = (event) => {
    const control = pressed(event, "data-closes");
    if (!control || !inThisTab(event, control)) return;
    event.preventDefault();
    event.stopPropagation();
    close(control.pathname + control.search);
  };
  const focus = { onFocus: show, onOpenAutoFocus: remember, onCloseAutoFocus: giveBack };
  const described = description ? {} : { "aria-describedby": undefined };
  const size = { maxWidth: dialog.maxWidth, maxHeight: dialog.maxHeight };
  return (
    <>
      {/* Closing restyles the page behind: that something was pressed is shown first. */}
      <Root open={open} onOpenChange={(next) => next || startTransition(leave)}>
        {/* Its closing takes a moment, in which it can't be answered any more. */}
        <Content className={className} style={size} inert={!open} {...focus} {...described}>
          <div className="mb-4 flex items-start justify-between gap-3">
            <div>
              <Title className="m-0">{turned ? dialog.otherTitle : dialog.title}</Title>
              {description && (
                <Description className={question ? "mt-2" : "mt-1 mb-0 text-(--muted)"}>{description}</Description>
              )}
            </div>
            {!question && <Close label={dialog.closeLabel ?? "Close"} />}
          </div>
          <div ref={form} onClickCapture={follow} onClick={press}>
            <Fields key={`${times} ${turned}`} typed={typed} begins={turnedIn === times}>
              {dialog.otherTitle ? Children.toArray(children)[Number(turned)] : children}
            </Fields>
          </div>
        </Content>
      </Root>
      <LeaveQuestion
        open={asking}
        title="Discard your changes?"
        text="What you changed here has not been saved."
        leaveLabel="Discard changes"
        onStay={() => setAsking(false)}
        onLeave={() => close()}
      />
    </>
  );
}
