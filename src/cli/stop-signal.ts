/** Signals that stop the daemon. */
import { constants } from "node:os";
import { exitWithDeadline } from "../process/exit-deadline.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * One Ctrl-C can arrive several times at once: the terminal sends it to the whole group, and npm and our launcher pass
 * it on. Only a later one means that somebody does not want to wait.
 */
const SAME_SIGNAL_MS = 500;

/**
 * Resolves with the first signal. A second one, later, ends the process at once. SIGUSR1 is ignored: Node would open
 * its inspector, through which every program on this machine could run code here.
 */
export function stopSignal(environment: NodeJS.ProcessEnv): Promise<NodeJS.Signals | "end of stdin"> {
  process.on("SIGUSR1", () => {});
  return new Promise((resolve) => {
    if (environment.INTERLINGUA_STOP_WITH_STDIN === "1") onEndOfStdin(() => resolve("end of stdin"));
    let firstAt: number | undefined;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        firstAt ??= performance.now();
        if (performance.now() - firstAt > SAME_SIGNAL_MS) exitWithDeadline(128 + constants.signals[signal]);
        resolve(signal);
      });
    }
  });
}

/** The program that started us holds the other end of the pipe. The system closes it however that program ends. */
function onEndOfStdin(act: () => void): void {
  const { stdin } = process;
  stdin.resume().once("close", act).once("error", act);
  // It must not keep a daemon that has ended for another reason.
  stdin.unref?.();
}
