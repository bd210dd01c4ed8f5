/** A node of a cluster whose lease is half as long as usual. Started by start-node.ts. */
import { parseArgs } from "node:util";
import { pino } from "pino";
import { startDaemon } from "../../src/daemon.ts";

const { values } = parseArgs({
  options: {
    ...{ data: { type: "string" }, root: { type: "string" } },
    ...{ advertise: { type: "string" }, listen: { type: "string" }, notify: { type: "string" } },
  },
});
const { INTERLINGUA_STORE: store, INTERLINGUA_CLUSTER_SECRET: clusterSecret } = process.env;

const daemon = await startDaemon({
  port: 0,
  data: values.data,
  roots: [values.root!],
  store,
  clusterSecret,
  advertise: values.advertise,
  cluster: { listen: values.listen },
  notify: values.notify === undefined ? [] : [{ url: values.notify }],
  logger: pino({ level: "info" }, pino.destination(2)),
  leaseTimes: { beatMs: 500, freezeMs: 3000, deadMs: 5000, reconcileMs: 1000 },
});
process.once("SIGTERM", () => void daemon.close().then(() => process.exit(0)));
console.log(`${daemon.url}/#token=${daemon.token}`);
