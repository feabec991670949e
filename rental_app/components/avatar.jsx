import { useEffect, useRef, useState } from "react";
import { Button, Dialog } from "@radix-ui/themes";
// Every page of the vendor's has the picture, and with it the rules of Radix's components.
import "$/styles/radix.css";
import "./avatar.css";
import { kindOf, PHOTOS } from "./file_kinds.js";

const MEGABYTE = 1024 * 1024;

function sizeOf(file) {
  return file.size < MEGABYTE ? `${Math.max(1, Math.round(file.size / 1024))} KB` : `${(file.size / MEGABYTE).toFixed(1)} MB`;
}

async function refusalOf(file, maxMb) {
  if (!file.size) return `${file.name} is empty. Choose another picture.`;
  if (!PHOTOS.includes(await kindOf(file))) return `${file.name} is not a picture. Choose a JPEG, PNG or WebP file.`;
  if (file.size > maxMb * MEGABYTE) return `${file.name} has ${sizeOf(file)}. A picture can have at most ${maxMb} MB.`;
  return "";
}

async function send(file) {
  const body = new FormData();
  body.append("image", file);
  try {
    const headers = { Authorization: `Bearer ${localStorage.getItem("token") || ""}` };
    const answer = await (await fetch("/api/vendor/update-image", { method: "POST", headers, body })).json();
    return answer.success ? "" : answer.message;
  } catch {
    return "The picture could not be sent. Check your connection and try again.";
  }
}

function Face({ image, initials }) {
  return (
    <span className="avatar-face avatar-small" data-initials={image ? "" : initials}>
      {image && <img src={image} alt="" width="96" height="96" />}
    </span>
  );
}

export function Avatar({ image, initials, maxMb, onDone, onRefused }) {
  const input = useRef(null);
  const [file, setFile] = useState(null);
  const [preview, setPreview] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (!file) return setPreview("");
    const url = URL.createObjectURL(file);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);

  const refuse = (message) => {
    setProblem(message);
    onRefused?.(message);
  };
  const close = () => {
    setFile(null);
    setProblem("");
  };
  const choose = async (event) => {
    const chosen = event.target.files[0];
    // Without this, choosing the same file again would be no change.
    event.target.value = "";
    if (!chosen) return;
    const refusal = await refusalOf(chosen, maxMb);
    setFile(refusal ? null : chosen);
    setProblem("");
    if (refusal) refuse(refusal);
  };
  const save = async () => {
    setBusy(true);
    const refusal = await send(file);
    setBusy(false);
    if (refusal) return refuse(refusal);
    close();
    onDone?.();
  };
  return (
    <>
      <button type="button" className="avatar-button" aria-label="Change profile picture"
        onClick={() => input.current.click()}>
        <Face image={image} initials={initials} />
        <span className="avatar-badge" aria-hidden="true">
          <svg width="14" height="14" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2"
            strokeLinecap="round" strokeLinejoin="round">
            <path d="M14.5 4h-5L7 7H4a2 2 0 0 0-2 2v9a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2V9a2 2 0 0 0-2-2h-3z" />
            <circle cx="12" cy="13" r="3" />
          </svg>
        </span>
      </button>
      <input ref={input} type="file" accept={PHOTOS.join(",")} hidden onChange={choose} />
      <Dialog.Root open={file !== null || problem !== ""} onOpenChange={(open) => open || busy || close()}>
        <Dialog.Content style={{ maxWidth: "28rem" }} aria-describedby={undefined}>
          <Dialog.Title>Profile picture</Dialog.Title>
          {file && preview && (
            <div className="avatar-preview">
              <img src={preview} alt="Preview of your new profile picture" className="avatar-large"
                onError={() => preview && refuse("This picture cannot be read. Choose another one.")} />
              <p>{file.name}, {sizeOf(file)}</p>
            </div>
          )}
          {problem && <p role="alert" className="avatar-problem">{problem}</p>}
          <p className="avatar-hint">JPEG, PNG or WebP, at most {maxMb} MB.</p>
          <div className="avatar-actions">
            <Button size="3" variant="soft" color="gray" highContrast disabled={busy} onClick={close}>Cancel</Button>
            <Button size="3" variant="soft" highContrast disabled={busy} onClick={() => input.current.click()}>Choose another</Button>
            {file && <Button size="3" disabled={busy} onClick={save}>{busy ? "Saving..." : "Save picture"}</Button>}
          </div>
        </Dialog.Content>
      </Dialog.Root>
    </>
  );
}
