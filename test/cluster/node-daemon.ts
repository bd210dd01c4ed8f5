/** A node of a cluster whose lease is half as long as usual, or as short as it is told. Started by start-node.ts. */
import { parseArgs } from "node:util";
import { pino } from "pino";
import { startDaemon } from "../../src/daemon.ts";

const { values } = parseArgs({
  options: {
    ...{ data: { type: "string" }, root: { type: "string" }, lease: { type: "string", default: "5000" } },
    ...{ advertise: { type: "string" }, listen: { type: "string" }, notify: { type: "string" } },
    ...{
      name: { type: "string" },
      agents: { type: "string", default: "{}" },
      labels: { type: "string", default: "{}" },
    },
    ...{
      "shared-root": { type: "string" },
      "git-root": { type: "string" },
      "checkpoint-directory": { type: "string" },
    },
  },
});
const deadMs = Number(values.lease);
const {
  INTERLINGUA_STORE: store,
  INTERLINGUA_CLUSTER_SECRET: clusterSecret,
  INTERLINGUA_TOKEN: token,
  INTERLINGUA_FORMER_TOKEN: formerToken,
} = process.env;

const daemon = await startDaemon({
  port: 0,
  data: values.data,
  roots: values.root === undefined ? undefined : [values.root],
  sharedRoots: values["shared-root"] === undefined ? undefined : [values["shared-root"]],
  gitRoots: values["git-root"] === undefined ? undefined : [values["git-root"]],
  checkpointDirectory: values["checkpoint-directory"],
  store,
  clusterSecret,
  token,
  formerToken,
  advertise: values.advertise,
  nodeName: values.name,
  agents: JSON.parse(values.agents),
  cluster: { listen: values.listen, labels: JSON.parse(values.labels) },
  notify: values.notify === undefined ? [] : [{ url: values.notify }],
  logger: pino({ level: "info" }, pino.destination(2)),
  leaseTimes: { beatMs: deadMs / 10, freezeMs: deadMs * 0.6, deadMs, reconcileMs: deadMs / 5 },
});
process.once("SIGTERM", () => void daemon.close().then(() => process.exit(0)));
console.log(`${daemon.url}/#token=${daemon.token}`);
