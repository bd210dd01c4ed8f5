/**
 * A daemon that kills itself with SIGKILL right after the commit of a certain event: nothing has been published and
 * nothing has reached the agent since. Takes the same arguments as `interlingua serve`.
 */
import { parseArgs } from "node:util";
import { startDaemon } from "../../src/daemon.ts";
import { instrumentStore } from "../../src/testkit/instrument-store.ts";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { port: { type: "string" }, data: { type: "string" }, root: { type: "string" } },
});
const fatal = `"type":"${process.env.DIE_AFTER}"`;

const daemon = await startDaemon({
  port: Number(values.port),
  data: values.data,
  roots: [values.root!],
  wrapStore: (inner) =>
    instrumentStore(inner, {
      async append(batch) {
        const result = await inner.append(batch);
        if (batch.some(({ events }) => events.some(({ json }) => json.includes(fatal)))) {
          process.kill(process.pid, "SIGKILL");
          // The signal is on its way; nothing more may happen.
          await new Promise(() => {});
        }
        return result;
      },
    }),
});
console.log(`${daemon.url}/#token=${daemon.token}`);
