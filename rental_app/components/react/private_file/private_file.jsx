import { useEffect, useState } from "react";

const A_MINUTE = 60_000;

/** An address at which the browser has what only its owner may have. Rejects when it cannot be had. */
async function fetched(url) {
  const headers = { Authorization: `Bearer ${window.localStorage.getItem("token") ?? ""}` };
  const answer = await fetch(url, { headers });
  if (!answer.ok) throw new Error(String(answer.status));
  return URL.createObjectURL(await answer.blob());
}

/** A button that saves a file, and says when it could not. */
export function PrivateFile({ url, name, label, again, failure, className }) {
  const [state, setState] = useState("idle");
  const save = async () => {
    setState("busy");
    try {
      const made = await fetched(url);
      Object.assign(document.createElement("a"), { href: made, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(made), A_MINUTE);
      setState("idle");
    } catch {
      setState("failed");
    }
  };
  const failed = state === "failed";
  return (
    <div>
      <button type="button" className={className} disabled={state === "busy"} onClick={save}>
        {failed ? again : label}
      </button>
      <p role="status" className="text-sm">
        {failed && failure}
      </p>
    </div>
  );
}

function Photo({ url, label, again, failure, className, buttonClass, onAgain }) {
  const [source, setSource] = useState("");
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let made = "";
    let here = true;
    const keep = (found) => {
      made = found;
      if (here) setSource(found);
      else URL.revokeObjectURL(found);
    };
    fetched(url).then(keep, () => here && setFailed(true));
    return () => {
      here = false;
      if (made) URL.revokeObjectURL(made);
    };
  }, [url]);
  if (failed) {
    return (
      <div className={className} role="status">
        <p className="text-sm">{failure}</p>
        <button type="button" className={buttonClass} onClick={onAgain}>
          {again}
        </button>
      </div>
    );
  }
  return source ? (
    <img src={source} alt={label} className={className} />
  ) : (
    <span className={className} aria-hidden="true" />
  );
}

/** A photo, or why it is not there. */
export function PrivatePhoto(props) {
  const [tries, setTries] = useState(1);
  return <Photo key={tries} {...props} onAgain={() => setTries(tries + 1)} />;
}
