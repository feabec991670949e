// Shows files before, while and after they are sent (uploads.jsx).
import { FileText, RotateCw, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { call } from "./call.js";
import { lend, saving, useLoaded } from "./loaded.js";
import { leave, placeOf } from "./successors.js";

/**
 * A button that lets files of a group be chosen. `onFiles` hears also which group it was when the chooser was opened: a
 * field may serve another by the time that a photo is taken.
 */
export function Chooser({ className = "", children, group, replaces = undefined, onFiles, ...props }) {
  const field = useRef(null);
  const latest = useRef(null);
  latest.current = { group, replaces, onFiles };
  // React hears nothing of a field that is gone by the time that files are chosen in it: never removed.
  useEffect(() => {
    const input = field.current;
    const now = () => ({ ...latest.current, place: placeOf(latest.current.group) });
    let opened = null;
    input.addEventListener("click", () => (opened = now()));
    input.addEventListener("cancel", () => (opened = null));
    input.addEventListener("change", () => {
      const files = [...input.files];
      const { group, replaces, place } = opened ?? now();
      opened = null;
      input.value = ""; // The same file can be chosen again after it was removed.
      if (input.isConnected) latest.current.onFiles(files, group);
      else leave(place, files, replaces);
    });
  }, []);
  // Enter would submit the form; browsers let a key open the chooser only once it has been pressed, so on key-up.
  return (
    <label className={className}>
      {children}
      <input
        ref={field}
        type="file"
        {...props}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        onKeyUp={(event) => event.key === "Enter" && event.currentTarget.click()}
      />
    </label>
  );
}

/**
 * A photo as a picture, just chosen or loaded with its owner's token; by its name what is no photo, or one that the
 * browser cannot show, such as a HEIC.
 */
export function Picture({ item: { type, file, url, name }, alt = name }) {
  const [shown, setShown] = useLoaded(
    () => (type.startsWith("image/") ? (file ?? call(url)) : null),
    [type, file, url],
  );
  if (shown) return <img className="fg-image" src={shown} alt={alt} onError={() => setShown("")} />;
  return (
    <span className="fg-paper">
      <FileText className="fg-icon" aria-hidden="true" />
      <span>{name}</span>
    </span>
  );
}

/** How much of a file has been sent, over its picture. */
function Ring({ label, share }) {
  const percent = Math.round(share * 100);
  return (
    <span
      className="fg-ring"
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      style={/** @type {any} */ ({ "--share": share })}
    >
      {percent}%
    </span>
  );
}

/** A file of a group: being uploaded, waiting for the form, or stored with the vehicle. */
export function Tile({ item, accept, onRemove, onReplace, onRetry, onFailure }) {
  const acts = { View: (href) => window.open(href, "_blank"), Download: saving(item.saveAs) };
  const failed = () => onFailure(`${item.name} could not be loaded, please try again`);
  return (
    <li className={item.isStored ? "fg-tile fg-stored" : "fg-tile"} data-open={item.id ? undefined : true}>
      <Picture item={item} />
      {item.share >= 0 && <Ring label={`Upload of ${item.name}`} share={item.share} />}
      {item.failed && (
        <button type="button" className="fg-retry" onClick={onRetry}>
          <RotateCw className="fg-icon" aria-hidden="true" />
          Try again
        </button>
      )}
      <button type="button" className="fg-remove" aria-label={item.removeLabel} onClick={onRemove}>
        <X className="fg-icon" aria-hidden="true" />
      </button>
      {item.isStored && (
        <div className="fg-actions">
          {Object.entries(acts).map(([name, act]) => (
            <button
              key={name}
              type="button"
              aria-label={`${name} ${item.name}`}
              onClick={() => lend(item.url, act).catch(failed)}
            >
              {name}
            </button>
          ))}
          <Chooser
            group={item.group}
            replaces={item.id}
            accept={accept}
            aria-label={`Replace ${item.name}`}
            onFiles={onReplace}
          >
            Replace
          </Chooser>
        </div>
      )}
    </li>
  );
}
