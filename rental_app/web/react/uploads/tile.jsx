import { useEffect, useState } from "react";
import { call } from "./wire.js";

const ICONS = {
  paper: "M14 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8zM14 2v6h6M9 13h6M9 17h6",
  plus: "M12 5v14M5 12h14",
  camera:
    "M4 7h3l2-3h6l2 3h3a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1zM8 13a4 4 0 1 0 8 0 4 4 0 0 0-8 0",
  cross: "M18 6 6 18M6 6l12 12",
};
const KEPT_OPEN_MS = 60_000;

export function Icon({ name }) {
  return (
    <svg className="fg-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

/** A button that lets files be chosen. */
export function Chooser({ className = "", children, onFiles, ...props }) {
  const choose = ({ target }) => {
    onFiles([...target.files]);
    target.value = ""; // The same file can be chosen again after it was removed.
  };
  // Enter would submit the form; browsers let a key open the chooser only once it has been pressed, so on key-up.
  return (
    <label className={className}>
      {children}
      <input
        type="file"
        {...props}
        onChange={choose}
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
function Preview({ item: { type, file, url, name } }) {
  const [shown, setShown] = useState("");
  useEffect(() => {
    let made = "";
    let isGone = false;
    const show = (blob) => {
      if (!isGone) made = URL.createObjectURL(blob);
      setShown(made);
    };
    if (type.startsWith("image/")) Promise.resolve(file ?? call(url)).then(show, () => {});
    return () => {
      isGone = true;
      URL.revokeObjectURL(made);
    };
  }, [type, file, url]);
  if (shown) return <img className="fg-image" src={shown} alt={name} onError={() => setShown("")} />;
  return (
    <span className="fg-paper">
      <Icon name="paper" />
      <span>{name}</span>
    </span>
  );
}

/** A file of a group: being uploaded, waiting for the form, or stored with the vehicle. */
export function Tile({ item, accept, onRemove, onReplace, onRetry, onFailure }) {
  const open = async (act) => {
    const url = URL.createObjectURL(await call(item.url));
    act(url);
    setTimeout(() => URL.revokeObjectURL(url), KEPT_OPEN_MS);
  };
  const acts = {
    View: (href) => window.open(href, "_blank"),
    Download: (href) => Object.assign(document.createElement("a"), { href, download: item.saveAs }).click(),
  };
  const failed = () => onFailure(`${item.name} could not be loaded, please try again`);
  return (
    <li className={item.isStored ? "fg-tile fg-stored" : "fg-tile"}>
      <Preview item={item} />
      <button type="button" className="fg-remove" aria-label={item.removeLabel} onClick={onRemove}>
        <Icon name="cross" />
      </button>
      {item.share >= 0 && <progress aria-label={`Upload of ${item.name}`} value={item.share} />}
      {item.failed && (
        <button type="button" className="fg-retry" onClick={onRetry}>
          Try again
        </button>
      )}
      {item.isStored && (
        <div className="fg-actions">
          {Object.entries(acts).map(([name, act]) => (
            <button
              key={name}
              type="button"
              aria-label={`${name} ${item.name}`}
              onClick={() => open(act).catch(failed)}
            >
              {name}
            </button>
          ))}
          <Chooser accept={accept} aria-label={`Replace ${item.name}`} onFiles={onReplace}>
            Replace
          </Chooser>
        </div>
      )}
    </li>
  );
}
