// A device's clock may be wrong by a year: what is offered goes by the server's, as its answers tell it.
const DAY = 86_400_000;
const PATIENCE = 3000;
let ahead = 0;
let answered = null;

/** The instant in milliseconds; the device's clock counts unless it is off by more than a day. */
export const now = () => Date.now() + ahead;

async function ask() {
  try {
    const answer = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    const off = Date.parse((await answer.json()).now) - Date.now();
    ahead = Math.abs(off) > DAY ? off : 0;
  } catch {
    // Whoever has no connection chooses by their own clock.
  }
}

/** Asks the server for the time, once a page. */
export const learnTime = () => {
  answered ??= ask();
  return answered;
};
