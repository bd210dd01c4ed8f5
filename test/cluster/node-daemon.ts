/** A node of a cluster whose lease is half as long as usual. Started by start-node.ts. */
import { parseArgs } from "node:util";
import { pino } from "pino";
import { startDaemon } from "../../src/daemon.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    root: { type: "string" },
    "shared-root": { type: "string" },
    "checkpoint-directory": { type: "string" },
  },
});
const { INTERLINGUA_STORE: store, INTERLINGUA_CLUSTER_SECRET: clusterSecret } = process.env;

const daemon = await startDaemon({
  port: 0,
  data: values.data,
  roots: values.root === undefined ? undefined : [values.root],
  sharedRoots: values["shared-root"] === undefined ? undefined : [values["shared-root"]],
  checkpointDirectory: values["checkpoint-directory"],
  store,
  clusterSecret,
  logger: pino({ level: "info" }, pino.destination(2)),
  leaseTimes: { beatMs: 500, freezeMs: 3000, deadMs: 5000, reconcileMs: 1000 },
});
process.once("SIGTERM", () => void daemon.close().then(() => process.exit(0)));
console.log(`${daemon.url}/#token=${daemon.token}`);
