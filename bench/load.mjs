// Drives autocannon, whose folder is the argument, as the JSON on its standard input says, and prints what it measured.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const autocannon = createRequire(import.meta.url)(process.argv[2]);
const { url, connections, seconds, lists } = JSON.parse(readFileSync(0, "utf8"));

// Each client goes through a list of its own.
let clients = 0;
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  timeout: 30,
  setupClient: (client) => client.setRequests(lists[clients++ % lists.length]),
});
process.stdout.write(JSON.stringify(result));
