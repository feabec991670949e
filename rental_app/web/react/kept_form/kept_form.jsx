import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation } from "react-router";

// What forms held when the server lost them, by account and form: a user who has to log in is led to another page.
const lost = {};
const isChoice = ({ type }) => type === "checkbox" || type === "radio";
const PLAIN = "form[data-kept]";
const fieldsOf = (form) => [...form.elements].filter(({ name, type }) => name && type !== "hidden" && type !== "file");
const typedInto = (form) => fieldsOf(form).map((field) => [field.name, isChoice(field) ? field.checked : field.value]);

/** Fields with the same name are filled in order; a field that was not there keeps what the server has put into it. */
function typeAgain(form, { typed, dirty }) {
  for (const field of fieldsOf(form)) {
    const at = typed.findIndex(([name]) => name === field.name);
    if (at >= 0) field[isChoice(field) ? "checked" : "value"] = typed.splice(at, 1)[0][1];
  }
  if (dirty) form.dataset.dirty = dirty;
}

const contentOf = (form) => ({
  sent: JSON.stringify(Object.fromEntries(new FormData(form))),
  typed: typedInto(form),
  dirty: form.dataset.dirty,
});

/** Has the tab keep a changed form that a reload takes, under a key; `onFound` gets it once the form is open again. */
function useReloads(key, formId, isOpen, onFound) {
  useEffect(() => {
    if (!isOpen) return undefined;
    const forget = () => sessionStorage.removeItem(key);
    const keep = () => {
      // Not in a dialog that is closing: that has been saved or given up.
      const form = document.querySelector(`[data-state=open] #${formId}[data-dirty]`);
      if (form) sessionStorage.setItem(key, JSON.stringify(contentOf(form)));
    };
    const kept = JSON.parse(sessionStorage.getItem(key) ?? "null");
    forget();
    if (kept) onFound(kept);
    window.addEventListener("pagehide", keep);
    // Left, but still there.
    window.addEventListener("pageshow", forget);
    return () => {
      window.removeEventListener("pagehide", keep);
      window.removeEventListener("pageshow", forget);
    };
  }, [key, isOpen]);
}

/**
 * Opens a form again, with everything that was typed into it, when the server has lost what it was open on: only for
 * the account that typed it. `account` is 0 until the user is identified. With `reloads`, a form that was changed and
 * left by a reload is filled again once it is opened for the same subject.
 */
export function KeptForm({ formId, account, subject, reloads = false, onLost }) {
  const key = `${account} ${formId}`;
  const isKnown = useRef(true);
  isKnown.current = account !== 0;
  useLayoutEffect(() => {
    const form = /** @type {HTMLFormElement | null} */ (subject ? document.getElementById(formId) : null);
    if (!form) return undefined;
    // A form that is closed while the user is identified was closed on purpose.
    return () => {
      if (!isKnown.current) lost[key] = { subject, ...contentOf(form) };
    };
  }, [subject]);
  useEffect(() => {
    if (!subject || lost[key]?.subject !== subject) return;
    typeAgain(document.getElementById(formId), lost[key]);
    delete lost[key];
  }, [subject]);
  // A logout forgets everything under `draft-`.
  useReloads(`draft-${account}-${formId}-${subject}`, formId, reloads && Boolean(account && subject), (kept) => {
    lost[key] = { subject, ...kept };
    onLost(subject, kept.sent);
  });
  useEffect(() => {
    if (lost[key] && !subject) onLost(lost[key].subject, lost[key].sent);
    return () => {
      if (isKnown.current) delete lost[key];
    };
  }, [account]);
  return null;
}

const nameOf = (form) => `${form.getAttribute("aria-label")} ${fieldsOf(form)[0]?.id} ${form.dataset.kept}`;

function isTyped(field) {
  if (isChoice(field)) return field.checked !== field.defaultChecked;
  if (!field.options) return field.value !== field.defaultValue;
  // Without an option selected by the server, the first one is.
  const given = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
  return field.selectedIndex !== Math.max(0, given);
}

/** What was typed into the page's plain forms, by their names. */
function plainForms() {
  const typed = [...document.querySelectorAll(PLAIN)].filter((form) => fieldsOf(form).some(isTyped));
  return Object.fromEntries(typed.map((form) => [nameOf(form), { form, typed: typedInto(form) }]));
}

/** Refills the forms that have been rendered anew, and opens what they are folded into. */
function fillAgain(forms) {
  for (const form of document.querySelectorAll(PLAIN)) {
    const name = nameOf(form);
    const before = forms[name];
    delete forms[name];
    if (!before || before.form === form) continue;
    typeAgain(form, before);
    form.closest("details")?.setAttribute("open", "");
  }
}

/**
 * Keeps what was typed into forms marked `data-kept` until the server shows again what they belong to, to the same
 * account on the same page. It is placed before all of them, so that they are still there when it finds out.
 */
export function KeptFields({ account }) {
  const { pathname } = useLocation();
  const gone = useRef({ whose: "", forms: {} });
  const whose = `${account} ${pathname}`;
  useLayoutEffect(
    () => () => {
      if (account) gone.current = { whose, forms: plainForms() };
    },
    [whose],
  );
  useEffect(() => {
    const { forms } = gone.current;
    if (!account) return undefined;
    if (gone.current.whose !== whose) gone.current.forms = {};
    const watch = new MutationObserver(() => fillAgain(forms));
    if (Object.keys(gone.current.forms).length) {
      watch.observe(document.getElementById("content"), { childList: true, subtree: true });
      fillAgain(forms);
    }
    return () => watch.disconnect();
  }, [whose]);
  return null;
}

/** Opens the dialog of a form that was lost with the whole page, for the account that typed into it. */
export function KeptDialog({ formId, account, dialog }) {
  useEffect(() => {
    if (lost[`${account} ${formId}`]) window.dispatchEvent(new CustomEvent("dialog", { detail: { name: dialog } }));
  }, []);
  return null;
}
