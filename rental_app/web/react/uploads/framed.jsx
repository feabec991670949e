// A vehicle's sides are photographed one after another, in the browser alone.
import { Camera, Check, Image } from "lucide-react";
import { useId, useState } from "react";
import { Chooser, Picture, Tile } from "./tile.jsx";

/**
 * One side at a time, in a frame that is a guide and cuts nothing off; the others below it, and the shutter, which opens
 * the phone's camera, beside the choice from its gallery. `children` are what the form has of them.
 */
export function Framed({ groups, itemsOf, problemOf, onFiles, actsOn, before, waits, onRetry, children }) {
  const said = useId();
  const isOpen = (group) => !itemsOf(group).length;
  // Until one is pressed, it is the first side without a photo.
  const [chosen, setChosen] = useState(null);
  const at = chosen ?? Math.max(0, groups.findIndex(isOpen));
  const wrong = groups.findIndex((group) => problemOf(group));
  const group = groups[at];
  const items = itemsOf(group);
  const take = (files, title) => {
    const side = groups.find((each) => each.title === title);
    onFiles(side, files);
    if (files.length && groups.some((other) => other !== side && isOpen(other))) setChosen(null);
  };
  const then = before.find(({ name }) => name === group.label)?.before;
  const problem = problemOf(group) || (wrong >= 0 && `${groups[wrong].label}: ${problemOf(groups[wrong])}`);
  const chooser = { group: group.title, accept: group.accept, multiple: true, onFiles: take, "aria-describedby": said };
  return (
    <div className="fr fg-group">
      <div>
        <h3 aria-live="polite">{`${group.heading} side`}</h3>
        <p id={said} className={problem ? "fg-problem" : "fg-hint"}>
          {problem || group.hint}
        </p>
      </div>
      <div className="fr-stage">
        {then && (
          <figure>
            <Picture
              item={{ type: "image/*", url: then, name: "", file: null }}
              alt={`${group.label}, at the handover`}
            />
            <figcaption>Handover</figcaption>
          </figure>
        )}
        {items.length ? (
          <ul aria-label={`${group.label} files`}>
            {items.map((item) => (
              <Tile key={item.key} item={item} accept={group.accept} {...actsOn(item)} />
            ))}
          </ul>
        ) : (
          <Camera aria-hidden="true" />
        )}
      </div>
      <ol aria-label="Sides">
        {groups.map((side, place) => {
          const [photo] = itemsOf(side);
          return (
            <li key={side.title}>
              <button
                type="button"
                id={side.title}
                aria-pressed={place === at}
                aria-label={photo ? `${side.label}, taken` : side.label}
                data-failed={itemsOf(side).some(({ failed }) => failed) || undefined}
                onClick={() => setChosen(place)}
              >
                {photo ? <Picture item={photo} alt="" /> : <Camera aria-hidden="true" />}
                {photo && <Check className="fr-done" aria-hidden="true" />}
              </button>
              <span aria-hidden="true">{side.label}</span>
            </li>
          );
        })}
      </ol>
      {waits > 0 && (
        <p className="fr-waits" role="status">
          {waits === 1 ? "1 photo waits on this phone " : `${waits} photos wait on this phone `}
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        </p>
      )}
      <div className="fr-shutter">
        <Chooser className="fr-gallery" {...chooser} aria-label={`Choose from the gallery for ${group.label}`}>
          <Image aria-hidden="true" />
        </Chooser>
        <Chooser className="fr-release" {...chooser} capture="environment" aria-label={`Add files to ${group.label}`}>
          <span aria-hidden="true" />
        </Chooser>
      </div>
      {children}
    </div>
  );
}
