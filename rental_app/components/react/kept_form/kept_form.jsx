import { useEffect, useLayoutEffect, useRef } from "react";

const isChoice = ({ type }) => type === "checkbox" || type === "radio";
const fieldsOf = (form) => [...form.elements].filter((field) => field.name && field.type !== "hidden");
const typedInto = (form) => fieldsOf(form).map((field) => [field.name, isChoice(field) ? field.checked : field.value]);

/** Fields of one name are filled in their order; a field that was not there keeps what the server has put into it. */
function typeAgain(form, { typed, dirty }) {
  for (const field of fieldsOf(form)) {
    const at = typed.findIndex(([name]) => name === field.name);
    if (at >= 0) field[isChoice(field) ? "checked" : "value"] = typed.splice(at, 1)[0][1];
  }
  if (dirty) form.dataset.dirty = dirty;
}

/**
 * Opens a form again, with all that was typed into it, when the server has lost what it was open on: for the account
 * that has typed it, and for no other. `account` is 0 until it is known who is there.
 */
export function KeptForm({ formId, account, subject, onLost }) {
  const lost = useRef(null);
  const isKnown = useRef(true);
  const owner = useRef(account);
  isKnown.current = account !== 0;
  useLayoutEffect(() => {
    const form = /** @type {HTMLFormElement | null} */ (subject ? document.getElementById(formId) : null);
    if (!form) return undefined;
    // A form that is closed while it is known who is there was closed on purpose.
    return () => {
      const sent = JSON.stringify(Object.fromEntries(new FormData(form)));
      lost.current = isKnown.current ? null : { subject, sent, typed: typedInto(form), dirty: form.dataset.dirty };
    };
  }, [subject]);
  useEffect(() => {
    if (subject && lost.current) {
      typeAgain(document.getElementById(formId), lost.current);
      lost.current = null;
    }
  }, [subject]);
  useEffect(() => {
    if (!account) return;
    if (account !== owner.current) lost.current = null;
    owner.current = account;
    if (lost.current) onLost(lost.current.subject, lost.current.sent);
  }, [account]);
  return null;
}
