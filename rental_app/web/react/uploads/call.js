// Requests with their owner's token; apart from the rest of the transfers, which few pages need.

export const bearer = () => `Bearer ${window.localStorage.getItem("token") ?? ""}`;

/** Requests an address of the server with its owner's token. Rejects when that fails. */
export async function call(url, method = "GET") {
  const answer = await fetch(url, { method, headers: { Authorization: bearer() } });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.blob();
}
