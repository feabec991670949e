// Asks a device for a passkey. Not every browser has the helpers that write WebAuthn as JSON (Safari has since 18.4),
// and what a password manager answers in the browser's place is refused by them: then it is written by hand.

const PARSERS = { create: "parseCreationOptionsFromJSON", get: "parseRequestOptionsFromJSON" };
// What a refusal means that is not "this browser cannot".
const REFUSALS = { NotAllowedError: "cancelled", AbortError: "cancelled", InvalidStateError: "known" };

/** The bytes that a text in base64url stands for. */
export const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** Bytes in base64url. */
export const textOf = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** The server's options as the browser takes them. */
export function parsed(act, options) {
  try {
    return PublicKeyCredential[PARSERS[act]](options);
  } catch {
    return parsedByHand(options);
  }
}

function parsedByHand(options) {
  const asBytes = { ...options, challenge: bytesOf(options.challenge) };
  if (options.user) asBytes.user = { ...options.user, id: bytesOf(options.user.id) };
  for (const list of ["excludeCredentials", "allowCredentials"])
    if (options[list]) asBytes[list] = options[list].map((known) => ({ ...known, id: bytesOf(known.id) }));
  return asBytes;
}

/** What a device answered, as the server reads it. */
export function written(credential) {
  try {
    return credential.toJSON();
  } catch {
    return writtenByHand(credential);
  }
}

function writtenByHand({ rawId, response }) {
  const names = ["clientDataJSON", "attestationObject", "authenticatorData", "signature"];
  const parts = names.filter((name) => response[name]).map((name) => [name, textOf(response[name])]);
  return { id: textOf(rawId), rawId: textOf(rawId), type: "public-key", response: Object.fromEntries(parts) };
}

/** Has the device make a passkey ("create") or sign with one ("get"): its answer as JSON, or `{refused: why}`. */
export async function asked(act, options) {
  try {
    return JSON.stringify(written(await navigator.credentials[act]({ publicKey: parsed(act, options) })));
  } catch (refusal) {
    return JSON.stringify({ refused: REFUSALS[refusal.name] ?? "cannot" });
  }
}
