import { toast } from "../toaster/toaster.jsx";

/** Whether the browser's own sheet has been shown; closing it again is no failure. */
async function shared(link) {
  if (!navigator.share) return false;
  try {
    await navigator.share(link);
    return true;
  } catch (error) {
    return error.name === "AbortError";
  }
}

/** A button that passes a page's address on: by the browser's own sheet, else over the clipboard. */
export function Share({ path, title, copied, failed, children, ...props }) {
  const share = async () => {
    const url = window.location.origin + path;
    if (await shared({ title, url })) return;
    try {
      await navigator.clipboard.writeText(url);
      toast(copied, { id: "share" });
    } catch {
      // No clipboard without a secure connection, or it was refused.
      toast(`${failed} ${url}`, { id: "share", duration: 20_000 });
    }
  };
  return (
    <button {...props} type="button" onClick={share}>
      {children}
    </button>
  );
}
