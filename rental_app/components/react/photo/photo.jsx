import { useEffect, useState } from "react";
import { call } from "../uploads/wire.js";

/** A photo that only some may see, loaded with the token of whoever looks; pressed, it opens large. */
export function Photo({ url, name }) {
  const [shown, setShown] = useState("");
  useEffect(() => {
    let made = "";
    let isGone = false;
    const show = (blob) => {
      if (isGone) return;
      made = URL.createObjectURL(blob);
      setShown(made);
    };
    call(url).then(show, () => {});
    return () => {
      isGone = true;
      URL.revokeObjectURL(made);
    };
  }, [url]);
  const look = "block aspect-[4/3] w-full overflow-hidden rounded-xl bg-(--gray-a3) object-cover";
  if (!shown) return <span className={look} role="img" aria-label={name} />;
  return (
    <a href={shown} target="_blank" rel="noopener">
      <img className={look} src={shown} alt={name} />
    </a>
  );
}
