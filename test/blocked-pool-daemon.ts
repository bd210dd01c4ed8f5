/** A daemon all of whose pool threads wait for FIFOs since SIGUSR2. Takes the same arguments as `interlingua serve`. */
import { open } from "node:fs/promises";
import { parseArgs } from "node:util";
import { startDaemon } from "../src/daemon.ts";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { port: { type: "string" }, data: { type: "string" }, root: { type: "string" } },
});
const daemon = await startDaemon({
  port: Number(values.port),
  data: values.data,
  roots: [values.root!],
});
process.on("SIGUSR2", () => {
  for (const path of (process.env.FIFOS ?? "").split(":")) void open(path).then((file) => file.close());
});
console.log(`${daemon.url}/#token=${daemon.token}`);
