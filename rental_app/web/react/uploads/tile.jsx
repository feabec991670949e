// Shows files before, while and after they are sent (uploads.jsx).
import { FileText, X } from "lucide-react";
import { call } from "./call.js";
import { lend, saving, useLoaded } from "./loaded.js";

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

/** A file of a group: being uploaded, waiting for the form, or stored with the vehicle. */
export function Tile({ item, accept, onRemove, onReplace, onRetry, onFailure }) {
  const acts = { View: (href) => window.open(href, "_blank"), Download: saving(item.saveAs) };
  const failed = () => onFailure(`${item.name} could not be loaded, please try again`);
  return (
    <li className={item.isStored ? "fg-tile fg-stored" : "fg-tile"}>
      <Picture item={item} />
      <button type="button" className="fg-remove" aria-label={item.removeLabel} onClick={onRemove}>
        <X className="fg-icon" aria-hidden="true" />
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
              onClick={() => lend(item.url, act).catch(failed)}
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
