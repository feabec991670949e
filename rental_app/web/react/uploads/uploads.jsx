// Chosen files exist in the browser alone until they have been sent, one after another.
import { Camera, Plus } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useListener } from "../listen.js";
import { call } from "./call.js";
import { roomFor } from "./room.js";
import { Chooser, Tile } from "./tile.jsx";
import { send, shrunk } from "./wire.js";
import "./uploads.css";

let keys = 0;

/** A field for a hidden input that lets the form know when some content changes. */
function useTold(content) {
  const field = useRef(null);
  const told = useRef(content);
  useEffect(() => {
    if (told.current !== content) field.current.dispatchEvent(new Event("input", { bubbles: true }));
    told.current = content;
  }, [content]);
  return field;
}

/** One group, with hidden inputs for the form: its files by id and name, and the stored ones to be removed. */
function Group({ group, items, gone, problem, onFiles, children }) {
  const [isOver, setOver] = useState(false);
  const id = useId();
  const value = JSON.stringify(items.filter((item) => item.id && !item.isStored).map(({ id, name }) => ({ id, name })));
  const field = useTold(value + gone);
  const drop = (event) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  const drag = (event) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <fieldset
      className="fg-group"
      aria-label={`${group.label} files`}
      data-over={isOver || undefined}
      data-invalid={problem ? true : undefined}
      onDragOver={drag}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {group.heading && <h3>{group.heading}</h3>}
      <ul>
        {children}
        <li className="fg-adds">
          <Chooser
            className="fg-add"
            multiple
            accept={group.accept}
            capture={group.capture || undefined}
            id={group.title}
            onFiles={onFiles}
            aria-label={`Add files to ${group.label}`}
            aria-invalid={problem ? true : undefined}
            aria-describedby={id}
          >
            <Plus className="fg-icon" aria-hidden="true" />
            <span>{items.length ? group.more : group.add}</span>
          </Chooser>
          {group.camera && (
            <Chooser
              className="fg-add fg-camera"
              accept={group.camera}
              capture="environment"
              onFiles={onFiles}
              aria-label={`Take a photo for ${group.label}`}
            >
              <Camera className="fg-icon" aria-hidden="true" />
              <span>Take a photo</span>
            </Chooser>
          )}
        </li>
      </ul>
      <p id={id} className={problem ? "fg-problem" : "fg-hint"}>
        {problem || group.hint}
      </p>
      <input ref={field} type="hidden" name={`files.${group.title}`} value={value} />
      <input type="hidden" name={`drop.${group.title}`} value={gone.join(",")} />
    </fieldset>
  );
}

/** Shows stored files by their group and number, uploads that wait (also from before a reload) by their names. */
const asStored = (file, number) => {
  const name = `${file.group} ${number}`;
  const saveAs = `${name}.${file.content_type.split("/")[1].replace("jpeg", "jpg")}`;
  return {
    ...file,
    key: `stored-${file.id}`,
    name,
    saveAs,
    type: file.content_type,
    isStored: true,
    removeLabel: `Remove ${name}`,
  };
};
const NONE = [];

/** An upload with its picture as it was stored: not every browser can show the `file` that was chosen. */
async function asArrived(address, { id, contentType: type }, file) {
  const url = `${address}/${id}`;
  // Loaded before the form can be sent, which takes the upload away.
  return { id, type, url, file: type.startsWith("image/") ? await call(url).catch(() => file) : file };
}

/** The names of files that are in this page alone, by group, as JSON: a reload or a restart takes them. */
function unsentOf(items) {
  const names = {};
  for (const { group, name, id } of items) if (!id) names[group] = [...(names[group] ?? []), name];
  return Object.keys(names).length ? JSON.stringify(names) : "";
}

/** Names photos that a reload or a restart took before they were sent, once their groups are there again. */
function useLostNames(place, unsent, tell) {
  useEffect(() => {
    const names = JSON.parse((place && sessionStorage.getItem(place)) || "{}");
    for (const group in names) tell(group, `Choose again: ${names[group].join(", ")}`);
  }, []);
  useEffect(() => {
    if (place && unsent) sessionStorage.setItem(place, unsent);
    else if (place) sessionStorage.removeItem(place);
  }, [unsent]);
}
const asSent = (file) => ({ key: ++keys, removeLabel: `Remove ${file.name} from ${file.group}`, ...file });

/**
 * Groups of files that are uploaded as they are chosen, one by one: a phone has no memory for ten decoded photos. The
 * form around them is sent once all have arrived.
 */
export function Uploads({
  groups,
  stored = [],
  waiting = NONE,
  errors = {},
  most,
  tooMany,
  mostBytes,
  tooLarge,
  address = "/api/vendor/uploads",
  onRefused,
}) {
  const [items, setItems] = useState(() => waiting.map(asSent));
  const [gone, setGone] = useState([]);
  const unsent = unsentOf(items);
  const unsentField = useTold(unsent);
  const [problems, setProblems] = useState({});
  const box = useRef(null);
  const queue = useRef(Promise.resolve());
  const removed = useRef(new Set());
  const isHeld = useRef(false);

  // Uploads that were found after the form was rendered, as after a login.
  useEffect(() => {
    setItems((all) => [...all, ...waiting.filter(({ id }) => !all.some((item) => item.id === id)).map(asSent)]);
  }, [waiting]);

  const say = (title, text) => {
    setProblems((before) => ({ ...before, [title]: text }));
    if (text) onRefused?.(text);
  };
  // Other forms with files have a draft, which names them.
  useLostNames(groups[0].capture && `unsent ${window.location.pathname} ${groups[0].title}`, unsent, say);
  const update = (key, news) => setItems((all) => all.map((item) => (item.key === key ? { ...item, ...news } : item)));
  const forget = ({ key, id = 0 }) => {
    removed.current.add(key);
    setItems((all) => all.filter((item) => item.key !== key));
    if (id) call(`${address}/${id}`, "DELETE").catch(() => {});
  };
  const upload = async ({ key, group, name, file, replaces }) => {
    if (removed.current.has(key)) return;
    const refuse = (reason) => {
      forget({ key });
      say(group, `${name}: ${reason}`);
    };
    const ready = await shrunk(file).catch(() => file);
    if (ready.size > mostBytes) return refuse(tooLarge);
    const answer = await send(address, group, ready, (share) => update(key, { share }));
    const arrived = answer?.success ? await asArrived(address, answer.upload, file) : {};
    if (answer?.success && removed.current.has(key)) forget({ key, id: answer.upload.id });
    else if (answer?.success) {
      update(key, { ...arrived, share: undefined });
      if (replaces) setGone((before) => [...before, replaces]);
    } else if (answer?.errors?.length) refuse(answer.errors[0].message);
    else {
      update(key, { failed: true, share: undefined });
      say(group, answer?.message ?? `${name} could not be sent. Check your connection and try again.`);
    }
  };
  const start = (item) => {
    update(item.key, { failed: false, share: 0 });
    queue.current = queue.current.then(() => upload(item));
  };
  const add = (title, files, had, replaces) => {
    // If only one is allowed, the next replaces it.
    if (most === 1) items.forEach(forget);
    const room = roomFor(most, had, replaces);
    say(title, files.length > room ? tooMany : "");
    const chosen = files
      .slice(0, room)
      .map((file) => asSent({ group: title, name: file.name, type: file.type, file, replaces }));
    setItems((all) => [...all, ...chosen]);
    chosen.forEach(start);
  };
  const remove = (item) => {
    say(item.group, "");
    if (item.isStored) setGone((before) => [...before, item.id]);
    else forget(item);
  };

  const hold = (event) => {
    const open = items.filter((item) => !item.id);
    if (!open.length || !event.target.contains(box.current)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    isHeld.current = true;
    open.filter((item) => item.failed).forEach(start);
  };
  useListener("submit", hold, true);
  useEffect(() => {
    if (!isHeld.current || items.some((item) => !item.id && !item.failed)) return;
    isHeld.current = false;
    if (items.every((item) => item.id)) box.current.closest("form").requestSubmit();
  }, [items]);

  return (
    <div
      ref={box}
      className="fg-groups"
      data-stored={stored.length > 0 || undefined}
      data-taken={groups[0].capture || undefined}
    >
      <input ref={unsentField} type="hidden" name="unsent.files" value={unsent} />
      {groups.map((group) => {
        const here = ({ group: title }) => title === group.title;
        const kept = stored.filter(here).map((file, at) => asStored(file, at + 1));
        const all = [...kept.filter((file) => !gone.includes(file.id)), ...items.filter(here)];
        return (
          <Group
            key={group.title}
            group={group}
            items={all}
            gone={kept.map(({ id }) => id).filter((id) => gone.includes(id))}
            problem={problems[group.title] || errors[group.title]}
            onFiles={(files) => add(group.title, files, all.length)}
          >
            {all.map((item) => (
              <Tile
                key={item.key}
                item={item}
                accept={group.accept}
                onRemove={() => remove(item)}
                onRetry={() => start(item)}
                onReplace={(files) => add(group.title, files.slice(0, 1), all.length, item.id)}
                onFailure={(message) => say(group.title, message)}
              />
            ))}
          </Group>
        );
      })}
    </div>
  );
}
