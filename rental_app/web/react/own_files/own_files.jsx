// These files need the token, which an image or a link does not send.
import { useState } from "react";
import { call } from "../uploads/call.js";
import { lend, saving, useLoaded } from "../uploads/loaded.js";

const LOOK = "block aspect-[4/3] w-full overflow-hidden rounded-xl bg-(--gray-a3) object-cover";
const LINK = "min-h-10 cursor-pointer border-0 bg-transparent p-0 font-medium text-(--accent-11) underline";

/** A photo that only some may see, loaded with the viewer's token; a press opens it in full size. */
export function Photo({ url, name, failure, again }) {
  const [shown, , tryAgain] = useLoaded(() => call(url), [url]);
  if (shown === null) {
    return (
      <span className={`${LOOK} p-2 text-sm`} role="status">
        {name}: {failure}{" "}
        <button type="button" className={LINK} onClick={tryAgain}>
          {again}
        </button>
      </span>
    );
  }
  if (!shown) return <span className={LOOK} role="img" aria-label={name} />;
  return (
    <a href={shown} target="_blank" rel="noopener">
      <img className={LOOK} src={shown} alt={name} />
    </a>
  );
}

/** A button that saves a file that only some may have. */
export function Download({ url, saveAs, className, failure, again, onEnded, children }) {
  const [failed, setFailed] = useState(false);
  const save = async () => {
    setFailed(false);
    await lend(url, saving(saveAs));
  };
  const press = () =>
    save()
      .catch(() => setFailed(true))
      .then(() => onEnded?.());
  return (
    <>
      <button type="button" className={className} onClick={press}>
        {children}
        {failed && `: ${again}`}
      </button>
      <span role="status" className="text-sm">
        {failed && failure}
      </span>
    </>
  );
}
