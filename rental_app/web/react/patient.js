// What the browser loads later is asked for again here: the server does not know that it has not arrived.
const PAUSE_MS = 2000;

/** Loads something on first use, and retries until it arrives: a lost connection must not break the page. */
export const patient = (load) => async () => {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((again) => setTimeout(again, PAUSE_MS));
    }
  }
};
