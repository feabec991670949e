import { Fragment, useEffect, useRef, useState } from "react";
import { FileGroups } from "./file_groups.jsx";
import { kindOf } from "./file_kinds.js";
import { useDraft } from "./form_draft.js";
import { collect, fileProblem, missing, send, shrunk, tooMuch } from "./upload_wire.js";
import "./upload_form.css";

const CHECK_AFTER_MS = 300;
const LEAVING = (event) => event.preventDefault();
let keys = 0;

/** Reports what was typed, a moment after the typing stopped, as one object of names and values. */
function useTyped(onTyped) {
  const typed = useRef({ values: {}, timer: 0 });
  const report = () => {
    clearTimeout(typed.current.timer);
    if (Object.keys(typed.current.values).length) onTyped?.(typed.current.values);
    typed.current.values = {};
  };
  useEffect(() => () => clearTimeout(typed.current.timer), []);
  const note = (input) => {
    typed.current.values[input.name] = input.value;
    clearTimeout(typed.current.timer);
    typed.current.timer = setTimeout(report, CHECK_AFTER_MS);
  };
  return [note, report];
}

/** The files chosen in the browser and those the server has; large photos are shrunk as they are chosen. */
function useFiles(existing, limits, onChange) {
  const [chosen, setChosen] = useState([]);
  const [gone, setGone] = useState([]);
  const [problems, setProblems] = useState({});
  const work = useRef(new Set());
  const kept = existing.filter((item) => !gone.includes(item.id));
  const held = useRef([]);
  held.current = [...kept, ...chosen];
  const say = (title, text) => setProblems((before) => ({ ...before, [title]: text }));

  const add = (group, files, replaced) => {
    const taking = take(group, files, replaced).finally(() => work.current.delete(taking));
    work.current.add(taking);
  };
  const take = async (group, files, replaced) => {
    const kinds = await Promise.all(files.map(kindOf));
    let count = held.current.filter((item) => item.group === group.title && item !== replaced).length;
    let problem = "";
    const items = files.flatMap((source, index) => {
      const found = fileProblem(group, source, kinds[index], count, limits);
      problem ||= found;
      if (found) return [];
      count += 1;
      return [{ key: (keys += 1), group: group.title, name: source.name, source, kind: kinds[index], file: null }];
    });
    say(group.title, problem);
    if (!items.length) return;
    onChange();
    if (replaced) setGone((before) => [...before, replaced.id]);
    setChosen((before) => [...before, ...items]);
    await prepare(items);
  };
  // One after another: a phone has no memory for ten decoded photos.
  const prepare = async (items) => {
    for (const item of items) {
      item.file = await shrunk(item.source, item.kind);
      setChosen((before) => before.map((other) => (other.key === item.key ? { ...item } : other)));
    }
  };
  const remove = (item) => {
    onChange();
    setChosen((before) => before.filter((other) => other.key !== item.key));
  };
  const drop = (item) => {
    onChange();
    setGone((before) => [...before, item.id]);
  };
  const clear = () => {
    setChosen([]);
    setProblems({});
  };
  return { chosen, kept, gone, problems, setProblems, work, add, remove, drop, clear };
}

function focusFirst(form, errors) {
  const wanted = new Set(errors.map((error) => error.field));
  const inputs = [...form.querySelectorAll("[name], [data-group]")];
  inputs.find((input) => wanted.has(input.name || input.dataset.group))?.focus();
}

function Progress({ share }) {
  const percent = Math.round(share * 100);
  return (
    <div className="uf-progress">
      <div role="progressbar" aria-label="Upload" aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100}>
        <span style={{ width: `${percent}%` }} />
      </div>
      <span>{percent < 100 ? `Sending ${percent} %` : "Checking your files…"}</span>
    </div>
  );
}

/**
 * A form whose data and files go straight to the server with the token. What is typed and chosen stays in the browser
 * until the server has accepted it.
 */
export function UploadForm({
  url, draft, opened, limits, groups = [], groupsTitle, groupsText, existing = [], required = [], base = {}, submitLabel, busyLabel, children,
  submitClass, cancelClass, footClass, titleClass, className, label, id, cancels, onStart, onTyped, onAnswer,
}) {
  const [round, setRound] = useState(0);
  const [sending, setSending] = useState(false);
  const [share, setShare] = useState(0);
  const flying = useRef(false);
  const dirty = useRef(false);
  const form = useRef(null);
  // First of all: a draft typed again is part of the fresh form.
  useEffect(() => { onStart?.(); }, []);
  const [note, report] = useTyped(onTyped);
  const [keep, forget] = useDraft(form, draft, opened);

  const clean = () => {
    dirty.current = false;
    if (form.current) form.current.dataset.dirty = "false";
    window.removeEventListener("beforeunload", LEAVING);
  };
  const soil = () => {
    if (dirty.current) return;
    dirty.current = true;
    form.current.dataset.dirty = "true";
    window.addEventListener("beforeunload", LEAVING);
  };
  const files = useFiles(existing, limits, soil);
  const current = useRef(files);
  current.current = files;
  useEffect(() => clean, []);

  const typing = (event) => {
    if (!event.target.name) return;
    soil();
    keep(event);
    note(event.target);
  };
  const finish = (answer) => {
    flying.current = false;
    setSending(false);
    const errors = answer.errors ?? [];
    files.setProblems(Object.fromEntries(errors.map((error) => [error.field, error.message])));
    report();
    if (answer.success) {
      clean();
      forget();
      files.clear();
      setRound((before) => before + 1);
    } else {
      focusFirst(form.current, errors);
    }
    onAnswer?.({ success: answer.success, message: answer.message, errors });
  };
  const submit = async (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (flying.current) return;
    flying.current = true;
    setShare(0);
    const data = { ...base, ...collect(form.current) };
    const held = [...files.kept, ...files.chosen];
    const refused = missing(required, data, groups.map((group) => group.title), new Set(held.map((item) => item.group)));
    if (refused) return finish(refused);
    setSending(true);
    await Promise.all(files.work.current);
    const { chosen, gone } = current.current;
    if (groups.length && base.id) data.drop_files = gone;
    finish(tooMuch(chosen, limits) ?? (await send(url, data, chosen, setShare)));
  };

  return (
    <form ref={form} id={id} data-dirty="false" noValidate className={`uf-form ${className ?? ""}`} aria-label={label} aria-busy={sending || undefined}
      onSubmit={submit} onInput={typing}>
      <Fragment key={round}>{children}</Fragment>
      {groups.length > 0 && (
        <div>
          <h2 className={titleClass}>{groupsTitle}</h2>
          <p className="uf-text">{groupsText}</p>
          <FileGroups groups={groups} kept={files.kept} chosen={files.chosen} problems={files.problems}
            onAdd={files.add} onRemove={files.remove} onDrop={files.drop}
            onFailure={(message) => onAnswer?.({ success: false, message, errors: [] })} />
        </div>
      )}
      <div className={footClass}>
        {sending && <Progress share={share} />}
        {cancels && <button type="button" className={cancelClass} data-closes="true">Cancel</button>}
        <button type="submit" className={submitClass} aria-disabled={sending || undefined}>
          {sending ? busyLabel : submitLabel}
        </button>
      </div>
    </form>
  );
}
