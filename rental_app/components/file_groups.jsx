import { useEffect, useId, useState } from "react";
import { accepted, stored } from "./upload_wire.js";

const PAPER = "M14 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8zM14 2v6h6M9 13h6M9 17h6";
const PLUS = "M12 5v14M5 12h14";
const CROSS = "M18 6 6 18M6 6l12 12";

function Icon({ path, size = 20 }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2"
      strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

function useBlobUrl(blob) {
  const [url, setUrl] = useState("");
  useEffect(() => {
    if (!blob) return undefined;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}

// Enter would send the whole form; browsers let a key open the chooser once it has been pressed, so at its release.
const byEnter = {
  onKeyDown: (event) => event.key === "Enter" && event.preventDefault(),
  onKeyUp: (event) => event.key === "Enter" && event.currentTarget.click(),
};

function Preview({ url, name, isImage, busy }) {
  if (busy) return <span className="fg-wait" role="status">Preparing…</span>;
  if (isImage && url) return <img className="fg-image" src={url} alt={name} />;
  return <span className="fg-paper"><Icon path={PAPER} size={28} /><span>{name}</span></span>;
}

function Remove({ label, onClick }) {
  return (
    <button type="button" className="fg-remove" aria-label={label} onClick={onClick}>
      <Icon path={CROSS} size={16} />
    </button>
  );
}

function ChosenTile({ item, onRemove }) {
  const url = useBlobUrl(item.file);
  return (
    <li className="fg-tile">
      <Preview url={url} name={item.name} isImage={item.file?.type.startsWith("image/")} busy={!item.file} />
      <Remove label={`Remove ${item.name} from ${item.group}`} onClick={onRemove} />
    </li>
  );
}

function StoredTile({ kept, number, accept, onRemove, onReplace, onFailure }) {
  const isImage = kept.content_type.startsWith("image/");
  const isPublic = !kept.url.startsWith("/api/");
  const [blob, setBlob] = useState(null);
  const privateUrl = useBlobUrl(blob);
  const name = `${kept.group} ${number}`;
  const extension = kept.content_type.split("/")[1].replace("jpeg", "jpg");
  useEffect(() => {
    let here = true;
    if (isImage && !isPublic) stored(kept.url).then((read) => here && setBlob(read), () => {});
    return () => { here = false; };
  }, [kept.url]);

  const open = async (act) => {
    try {
      const url = URL.createObjectURL(await stored(kept.url));
      act(url);
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    } catch {
      onFailure(`${name} could not be loaded, please try again`);
    }
  };
  const view = (url) => window.open(url, "_blank");
  const download = (url) => {
    Object.assign(document.createElement("a"), { href: url, download: `${name}.${extension}` }).click();
  };
  return (
    <li className="fg-tile fg-stored">
      <Preview url={isPublic ? kept.url : privateUrl} name={name} isImage={isImage} />
      <Remove label={`Remove ${name}`} onClick={onRemove} />
      <div className="fg-actions">
        <button type="button" aria-label={`View ${name}`} onClick={() => open(view)}>View</button>
        <button type="button" aria-label={`Download ${name}`} onClick={() => open(download)}>Download</button>
        <label>
          Replace
          <input type="file" accept={accept} aria-label={`Replace ${name}`} {...byEnter}
            onChange={(event) => { onReplace([...event.target.files]); event.target.value = ""; }} />
        </label>
      </div>
    </li>
  );
}

function Group({ group, kept, chosen, problem, onAdd, onRemove, onDrop, onFailure }) {
  const [over, setOver] = useState(false);
  const id = useId();
  const accept = accepted(group);
  const drop = (event) => {
    event.preventDefault();
    setOver(false);
    onAdd([...event.dataTransfer.files]);
  };
  const drag = (event) => {
    event.preventDefault();
    setOver(true);
  };
  const leave = (event) => !event.currentTarget.contains(event.relatedTarget) && setOver(false);
  const choose = (event) => {
    onAdd([...event.target.files]);
    event.target.value = ""; // The same file can be chosen again after it was removed.
  };
  return (
    <section className="fg-group" role="group" aria-label={`${group.title} files`} data-over={over || undefined}
      data-invalid={problem ? true : undefined} onDragOver={drag} onDragLeave={leave} onDrop={drop}>
      <h3>{group.title}</h3>
      <ul>
        {kept.map((item, index) => (
          <StoredTile key={item.id} kept={item} number={index + 1} accept={accept} onFailure={onFailure}
            onRemove={() => onDrop(item)} onReplace={(files) => files.length && onAdd(files, item)} />
        ))}
        {chosen.map((item) => <ChosenTile key={item.key} item={item} onRemove={() => onRemove(item)} />)}
        <li>
          <label className="fg-add">
            <Icon path={PLUS} />
            <span>{kept.length + chosen.length ? "Add more" : "Add files"}</span>
            <input type="file" multiple accept={accept} data-group={group.title} {...byEnter}
              aria-label={`Add files to ${group.title}`} aria-invalid={problem ? true : undefined}
              aria-describedby={problem ? `${id}-problem` : `${id}-hint`} onChange={choose} />
          </label>
        </li>
      </ul>
      {problem
        ? <p id={`${id}-problem`} className="fg-problem">{problem}</p>
        : <p id={`${id}-hint`} className="fg-hint">{group.hint}</p>}
    </section>
  );
}

/** The upload groups: what is stored, what was chosen, what is wrong. Files may be dropped on a group. */
export function FileGroups({ groups, kept, chosen, problems, onAdd, onRemove, onDrop, onFailure }) {
  return (
    <div className="fg-groups" data-stored={kept.length ? true : undefined}>
      {groups.map((group) => (
        <Group key={group.title} group={group} problem={problems[group.title]} onRemove={onRemove} onDrop={onDrop}
          kept={kept.filter((item) => item.group === group.title)} onFailure={onFailure}
          chosen={chosen.filter((item) => item.group === group.title)}
          onAdd={(files, replaced) => onAdd(group, files, replaced)} />
      ))}
    </div>
  );
}
