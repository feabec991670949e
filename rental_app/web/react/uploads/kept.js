// Photos that are not sent yet, in this browser's own database: a phone gives up a page while its camera is open.
const STORE = "unsent";
// A photo that nobody came back for.
const MOST_DAYS = 7;
const DAY_MS = 86_400_000;

/** Resolves to what `work` has asked of the store, once all of it is written. */
async function ask(mode, work) {
  const opening = indexedDB.open("photos", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "key", autoIncrement: true });
  const ended = (request, done) =>
    new Promise((resolve, reject) => {
      request[done] = () => resolve(request.result);
      request.onerror = () => reject(request.error);
      request.onabort = () => reject(request.error);
    });
  const base = await ended(opening, "onsuccess");
  try {
    const writing = base.transaction(STORE, mode);
    const asked = work(writing.objectStore(STORE));
    await ended(writing, "oncomplete");
    return asked.result;
  } finally {
    base.close();
  }
}

/** Keeps a photo of a place (an address of the site); resolves to its key. */
export const keep = (place, { group, name, type, file }) =>
  ask("readwrite", (store) => store.add({ place, group, name, type, file, at: Date.now() }));

/** Forgets a photo. */
export const drop = (key) => ask("readwrite", (store) => store.delete(key));

/** The photos kept of a place, oldest first; those that have waited too long are forgotten. */
export async function keptOf(place) {
  const all = await ask("readonly", (store) => store.getAll());
  const isOld = ({ at }) => Date.now() - at > MOST_DAYS * DAY_MS;
  await Promise.all(all.filter(isOld).map(({ key }) => drop(key)));
  return all.filter((photo) => photo.place === place && !isOld(photo));
}

/** The groups of which photos were not found again, with their names; `names` are all names by group. */
export const lostOf = (names, found) =>
  Object.entries(names)
    .map(([group, all]) => [
      group,
      all.filter((name) => !found.some((photo) => photo.group === group && photo.name === name)),
    ])
    .filter(([, lost]) => lost.length);
