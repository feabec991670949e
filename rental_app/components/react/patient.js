const PAUSE_MS = 2000;

/** Fetches what is wanted for the first time, and asks again until it comes: a lost line must not break the page. */
export const patient = (load) => async () => {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((again) => setTimeout(again, PAUSE_MS));
    }
  }
};
