import { useEffect, useId, useRef, useState } from "react";
import "./combobox.css";

const CROSS = "M18 6 6 18M6 6l12 12";
const DOWN = "m6 9 6 6 6-6";

function Icon({ path }) {
  return (
    <svg width="18" height="18" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2"
      strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

const fits = (label, text) => text.toLowerCase().split(/\s+/).every((word) => label.toLowerCase().includes(word));

/** A drop-down that is searched by typing and can be cleared; an entry that is not in the list is reported as typed. */
export function Combobox({ id, options = [], placeholder, className, onChoose }) {
  const [chosen, setChosen] = useState(null);
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const input = useRef(null);
  const listId = useId();
  const typed = text.trim();
  const shown = typed && typed !== chosen?.label ? options.filter((option) => fits(option.label, typed)) : options;

  const close = () => {
    setOpen(false);
    setAt(-1);
  };
  const choose = (option) => {
    setChosen(option);
    setText(option.label);
    close();
    onChoose?.(option.value);
  };
  const clear = () => {
    setChosen(null);
    setText("");
    close();
    onChoose?.("");
    input.current.focus();
  };
  const move = (next) => {
    setOpen(true);
    if (!shown.length) return;
    const index = (next + shown.length) % shown.length;
    setAt(index);
    document.getElementById(`${listId}-${index}`)?.scrollIntoView({ block: "nearest" });
  };
  const press = (event) => {
    if (event.key === "ArrowDown") move(at + 1);
    else if (event.key === "ArrowUp") move(at < 0 ? shown.length - 1 : at - 1);
    else if (event.key === "Enter") {
      const only = typed && shown.length === 1 ? shown[0] : null;
      if (shown[at] ?? only) choose(shown[at] ?? only);
      else if (typed && typed !== chosen?.label) onChoose?.(typed);
    } else return;
    event.preventDefault();
  };
  // A dialog round the list listens for Esc on the document: only the window hears it earlier.
  useEffect(() => {
    if (!open) return undefined;
    const escape = (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      close();
    };
    window.addEventListener("keydown", escape, true);
    return () => window.removeEventListener("keydown", escape, true);
  }, [open]);
  const leave = () => {
    close();
    if (!typed && chosen) {
      setChosen(null);
      onChoose?.("");
    }
    setText(typed ? chosen?.label ?? "" : "");
  };

  return (
    <div className="cb-field">
      <input ref={input} id={id} type="text" role="combobox" className={className} placeholder={placeholder}
        autoComplete="off" spellCheck={false} aria-expanded={open} aria-controls={listId} aria-autocomplete="list"
        aria-activedescendant={open && at >= 0 ? `${listId}-${at}` : undefined} value={text}
        onChange={(event) => { setText(event.target.value); setOpen(true); setAt(-1); }}
        onClick={() => setOpen(true)} onBlur={leave} onKeyDown={press} />
      <span className="cb-icons">
        {text && (
          <button type="button" aria-label="Clear the chosen vehicle" onMouseDown={(event) => event.preventDefault()}
            onClick={clear}><Icon path={CROSS} /></button>
        )}
        <Icon path={DOWN} />
      </span>
      <ul id={listId} role="listbox" aria-label={placeholder} hidden={!open} className="cb-list"
        onMouseDown={(event) => event.preventDefault()}>
        {shown.map((option, index) => (
          <li key={option.value} id={`${listId}-${index}`} role="option" aria-selected={option.value === chosen?.value}
            data-active={index === at || undefined} onClick={() => choose(option)}>{option.label}</li>
        ))}
      </ul>
      {open && !shown.length && <p className="cb-none" role="status">No vehicle fits</p>}
    </div>
  );
}
