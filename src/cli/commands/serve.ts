/** `interlingua serve`: runs the daemon until it is told to stop. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { resolveConfig } from "../../config/resolve-config.ts";
import type { Daemon } from "../../daemon.ts";
import { ModuleErrors } from "../../modules/module-errors.ts";
import { exitWithDeadline, killSelfAfter } from "../../process/exit-deadline.ts";
import type { CommandBody } from "../command.ts";
import { createLogger } from "../create-logger.ts";
import { explainDatabaseError } from "../open-data.ts";
import { openInBrowser } from "../open-in-browser.ts";
import { ignoreBrokenPipe, print } from "../output.ts";
import { pageLink } from "../page-link.ts";
import { releaseMemoryWhenIdle } from "../release-memory.ts";
import { SERVE_OPTIONS } from "../serve-options.ts";
import { stopSignal } from "../stop-signal.ts";

/** Agents get time to end, but a daemon that hangs is ended. */
const CLOSE_DEADLINE_MS = 15_000;

export const serve: CommandBody = {
  positionals: [],
  details: [
    "Settings come from flags, then from variables (lists separated by commas), then from the config file.",
    "The token itself is given in INTERLINGUA_TOKEN or in a file, never as a flag. On an address that other",
    "machines can reach, a token of your own and --allow-host are required. The log goes to stderr;",
    "INTERLINGUA_LOG_LEVEL sets how much (info).",
  ].join("\n"),
  options: {
    ...SERVE_OPTIONS,
    open: { type: "boolean", help: "Open the page in the browser, too" },
  },
  async run({ flags, environment, cwd }) {
    const config = resolveConfig({ flags: flags.values, environment, cwd });
    const logger = createLogger({ environment, plain: process.stderr.isTTY });
    // Before anything runs, so that a stop during the start is noticed.
    const stopped = stopSignal(environment);
    const moduleErrors = new ModuleErrors(logger);
    dieLoudly(logger, moduleErrors);
    // The other commands do without the daemon, so it is loaded only here.
    const { startDaemon } = await import("../../daemon.ts");
    const canAddRoots = environment.INTERLINGUA_CAN_ADD_ROOTS === "1";
    const unusedMs = Number(environment.INTERLINGUA_STOP_WHEN_UNUSED_MS) || undefined;
    const waiting = new AbortController();
    void stopped.then(() => waiting.abort());
    // A daemon that a command started in the background has to say soon why it cannot start.
    const waitForStore = unusedMs === undefined ? waiting.signal : undefined;
    const options = { ...config, environment, logger, canAddRoots, moduleErrors, waitForStore };
    const daemon = await startDaemon(options).catch((error: unknown) => {
      if (error === waiting.signal.reason) return undefined;
      throw explainDatabaseError(error, config.data);
    });
    if (!daemon) return 0;
    // The parent may close the pipe once it has the link, or earlier.
    ignoreBrokenPipe();
    const link = pageLink(daemon);
    print(link);
    for (const port of daemon.ports) print(describePort(port));
    if (flags.on("open")) void showPage(link, environment, logger);
    releaseMemoryWhenIdle();

    const failed = daemon.failed.then((error) => ({ error }));
    const reason = await Promise.race([stopped, unusedFor(daemon, unusedMs), failed]);
    if (typeof reason === "object") return stopFailed(daemon, logger, reason.error);
    logger.info({ signal: reason }, "stopping");
    // Ctrl-C does not wait for turns, and neither does a second signal.
    if (reason === "SIGTERM") await daemon.drain();
    exitAtDeadline(logger);
    await daemon.close();
    logger.info("stopped");
    return 0;
  },
};

/** It says why, and what to do. */
async function stopFailed(daemon: Daemon, logger: Logger, error: Error): Promise<number> {
  logger.fatal(error.message);
  exitAtDeadline(logger);
  await daemon.close();
  return 1;
}

/** It asks nobody for a token, so whoever starts it is told. */
function describePort({ dialect, port, workspace }: Daemon["ports"][number]): string {
  return `${dialect}: http://localhost:${port} works in ${workspace}. Every user of this machine can use it without a token.`;
}

/** The daemon is there with or without it. */
async function showPage(link: string, environment: NodeJS.ProcessEnv, logger: Logger): Promise<void> {
  try {
    if (!(await openInBrowser(link, { environment }))) logger.warn("there is no browser to open the page in");
  } catch (error) {
    logger.warn({ err: error }, "the page could not be opened in the browser");
  }
}

/** After an unexpected error the state in memory cannot be trusted. The log on disk can, and a restart reads it. */
function dieLoudly(logger: Logger, moduleErrors: ModuleErrors): void {
  process.on("unhandledRejection", (reason) => {
    if (!moduleErrors.take(reason)) throw reason;
  });
  process.on("uncaughtException", (error) => {
    if (moduleErrors.take(error)) return;
    logger.fatal({ err: error }, "the daemon ends because of an unexpected error");
    exitWithDeadline(1);
  });
}

/** The second deadline is for an event loop that no longer turns. */
function exitAtDeadline(logger: Logger): void {
  killSelfAfter(CLOSE_DEADLINE_MS + 2000);
  const timer = setTimeout(() => {
    logger.error("not everything ended in time; leaving it");
    exitWithDeadline(1);
  }, CLOSE_DEADLINE_MS);
  timer.unref();
}

/** How often it is looked, in a part of the while. */
const LOOKS = 10;

/** A daemon that was started for a command ends when unused for so long. Never resolves when nobody says how long. */
async function unusedFor(daemon: Daemon, milliseconds: number | undefined): Promise<"unused"> {
  let last: number | undefined;
  let unusedLooks = 0;
  while (milliseconds === undefined || unusedLooks < LOOKS) {
    await sleep((milliseconds ?? 2 ** 31 - 1) / LOOKS, undefined, { ref: false });
    // What cannot be found out is no reason to end.
    const count = await daemon.activityCount().catch(() => undefined);
    unusedLooks = count !== undefined && count === last ? unusedLooks + 1 : 0;
    last = count;
  }
  return "unused";
}
