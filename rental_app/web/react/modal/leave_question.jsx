// One question for dialogs and forms that are left, asked without the server.
import { AlertDialog, Button } from "@radix-ui/themes";
import "$/styles/radix.css";

/** Asks before what was typed is lost; Enter goes on editing it. */
export function LeaveQuestion({ open, title, text, leaveLabel, onStay, onLeave }) {
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => next || onStay()}>
      <AlertDialog.Content style={{ maxWidth: "26rem" }} inert={!open}>
        <AlertDialog.Title>{title}</AlertDialog.Title>
        <AlertDialog.Description className="mt-2">{text}</AlertDialog.Description>
        <div className="mt-5 flex flex-wrap justify-end gap-3">
          <Button size="3" className="h-(--press)" variant="soft" color="gray" highContrast onClick={onLeave}>
            {leaveLabel}
          </Button>
          <AlertDialog.Cancel>
            <Button size="3" className="h-(--press)">
              Keep editing
            </Button>
          </AlertDialog.Cancel>
        </div>
      </AlertDialog.Content>
    </AlertDialog.Root>
  );
}
