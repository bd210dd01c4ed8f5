/** Connects to an agent that runs elsewhere, and tries again for a while where that may help. */
import { setTimeout as sleep } from "node:timers/promises";
import { InterlinguaError } from "../../../core/error.ts";
import { errorText } from "../../../core/error-text.ts";
import { DEFAULT_MAX_LINE_BYTES } from "../../../process/line-splitter.ts";
import type { AgentProcess, ProcessHost } from "../../../process/process-host.ts";
import { connectTcp } from "./connect-tcp.ts";
import { connectWebSocket } from "./connect-web-socket.ts";
import { ConnectFailure, type RemoteAddress, type RemoteLimits, shownAddress } from "./remote-link.ts";
import { RemoteProcess } from "./remote-process.ts";

export interface RemoteHostOptions extends Partial<RemoteLimits> {
  /** Stops trying. With it, an attempt may take as long as the signal allows. */
  readonly signal?: AbortSignal;
  /** How long failed attempts are repeated. */
  readonly retryMs?: number;
}

const RETRY_MS = 20_000;
/** For a caller without a signal. */
const ATTEMPT_MS = 10_000;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 4000;

/** Gives a connection where a process is wanted. It rejects with `agent_failed` and leaves nothing open. */
export function remoteHost(
  address: RemoteAddress,
  options: RemoteHostOptions = {},
): Pick<ProcessHost, "spawn"> {
  return { spawn: () => connect(address, options) };
}

async function connect(address: RemoteAddress, options: RemoteHostOptions): Promise<AgentProcess> {
  const { signal, retryMs = RETRY_MS } = options;
  const limits: RemoteLimits = {
    maxMessageBytes: options.maxMessageBytes ?? DEFAULT_MAX_LINE_BYTES,
    attemptMs: options.attemptMs ?? (signal ? undefined : ATTEMPT_MS),
    pingMs: options.pingMs ?? 20_000,
  };
  const shown = shownAddress(address.url);
  const open = address.url.startsWith("tcp:") ? connectTcp : connectWebSocket;
  const until = Date.now() + retryMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    const process = new RemoteProcess(shown);
    try {
      return process.carriedBy(await open(address, limits, process, signal));
    } catch (error) {
      signal?.throwIfAborted();
      const mayPass = error instanceof ConnectFailure && error.mayPass;
      // Not all at the same moment: a server that comes back has many sessions.
      const wait = pause * (0.5 + Math.random() / 2);
      if (!mayPass || Date.now() + wait > until) throw unreachable(shown, error);
      await sleep(wait, undefined, { signal });
    }
  }
}

function unreachable(address: string, error: unknown): InterlinguaError {
  const reason = errorText(error);
  return new InterlinguaError(
    "agent_failed",
    `${address} cannot be reached: ${reason}. Look whether the agent runs there, and at its address and headers in the config file.`,
    { cause: error, keepsConversation: true },
  );
}
