// Whether an answer still belongs to the browser's address is known only where it is shown.
/** An address in normal form, without the parameters that narrow its results in place. */
const plain = (address) => {
  const { pathname, searchParams } = new URL(window.location.origin + address);
  for (const name of ["q", "page"]) searchParams.delete(name);
  return `${pathname}?${searchParams}`;
};

/** Whether one of these addresses is the browser's; `routed` is that of the page shown. */
export function isHere(routed, ...addresses) {
  if (typeof window === "undefined") return false;
  const { pathname, search } = window.location;
  // The address changes before its page has replaced this one.
  if (routed.pathname !== pathname) return true;
  return addresses.some((address) => plain(address) === plain(pathname + search));
}

// For scripts that the server sends: they may arrive when another search is shown.
if (typeof window !== "undefined") window.isHere = (...addresses) => isHere(window.location, ...addresses);
