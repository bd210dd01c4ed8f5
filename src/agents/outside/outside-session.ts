/** A session of an adapter from outside, held to the port: what it yields is checked, and it always ends. */
import type { AgentOutput, BackendSession } from "../../core/adapter.ts";
import type { Command } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import { flatten } from "../../core/flatten.ts";
import { checkedOutput } from "./checked-output.ts";

/** How long `close` of the module may take. What it leaves running ends with the daemon, or at `release`. */
const CLOSE_MS = 5000;
/** How long a closed session may go on yielding what it has. */
const DRAIN_MS = 2000;
const MAX_ID_LENGTH = 1024;

/** Methods that sessions may have besides those of the port. */
const EXTENSIONS = [
  "interrupt",
  "setModel",
  "setPermissionMode",
  "respondToPermission",
  "steer",
  "fork",
  "encrypt",
  "decrypt",
  "sendUnified",
] as const;

export interface OutsideSessionOptions {
  /** The agent's name, for errors. */
  readonly agent: string;
  readonly sessionId: string;
  /** Runs code of the module. */
  run<Result>(action: () => Result): Result;
  readonly closeMs?: number;
  readonly drainMs?: number;
}

export interface OutsideSession extends BackendSession {
  /** The module has failed: the turn fails, and `messages` ends. */
  fail(error: unknown): void;
}

type Read =
  | { readonly batch: readonly AgentOutput[] }
  | { readonly failure: unknown }
  | { readonly isOver: true };

const OVER: Read = { isOver: true };

/** Throws `agent_failed` where `inner` is no session. */
export function outsideSession(inner: BackendSession, options: OutsideSessionOptions): OutsideSession {
  const { agent, sessionId, run, closeMs = CLOSE_MS, drainMs = DRAIN_MS } = options;
  assertSession(inner, agent, sessionId);
  const failed = Promise.withResolvers<Read>();
  const drained = Promise.withResolvers<Read>();
  let isClosed = false;
  let closing: Promise<void> | undefined;

  async function* read(): AsyncGenerator<readonly AgentOutput[], void> {
    const iterator = run(() => batchesOf(inner));
    for (;;) {
      const next = run(() => iterator.next()).then<Read, Read>(
        ({ done, value }) => (done ? OVER : { batch: value.map(checkedOutput) }),
        (failure) => ({ failure }),
      );
      let result = await Promise.race([next, failed.promise, drained.promise]);
      // What is there already is read.
      if (result === OVER) result = await Promise.race([next, afterOneTurn()]);
      if ("batch" in result) yield result.batch;
      else if ("failure" in result) return yield [failureOutput(agent, result.failure)];
      else return;
    }
  }

  const end = async () => {
    const closes = Promise.resolve(run(() => inner.close()));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, closeMs);
    });
    try {
      await Promise.race([closes, late]);
    } finally {
      clearTimeout(timer);
      setTimeout(() => drained.resolve(OVER), drainMs).unref();
    }
  };

  const batches = read();
  const { agentSessionId } = inner;
  return {
    ...extensionsOf(inner, run),
    sessionId,
    ...(agentSessionId !== undefined && { agentSessionId }),
    batches,
    messages: flatten(batches),
    send(command: Command) {
      if (isClosed)
        throw new InterlinguaError("session_closed", "The session is closed; connect again before sending.");
      return Promise.resolve(run(() => inner.send(command)));
    },
    close() {
      isClosed = true;
      closing ??= end();
      return closing;
    },
    fail: (failure) => failed.resolve({ failure }),
  };
}

function afterOneTurn(): Promise<Read> {
  return new Promise((resolve) => setImmediate(resolve, OVER));
}

function assertSession(inner: BackendSession, agent: string, sessionId: string): void {
  const refuse = (what: string) =>
    new InterlinguaError(
      "agent_failed",
      `The adapter of "${agent}" gave no session that can be used: ${what}.`,
    );
  if (typeof inner !== "object" || inner === null) throw refuse("connect resolved with no object");
  for (const method of ["send", "close"] as const)
    if (typeof inner[method] !== "function") throw refuse(`it has no method ${method}`);
  if (typeof inner.messages?.[Symbol.asyncIterator] !== "function")
    throw refuse("its messages cannot be read with for await");
  if (inner.sessionId !== sessionId) throw refuse(`its sessionId is not "${sessionId}"`);
  const { agentSessionId: id } = inner;
  if (id !== undefined && (typeof id !== "string" || id === "" || id.length > MAX_ID_LENGTH))
    throw refuse(`its agentSessionId is no text of 1 to ${MAX_ID_LENGTH} characters`);
}

/** The last thing that is read of a session whose module failed. */
function failureOutput(agent: string, failure: unknown): AgentOutput {
  const message = `The adapter of "${agent}" failed: ${errorText(failure)}`;
  return {
    raw: { direction: "process", data: { event: "exit", code: null, signal: null, stderr: message } },
    drafts: [{ type: "turn.ended", outcome: "failed", error: { code: "agent_failed", message } }],
  };
}

function batchesOf({ batches, messages }: BackendSession): AsyncIterator<readonly AgentOutput[]> {
  if (typeof batches?.[Symbol.asyncIterator] === "function") return batches[Symbol.asyncIterator]();
  const iterator = messages[Symbol.asyncIterator]();
  return {
    async next() {
      const { done, value } = await iterator.next();
      return done ? { done: true, value: undefined } : { done: false, value: [value] };
    },
  };
}

function extensionsOf(inner: BackendSession, run: OutsideSessionOptions["run"]): object {
  const known = inner as unknown as Record<string, unknown>;
  const methods = EXTENSIONS.flatMap((name) => {
    const method = known[name];
    if (typeof method !== "function") return [];
    return [[name, (...args: unknown[]) => run(() => method.apply(inner, args))] as const];
  });
  const requests = known.permissionRequests;
  return { ...Object.fromEntries(methods), ...(requests !== undefined && { permissionRequests: requests }) };
}
