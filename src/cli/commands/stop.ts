/** `interlingua stop`: ends the daemon of a data directory, as Ctrl-C does where it runs. */
import { setTimeout as pause } from "node:timers/promises";
import { type DaemonInfo, readDaemonInfo } from "../../store/sqlite/data-directory-lock.ts";
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { dataDirectoryOf } from "../data-directory-of.ts";
import { NoDaemonError } from "../find-daemon.ts";
import { print, printJson } from "../output.ts";

const LOOK_AGAIN_MS = 50;
/** A graceful shutdown ends by itself within 15 seconds. */
const PATIENCE_MS = 20_000;

export const stop: CommandBody = {
  positionals: [],
  details: "Waits until it has ended. Turns that run are interrupted; sessions go on with the next daemon.",
  options: { ...JSON_OPTION, data: { ...CLIENT_OPTIONS.data!, help: "Data directory of the daemon" } },
  async run(invocation) {
    const data = await dataDirectoryOf(invocation);
    const daemon = readDaemonInfo(data);
    if (!daemon) throw new NoDaemonError(data);
    end(daemon);
    for (let waited = 0; readDaemonInfo(data)?.pid === daemon.pid; waited += LOOK_AGAIN_MS) {
      if (waited > PATIENCE_MS) throw new Error(`The daemon (pid ${daemon.pid}) does not end. Kill it.`);
      await pause(LOOK_AGAIN_MS);
    }
    if (invocation.flags.on("json")) printJson({ data, pid: daemon.pid });
    else print(`The daemon on ${data} (pid ${daemon.pid}) has ended.`);
    return 0;
  },
};

function end({ pid }: DaemonInfo): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPERM") throw new Error(`The daemon (pid ${pid}) belongs to another user, who can end it.`);
    if (code !== "ESRCH") throw error;
  }
}
