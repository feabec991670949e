// A group of files on a page: what the form has of it, and where files are chosen, taken and dropped.
import { Camera, FolderOpen, Plus } from "lucide-react";
import { Children, useEffect, useId, useRef, useState } from "react";
import { stateOf, totalOf } from "./room.js";
import { Chooser } from "./tile.jsx";

/** A field for a hidden input that lets the form know when some content changes. */
export function useTold(content) {
  const field = useRef(null);
  const told = useRef(content);
  useEffect(() => {
    if (told.current !== content) field.current.dispatchEvent(new Event("input", { bubbles: true }));
    told.current = content;
  }, [content]);
  return field;
}

/** What the form has of a group: its files by id and name, and the stored ones to be removed. */
export function Inputs({ group, items, gone = [] }) {
  const value = JSON.stringify(items.filter((item) => item.id && !item.isStored).map(({ id, name }) => ({ id, name })));
  const field = useTold(value + gone);
  return (
    <>
      <input ref={field} type="hidden" name={`files.${group.title}`} value={value} />
      <input type="hidden" name={`drop.${group.title}`} value={gone.join(",")} />
    </>
  );
}

/** Has files that are dropped on a group chosen; returns whether some are above it, and what the group listens to. */
function useDrop(onFiles) {
  const [isOver, setOver] = useState(false);
  const onDragOver = (event) => {
    event.preventDefault();
    setOver(true);
  };
  const onDrop = (event) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return /** @type {const} */ ([isOver, { onDragOver, onDrop, onDragLeave: () => setOver(false) }]);
}

/** Where files are chosen, and on a touch device photos taken. */
function Adders({ group, items, problem, describedBy, isTile, onFiles }) {
  const words = items.length ? group.more : group.add;
  return (
    <>
      <Chooser
        className="fg-add"
        group={group.title}
        multiple
        accept={group.accept}
        capture={group.capture || undefined}
        id={group.title}
        onFiles={onFiles}
        aria-label={`Add files to ${group.label}`}
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy}
      >
        {isTile && <FolderOpen className="fg-icon fg-folder" aria-hidden="true" />}
        <Plus className="fg-icon" aria-hidden="true" />
        <span>{words}</span>
      </Chooser>
      {group.camera && (
        <Chooser
          className="fg-add fg-camera"
          group={group.title}
          accept={group.camera}
          capture="environment"
          onFiles={onFiles}
          aria-label={`Take a photo for ${group.label}`}
        >
          <Camera className="fg-icon" aria-hidden="true" />
          <span>{isTile ? "Take photo" : "Take a photo"}</span>
        </Chooser>
      )}
    </>
  );
}

/** One group, into which files can be dropped; as a tile it has the same size whatever is in it. */
export function Group({ group, items, gone, problem, isTile, onFiles, children }) {
  const [isOver, listens] = useDrop(onFiles);
  const id = useId();
  const state = isTile ? stateOf(items) : "";
  const adders = (
    <Adders group={group} items={items} problem={problem} describedBy={id} isTile={isTile} onFiles={onFiles} />
  );
  return (
    <fieldset
      className="fg-group"
      aria-label={`${group.label} files`}
      data-over={isOver || undefined}
      data-invalid={problem ? true : undefined}
      {...listens}
    >
      {group.heading && !isTile && <h3>{group.heading}</h3>}
      {isTile ? (
        <div className="fg-frame">
          {items.length > 0 && <ul>{children}</ul>}
          {items.length > 1 && (
            <span className="fg-count" aria-hidden="true">
              {items.length}
            </span>
          )}
        </div>
      ) : (
        <ul>
          {children}
          <li className="fg-adds">{adders}</li>
        </ul>
      )}
      {isTile && (
        <>
          <h4>{group.heading}</h4>
          <p className="fg-state" data-state={state}>
            {items.length > 1 && state === "Saved" ? `${items.length} saved` : state}
          </p>
          <div className="fg-adders" data-empty={items.length ? undefined : true}>
            {adders}
          </div>
        </>
      )}
      <p id={id} className={problem ? "fg-problem" : "fg-hint"}>
        {problem || group.hint}
      </p>
      <Inputs group={group} items={items} gone={gone} />
    </fieldset>
  );
}

/** Groups as tiles in their sections, and below them how many are saved. */
export function Tiled({ groups, filesOf, children }) {
  const drawn = Children.toArray(children);
  const sections = [...new Set(groups.map(({ section }) => section))];
  const { saved, words } = totalOf(groups.map(filesOf));
  return (
    <>
      {sections.map((section) => {
        const own = groups.filter((group) => group.section === section);
        return (
          <section key={section} aria-label={section}>
            <h3>{section}</h3>
            <p className="fg-hint">{own[0].about}</p>
            <div className="fg-row" data-of={own.length}>
              {own.map((group) => drawn[groups.indexOf(group)])}
            </div>
          </section>
        );
      })}
      <div className="fg-total">
        <p role="status">
          <span>{`${saved} of ${groups.length} saved`}</span> <strong>{words}</strong>
        </p>
        <progress aria-label="Groups saved" max={groups.length} value={saved} />
      </div>
    </>
  );
}
