/** `interlingua stop`: ends the daemon of a data directory, as Ctrl-C does where it runs. */
import { setTimeout as sleep } from "node:timers/promises";
import { type DaemonInfo, readDaemonInfo } from "../../store/sqlite/data-directory-lock.ts";
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { dataDirectoryOf } from "../data-directory-of.ts";
import { NoDaemonError } from "../find-daemon.ts";
import { print, printJson, printNote } from "../output.ts";

const LOOK_AGAIN_MS = 50;
/** A graceful shutdown ends by itself within 15 seconds. */
const PATIENCE_MS = 20_000;
/** Whoever waits longer for the turns of a node is told so. */
const NOTE_AFTER_MS = 1000;

export const stop: CommandBody = {
  positionals: [],
  details: [
    "Waits until it has ended. Turns that run are interrupted; sessions go on with the next daemon. One of",
    "several nodes lets its turns end first, ten minutes at most (`limits.drainMs`); with --now it does not.",
  ].join("\n"),
  options: {
    now: { type: "boolean", help: "Interrupt the turns of a node, too" },
    ...JSON_OPTION,
    data: { ...CLIENT_OPTIONS.data!, help: "Data directory of the daemon" },
  },
  async run(invocation) {
    const data = await dataDirectoryOf(invocation);
    const daemon = readDaemonInfo(data);
    if (!daemon) throw new NoDaemonError(data);
    const isNow = invocation.flags.on("now");
    // A second signal would end it at once, with its turns.
    if (isNow || !daemon.isLeaving) end(daemon, isNow ? "SIGINT" : "SIGTERM");
    const drainMs = isNow ? 0 : (daemon.drainMs ?? 0);
    for (let waited = 0; readDaemonInfo(data)?.pid === daemon.pid; waited += LOOK_AGAIN_MS) {
      if (waited === NOTE_AFTER_MS && drainMs > 0)
        printNote(
          "The node lets its turns end. Its sessions go to others. stop --now does not wait for them.",
        );
      if (waited > PATIENCE_MS + drainMs)
        throw new Error(`The daemon (pid ${daemon.pid}) does not end. Kill it.`);
      await sleep(LOOK_AGAIN_MS);
    }
    if (invocation.flags.on("json")) printJson({ data, pid: daemon.pid });
    else print(`The daemon on ${data} (pid ${daemon.pid}) has ended.`);
    return 0;
  },
};

function end({ pid }: DaemonInfo, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPERM") throw new Error(`The daemon (pid ${pid}) belongs to another user, who can end it.`);
    if (code !== "ESRCH") throw error;
  }
}
