// When the server has lost a form, only the browser still has what was typed into it.
import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation } from "react-router";
import { useListener } from "../listen.js";
import { storeDraft, storedDraft } from "./stored.js";

// A file that several parts import would be fetched by itself.
export { storeDraft, storedDraft };

// What forms held when the server lost them, by account and form: the login is another page.
const lost = {};
const isChoice = ({ type }) => type === "checkbox" || type === "radio";
const pageForms = () => /** @type {HTMLFormElement[]} */ ([...document.querySelectorAll("form[data-draft]")]);
const fieldsOf = (form) => [...form.elements].filter(({ name, type }) => name && type !== "hidden" && type !== "file");
const typedInto = (form) =>
  fieldsOf(form)
    .filter(({ type, checked }) => type !== "radio" || checked)
    .map((field) => [field.name, field.type === "checkbox" ? field.checked : field.value]);
// One among several is found by what it stands for: the list may be in another order by now, or without it.
const isOf = (field, [name, value]) => name === field.name && (field.type !== "radio" || value === field.value);

/** Fields with the same name are filled in order; a field that was not there keeps what the server has put into it. */
function typeAgain(form, { typed, dirty }, fillIn) {
  for (const field of fieldsOf(form)) {
    const at = typed.findIndex((entry) => isOf(field, entry));
    if (at < 0) continue;
    const [[, value]] = typed.splice(at, 1);
    // What follows from a choice of one among several is known to the server alone.
    if (field.type === "radio") field.click();
    else if (field.type === "checkbox") field.checked = value;
    // A date is shown by another field beside it.
    else if (field.type === "date") fillAloud(field, value);
    else fillIn(field, value);
  }
  if (dirty) form.dataset.dirty = dirty;
}

/** Fills a field of a form whose state has been told already what the form held. */
function fillSilently(field, value) {
  field.value = value;
}

/** Fills a field as typing does: what follows from its text, a price on a button, is computed anew. */
function fillAloud(field, value) {
  if (field.value === value) return;
  // Bypasses React, which would see no change of the value and notify nobody.
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
  set.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

const contentOf = (form) => ({
  sent: JSON.stringify(Object.fromEntries(new FormData(form))),
  typed: typedInto(form),
  dirty: form.dataset.dirty,
});

/** Has the tab keep a changed form that a reload takes, under a key; `onFound` gets it once the form is open again. */
function useReloads(key, formId, isOpen, onFound) {
  useListener("pagehide", () => {
    // Not in a dialog that is closing: that has been saved or given up.
    const form = isOpen && document.querySelector(`[data-state=open] #${formId}[data-dirty]`);
    if (form) storeDraft(key, contentOf(form));
  });
  const forget = () => isOpen && sessionStorage.removeItem(key);
  // Left, but still there.
  useListener("pageshow", forget);
  useEffect(() => {
    const draft = isOpen && storedDraft(key);
    forget();
    if (draft) onFound(draft);
  }, [key, isOpen]);
}

/**
 * Opens a form again, with all that was typed into it, when the server has lost what it was open on: for the account
 * that typed it, or the guest's booking; `account` is falsy until it is known. `reloads`: refills it after a reload, once open for that subject.
 */
export function BrowserDraft({ formId, account, subject, reloads = false, onLost }) {
  const key = `${account} ${formId}`;
  const isKnown = useRef(true);
  isKnown.current = Boolean(account);
  useLayoutEffect(() => {
    const form = /** @type {HTMLFormElement | null} */ (subject ? document.getElementById(formId) : null);
    if (!form) return undefined;
    // A form that is closed while the user is identified was closed on purpose.
    return () => {
      if (!isKnown.current) lost[key] = { subject, form, ...contentOf(form) };
    };
  }, [subject]);
  useEffect(() => {
    if (!subject || lost[key]?.subject !== subject) return;
    const form = document.getElementById(formId);
    // The same form still has what was typed, and what has been typed since.
    if (form !== lost[key].form) typeAgain(form, lost[key], fillSilently);
    delete lost[key];
  }, [subject]);
  useReloads(`draft-${account}-${formId}-${subject}`, formId, reloads && Boolean(account && subject), (draft) => {
    lost[key] = { subject, ...draft };
    onLost(subject, draft.sent);
  });
  useEffect(() => {
    if (lost[key] && !subject) onLost(lost[key].subject, lost[key].sent);
    return () => {
      if (isKnown.current) delete lost[key];
    };
  }, [account]);
  return null;
}

function isTyped(field) {
  if (isChoice(field)) return field.checked !== field.defaultChecked;
  if (!field.options) return field.value !== field.defaultValue;
  // Without an option selected by the server, the first one is.
  const given = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
  return field.selectedIndex !== Math.max(0, given);
}

/** What was typed into the page's plain forms, by their keys. */
function plainForms() {
  const typed = pageForms().filter((form) => fieldsOf(form).some(isTyped));
  return Object.fromEntries(typed.map((form) => [form.dataset.draft, { form, typed: typedInto(form) }]));
}

/** Refills the forms that have been rendered anew, and opens what they are folded into. */
function fillAgain(forms) {
  for (const form of pageForms()) {
    const before = forms[form.dataset.draft];
    delete forms[form.dataset.draft];
    if (!before || before.form === form) continue;
    typeAgain(form, before, fillAloud);
    form.closest("details")?.setAttribute("open", "");
  }
}

/** What a reload, or a way back to the page, has taken from its forms; who comes to it anew finds them empty. */
function takenByReload(key) {
  const forms = storedDraft(key) ?? {};
  sessionStorage.removeItem(key);
  const [load] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  // Not every browser tells.
  return (load?.type ?? "navigate") === "navigate" ? {} : forms;
}

/**
 * Keeps what was typed into forms marked `data-draft` until the server shows the same account the same page again, over
 * a reload, too. It is placed before all of them, so that they are still there when it finds out.
 */
export function PageDrafts({ account }) {
  const { pathname } = useLocation();
  const gone = useRef({ whose: "", forms: {} });
  const whose = `${account} ${pathname}`;
  const key = `draft-${account}-${pathname}`;
  useListener("pagehide", () => {
    const forms = Object.entries(account ? plainForms() : {}).map(([name, { typed }]) => [name, { typed }]);
    if (forms.length) storeDraft(key, Object.fromEntries(forms));
  });
  // Left, but still there.
  useListener("pageshow", () => sessionStorage.removeItem(key));
  useLayoutEffect(
    () => () => {
      if (account) gone.current = { whose, forms: plainForms() };
    },
    [whose],
  );
  useEffect(() => {
    if (!account) return undefined;
    if (gone.current.whose !== whose) gone.current = { whose, forms: takenByReload(key) };
    const { forms } = gone.current;
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
export function DraftDialog({ formId, account, dialog }) {
  useEffect(() => {
    if (lost[`${account} ${formId}`]) window.dispatchEvent(new CustomEvent("dialog", { detail: { name: dialog } }));
  }, []);
  return null;
}
