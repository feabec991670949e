import { useEffect, useLayoutEffect, useRef } from "react";

// What forms held when the server lost them, by account and form: somebody who has to log in is led to another page.
const lost = {};
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
  const key = `${account} ${formId}`;
  const isKnown = useRef(true);
  isKnown.current = account !== 0;
  useLayoutEffect(() => {
    const form = /** @type {HTMLFormElement | null} */ (subject ? document.getElementById(formId) : null);
    if (!form) return undefined;
    // A form that is closed while it is known who is there was closed on purpose.
    return () => {
      const sent = JSON.stringify(Object.fromEntries(new FormData(form)));
      if (!isKnown.current) lost[key] = { subject, sent, typed: typedInto(form), dirty: form.dataset.dirty };
    };
  }, [subject]);
  useEffect(() => {
    if (!subject || lost[key]?.subject !== subject) return;
    typeAgain(document.getElementById(formId), lost[key]);
    delete lost[key];
  }, [subject]);
  useEffect(() => {
    if (lost[key] && !subject) onLost(lost[key].subject, lost[key].sent);
    return () => {
      if (isKnown.current) delete lost[key];
    };
  }, [account]);
  return null;
}

/** Opens the dialog of a form that was lost with the whole page, for the account that has typed into it. */
export function KeptDialog({ formId, account, dialog }) {
  useEffect(() => {
    if (lost[`${account} ${formId}`]) window.dispatchEvent(new CustomEvent("dialog", { detail: { name: dialog } }));
  }, []);
  return null;
}
