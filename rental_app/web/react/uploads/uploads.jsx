// Chosen files exist in the browser alone until they have been sent, one after another.
import { useContext, useEffect, useRef, useState } from "react";
import { EventLoopContext } from "$/utils/context";
import { useListener } from "../listen.js";
import { call } from "./call.js";
import { Framed } from "./framed.jsx";
import { Group, Inputs, Tiled, useTold } from "./groups.jsx";
import { drop, keep, keptOf, lostOf } from "./kept.js";
import { roomFor } from "./room.js";
import { useLeft } from "./successors.js";
import { Tile } from "./tile.jsx";
import { send, shrunk } from "./wire.js";
import "./uploads.css";

let keys = 0;

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

const HERE = () => window.location.pathname.replace(/\/$/, "");

/**
 * Sends photos that a reload or a restart took before they were sent, once their groups are there again; those that the
 * browser did not keep are named.
 */
function useLost(titles, unsent, tell, onFound) {
  const place = `unsent ${HERE()} ${titles[0]}`;
  useEffect(() => {
    if (!titles.length) return;
    const names = JSON.parse(sessionStorage.getItem(place) || "{}");
    const find = async () => (await keptOf(HERE())).filter(({ group }) => titles.includes(group));
    find()
      .catch(() => [])
      .then((found) => {
        onFound(found);
        for (const [group, lost] of lostOf(names, found)) tell(group, `Choose again: ${lost.join(", ")}`);
      });
  }, []);
  useEffect(() => {
    if (titles.length && unsent) sessionStorage.setItem(place, unsent);
    else if (titles.length) sessionStorage.removeItem(place);
  }, [unsent]);
}
const forgetKept = ({ kept }) => kept?.then((key) => key && drop(key)).catch(() => {});
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
  framed = false,
  before = NONE,
  noted = false,
  tiles = false,
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
    // The server has noted these.
    if (noted) items.filter((item) => waiting.some(({ id }) => id === item.id)).forEach(forgetKept);
  }, [waiting]);

  const say = (title, text) => {
    setProblems((before) => ({ ...before, [title]: text }));
    if (text) onRefused?.(text);
  };
  const update = (key, news) => setItems((all) => all.map((item) => (item.key === key ? { ...item, ...news } : item)));
  const forget = ({ key, id = 0, kept = undefined }) => {
    removed.current.add(key);
    forgetKept({ kept });
    setItems((all) => all.filter((item) => item.key !== key));
    if (id) call(`${address}/${id}`, "DELETE").catch(() => {});
  };
  const upload = async ({ key, group, name, file, replaces, kept }) => {
    if (removed.current.has(key)) return;
    const refuse = (reason) => {
      forget({ key, kept });
      say(group, `${name}: ${reason}`);
    };
    const ready = await shrunk(file).catch(() => file);
    if (ready.size > mostBytes) return refuse(tooLarge);
    update(key, { size: ready.size });
    const answer = await send(address, group, ready, (share) => update(key, { share }));
    const arrived = answer?.success ? await asArrived(address, answer.upload, file) : {};
    if (answer?.success && removed.current.has(key)) forget({ key, id: answer.upload.id });
    else if (answer?.success) {
      update(key, { ...arrived, share: undefined });
      if (!noted) forgetKept({ kept });
      if (replaces) setGone((before) => [...before, replaces]);
    } else if (answer?.errors?.length) refuse(answer.errors[0].message);
    else {
      update(key, { failed: true, share: undefined });
      say(group, answer?.message ?? `${name} could not be sent. Check your connection and try again.`);
    }
  };
  const start = (item) => {
    if (item.failed) say(item.group, "");
    update(item.key, { failed: false, share: 0 });
    queue.current = queue.current.then(() => upload(item));
  };
  const ownOf = (title) => stored.filter(({ group }) => group === title).map((file, at) => asStored(file, at + 1));
  const sentOf = (title) => items.filter(({ group }) => group === title);
  const allOf = (title) => [...ownOf(title).filter(({ id }) => !gone.includes(id)), ...sentOf(title)];
  const add = (title, files, replaces) => {
    // If only one is allowed, the next replaces it.
    if (most === 1) items.forEach(forget);
    const room = roomFor(most, allOf(title).length, replaces);
    say(title, files.length > room ? tooMany : "");
    const chosen = files
      .slice(0, room)
      .map((file) => keeping({ group: title, name: file.name, type: file.type, size: file.size, file, replaces }));
    setItems((all) => [...all, ...chosen]);
    chosen.forEach(start);
  };
  // Other forms with files have a draft, which names them.
  const titles = groups.filter(({ capture }) => capture).map(({ title }) => title);
  const keeping = (photo) => asSent({ ...photo, kept: titles.length ? keep(HERE(), photo).catch(() => 0) : undefined });
  useLost(titles, unsent, say, (found) => {
    const again = found.map(({ key, ...photo }) => asSent({ ...photo, kept: Promise.resolve(key) }));
    setItems((all) => [...all, ...again]);
    again.forEach(start);
  });
  useLeft(
    groups.map(({ title }) => title),
    add,
  );
  const retry = () => items.filter((item) => item.failed).forEach(start);
  const [, connectErrors] = useContext(EventLoopContext);
  const isCut = connectErrors.length > 0;
  useListener("online", retry);
  useEffect(() => {
    if (!isCut) retry();
  }, [isCut]);
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
    retry();
  };
  useListener("submit", hold, true);
  useEffect(() => {
    if (!isHeld.current || items.some((item) => !item.id && !item.failed)) return;
    isHeld.current = false;
    if (items.every((item) => item.id)) box.current.closest("form").requestSubmit();
  }, [items]);

  const actsOn = (item) => ({ onRemove: () => remove(item), onRetry: () => start(item) });
  const unsentInput = <input ref={unsentField} type="hidden" name="unsent.files" value={unsent} />;
  if (framed)
    return (
      <div ref={box}>
        <Framed
          groups={groups}
          itemsOf={({ title }) => sentOf(title)}
          problemOf={({ title }) => problems[title] || errors[title]}
          onFiles={({ title }, files) => add(title, files)}
          actsOn={actsOn}
          before={before}
          waits={items.filter(({ failed }) => failed).length}
          onRetry={retry}
        >
          {unsentInput}
          {groups.map((group) => (
            <Inputs key={group.title} group={group} items={sentOf(group.title)} />
          ))}
        </Framed>
      </div>
    );
  const drawn = groups.map((group) => {
    const all = allOf(group.title);
    return (
      <Group
        key={group.title}
        group={group}
        items={all}
        gone={ownOf(group.title)
          .map(({ id }) => id)
          .filter((id) => gone.includes(id))}
        problem={problems[group.title] || errors[group.title]}
        isTile={tiles}
        onFiles={(files) => add(group.title, files)}
      >
        {all.map((item) => (
          <Tile
            key={item.key}
            item={item}
            accept={group.accept}
            {...actsOn(item)}
            onReplace={(files) => add(group.title, files.slice(0, 1), item.id)}
            onFailure={(message) => say(group.title, message)}
          />
        ))}
      </Group>
    );
  });
  if (tiles)
    return (
      <div ref={box} className="fg-tiles">
        {unsentInput}
        <Tiled groups={groups} filesOf={({ title }) => allOf(title)}>
          {drawn}
        </Tiled>
      </div>
    );
  return (
    <div
      ref={box}
      className="fg-groups"
      data-stored={stored.length > 0 || undefined}
      data-taken={groups[0].capture || undefined}
    >
      {unsentInput}
      {drawn}
    </div>
  );
}
