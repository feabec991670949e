import { useEffect, useLayoutEffect, useRef } from "react";

const isChoice = ({ type }) => type === "checkbox" || type === "radio";
const fieldsOf = (form) => [...form.elements].filter((field) => field.name);
const typedInto = (form) => fieldsOf(form).map((field) => (isChoice(field) ? field.checked : field.value));

function typeAgain(form, typed) {
  fieldsOf(form).forEach((field, at) => {
    field[isChoice(field) ? "checked" : "value"] = typed[at];
  });
}

/** Opens a form again, with all that was typed into it, when the server has lost that it was open. */
export function KeptForm({ formId, known, isOpen, onLost }) {
  const typed = useRef(null);
  const isKnown = useRef(known);
  isKnown.current = known;
  useLayoutEffect(() => {
    const form = isOpen && document.getElementById(formId);
    if (!form) return undefined;
    // A form that is closed while it is known who is there was closed on purpose.
    return () => {
      typed.current = isKnown.current ? null : typedInto(form);
    };
  }, [isOpen]);
  useEffect(() => {
    if (isOpen && typed.current) {
      typeAgain(document.getElementById(formId), typed.current);
      typed.current = null;
    }
  }, [isOpen]);
  useEffect(() => {
    if (known && typed.current) onLost();
  }, [known]);
  return null;
}
