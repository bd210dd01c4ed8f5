/** An adapter of the UnifiedMessage protocol as one of ours, so that the daemon runs it like its own. */
import type { BackendAdapter, BackendSession, ConnectOptions } from "../core/adapter.ts";
import type { BackendCapabilities } from "../core/capability.ts";
import { InterlinguaError } from "../core/error.ts";
import { errorText } from "../core/error-text.ts";
import { extendSession } from "../core/extend-session.ts";
import { UNIFIED_LIMITS } from "./check-unified-message.ts";
import type { UnifiedReaderOptions } from "./create-unified-reader.ts";
import { UnifiedClientSession } from "./from-unified-session.ts";
import type {
  UnifiedAdapter,
  UnifiedConnectOptions,
  UnifiedPassthrough,
  UnifiedSession,
} from "./unified-adapter.ts";

/** What the guide's port does not tell. */
export interface FromUnifiedOptions extends Omit<UnifiedReaderOptions, "sessionId"> {
  /** What the agent can do besides what its four capabilities tell. What is not declared is refused. */
  capabilities?: Partial<BackendCapabilities>;
  /** Its own options in `adapterOptions`, by name; others are refused. All are passed on when absent. */
  adapterOptions?: readonly string[];
  /** Names of environment variables with its keys. */
  environmentKeys?: readonly string[];
}

/** What the daemon knows of a session, in `adapterOptions` of the guide's `connect`. */
const OWN_OPTIONS = [
  "cwd",
  "model",
  "mode",
  "permissionMode",
  "mcpServers",
  "environment",
  "agentSessionId",
] as const;

/**
 * Every message it yields is validated; what is none is `agent.unknown`. The end of its messages is the end of the agent.
 * `connect` gets what the daemon knows of the session in `adapterOptions`: cwd, model, mode, permissionMode, mcpServers,
 * environment and agentSessionId.
 *
 * @example
 * const adapter = fromUnifiedAdapter(new MyBackendAdapter(), { capabilities: { images: true } });
 */
export function fromUnifiedAdapter(theirs: UnifiedAdapter, options: FromUnifiedOptions = {}): BackendAdapter {
  const capabilities = { ...mappedCapabilities(theirs), ...options.capabilities };
  return {
    name: theirs.name,
    capabilities,
    environmentKeys: options.environmentKeys ?? [],
    async probe() {
      return { installed: true };
    },
    connect: (connect) => connectSession(theirs, capabilities, options, connect),
    async release() {},
  };
}

function mappedCapabilities({ capabilities }: UnifiedAdapter): BackendCapabilities {
  return {
    streaming: capabilities.streaming,
    permissions: capabilities.permissions,
    questions: false,
    slashCommands: capabilities.slashCommands,
    steer: false,
    reportsSteering: false,
    fork: false,
    resume: false,
    rewind: false,
    images: false,
    setModel: false,
    modes: [],
    moreModes: false,
    permissionModes: [],
    availability: capabilities.availability,
  };
}

async function connectSession(
  theirs: UnifiedAdapter,
  capabilities: BackendCapabilities,
  options: FromUnifiedOptions,
  connect: ConnectOptions,
): Promise<BackendSession & UnifiedPassthrough> {
  const { sessionId, resume = false, signal } = connect;
  assertPossible(theirs.name, capabilities, connect);
  const adapterOptions = optionsFor(theirs.name, options, connect);
  const session = await openSession(theirs, { sessionId, ...(resume && { resume }), adapterOptions }, signal);
  const opened = Promise.withResolvers<UnifiedClientSession>();
  const extended = await extendSession(capabilities, async (observe) => {
    const agent = theirs.name;
    opened.resolve(new UnifiedClientSession({ agent, session, sessionId, capabilities, options, observe }));
    return opened.promise;
  });
  const client = await opened.promise;
  return {
    ...extended,
    sendUnified: (message) => client.sendUnified(message),
  };
}

function assertPossible(name: string, { resume, fork }: BackendCapabilities, connect: ConnectOptions): void {
  if (connect.resume && !resume)
    throw new InterlinguaError("conversation_lost", `${name} takes up no earlier conversations.`);
  if (connect.fork && !fork) throw new InterlinguaError("unsupported", `${name} copies no conversations.`);
}

function optionsFor(
  name: string,
  { adapterOptions: known }: FromUnifiedOptions,
  connect: ConnectOptions,
): Record<string, unknown> {
  const given = connect.adapterOptions ?? {};
  const strange = known && Object.keys(given).find((option) => !known.includes(option));
  if (strange !== undefined) {
    const offered = known!.length === 0 ? "It has none." : `It has ${known!.join(", ")}.`;
    const errors = [{ path: `options.${strange}`, message: "is unknown" }];
    throw new InterlinguaError("invalid_request", `${name} has no option "${strange}". ${offered}`, {
      errors,
    });
  }
  const own = OWN_OPTIONS.filter((option) => connect[option] !== undefined);
  return { ...Object.fromEntries(own.map((option) => [option, connect[option]])), ...given };
}

/** Nobody waits any longer once the signal is aborted; a session that comes after that is closed. */
async function openSession(
  theirs: UnifiedAdapter,
  options: UnifiedConnectOptions,
  signal: AbortSignal | undefined,
): Promise<UnifiedSession> {
  const aborted = Promise.withResolvers<never>();
  const abort = () =>
    aborted.reject(new InterlinguaError("agent_failed", `${theirs.name} was not waited for.`));
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  let isWanted = true;
  const opening = (async () => {
    const session: unknown = await theirs.connect(options);
    if (!isWanted) await (session as Partial<UnifiedSession> | undefined)?.close?.();
    return session;
  })();
  try {
    const session = await Promise.race([opening, aborted.promise]);
    assertSession(session);
    return session;
  } catch (error) {
    isWanted = false;
    opening.catch(() => {});
    if (InterlinguaError.isInstance(error)) throw error;
    const detail = `${theirs.name} could not be started: ${errorText(error)}`;
    throw new InterlinguaError("agent_failed", detail, { cause: error });
  } finally {
    signal?.removeEventListener("abort", abort);
    aborted.promise.catch(() => {});
  }
}

function assertSession(session: unknown): asserts session is UnifiedSession {
  const given = (typeof session === "object" && session !== null ? session : {}) as Partial<UnifiedSession>;
  const { messages, sessionId } = given;
  const isReadable = typeof messages === "object" && messages !== null && Symbol.asyncIterator in messages;
  if (typeof given.send !== "function" || typeof given.close !== "function" || !isReadable)
    throw new Error("connect() gave no session with send, messages and close");
  const { MAX_ID_LENGTH } = UNIFIED_LIMITS;
  if (typeof sessionId !== "string" || sessionId === "" || sessionId.length > MAX_ID_LENGTH)
    throw new Error(`its session has no sessionId of 1 to ${MAX_ID_LENGTH} characters`);
}
