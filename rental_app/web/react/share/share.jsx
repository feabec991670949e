// The toaster hears this: imported, it would be a file of its own on every page.
const say = (text, duration) => window.dispatchEvent(new CustomEvent("said", { detail: { text, duration } }));

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
      say(copied, 4000);
    } catch {
      // No clipboard without a secure connection, or it was refused.
      say(`${failed} ${url}`, 20_000);
    }
  };
  return (
    <button {...props} type="button" onClick={share}>
      {children}
    </button>
  );
}
