/** Starts `opencode serve` and waits until it answers. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import { type Line, readableText } from "../../process/line-splitter.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { observeProcesses } from "../transport/observe-processes.ts";
import { SharedStderr } from "../transport/shared-stderr.ts";
import type { Address } from "./http-call.ts";
import type { ServerLaunch } from "./launch.ts";
import { OpenCodeServer } from "./server.ts";

const MAX_STDERR_BYTES = 16 * 1024;
/** A question that is asked again: a server that is about to listen answers none. */
const HEALTH_TIMEOUT_MS = 1000;
const HEALTH_PAUSE_MS = 100;

export interface StartServerOptions extends Pick<ConnectOptions, "onStartRecord"> {
  readonly signal: AbortSignal;
}

/** Rejects with `agent_failed`, or with the reason of `signal`, its only time limit, and then leaves no process. */
export async function startServer(
  host: ProcessHost,
  launch: ServerLaunch,
  { signal, onStartRecord }: StartServerOptions,
): Promise<OpenCodeServer> {
  signal.throwIfAborted();
  let isStarting = true;
  const processHost = observeProcesses(host, (record) => {
    if (isStarting) onStartRecord?.(record);
  });
  const { authorization, ...program } = launch;
  const port = await freePort();
  const stderr = new SharedStderr();
  const process = await processHost.spawn({
    ...program,
    args: [...program.args, "serve", "--hostname", "127.0.0.1", "--port", String(port)],
    maxStderrBytes: MAX_STDERR_BYTES,
    onStderrLine: (line) => stderr.push(line),
  });
  try {
    // A connection that is made before this line is accepted and never answered.
    const output = process.lines[Symbol.asyncIterator]();
    const address = { url: await untilAborted(listeningUrl(output), signal), authorization };
    const server = new OpenCodeServer(process, address, output, stderr);
    await untilHealthy(address, signal);
    await untilAborted(server.connect(), signal);
    isStarting = false;
    return server;
  } catch (error) {
    await process.end().catch(() => {});
    signal.throwIfAborted();
    const lastWords = process.stderrTail().trim();
    const reason = (error as Error).message;
    throw new InterlinguaError(
      "agent_failed",
      `OpenCode's server could not be started: ${reason}.${lastWords && ` It wrote: ${lastWords}`}`,
      { keepsConversation: true },
    );
  }
}

/** Its own choice is 4096 where that is free, and so everybody's. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function listeningUrl(output: AsyncIterator<Line>): Promise<string> {
  for (;;) {
    const { value, done } = await output.next();
    if (done) throw new Error("it exited before it was ready");
    const url = /listening on (http:\S+)/.exec(readableText(value))?.[1];
    if (url !== undefined) return url;
  }
}

async function untilHealthy({ url, authorization }: Address, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      const response = await fetch(`${url}/global/health`, {
        // A new connection for each try.
        headers: { authorization, connection: "close" },
        signal: AbortSignal.any([signal, AbortSignal.timeout(HEALTH_TIMEOUT_MS)]),
      });
      if (response.ok) return;
    } catch {
      // Not yet.
    }
    await sleep(HEALTH_PAUSE_MS, undefined, { signal });
  }
}
