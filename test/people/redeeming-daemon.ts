/**
 * A daemon that kills itself with SIGKILL right before or right after an invitation is exchanged, as DIE says: nobody has got
 * an answer. Takes the same arguments as `interlingua serve`.
 */
import { parseArgs } from "node:util";
import { startDaemon } from "../../src/daemon.ts";
import { instrumentStore } from "../../src/testkit/instrument-store.ts";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { port: { type: "string" }, data: { type: "string" }, root: { type: "string" } },
});

function die(): Promise<never> {
  process.kill(process.pid, "SIGKILL");
  // The signal is on its way; nothing more may happen.
  return new Promise(() => {});
}

const daemon = await startDaemon({
  port: Number(values.port),
  data: values.data,
  roots: [values.root!],
  wrapStore: (inner) =>
    instrumentStore(inner, {
      async redeemInvitation(id, token) {
        if (process.env.DIE === "before") return die();
        await inner.redeemInvitation(id, token);
        return die();
      },
    }),
});
console.log(`${daemon.url}/#token=${daemon.token}`);
