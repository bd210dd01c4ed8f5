/** An adapter of ours as one of the UnifiedMessage protocol, for programs that know the guide's port. */
import type { BackendAdapter, ConnectOptions } from "../core/adapter.ts";
import { InterlinguaError } from "../core/error.ts";
import type { UnifiedTranslatorOptions } from "./create-unified-translator.ts";
import { type UnifiedAgentSession, UnifiedBackendSession } from "./to-unified-session.ts";
import type { UnifiedAdapter, UnifiedConnectOptions } from "./unified-adapter.ts";

/** What the guide's port does not tell. */
export interface ToUnifiedOptions extends UnifiedTranslatorOptions {
  /** What every session is connected with, unless its own `adapterOptions` say otherwise. */
  connect?: Partial<Omit<ConnectOptions, "sessionId" | "resume" | "signal" | "history">>;
}

/** An adapter of the guide whose sessions have the extensions. */
export interface UnifiedAgentAdapter extends UnifiedAdapter {
  connect(options: UnifiedConnectOptions): Promise<UnifiedAgentSession>;
}

/** Keys of the guide's `adapterOptions` that are options of our `connect`. All others are the agent's own. */
const CONNECT_OPTIONS = [
  "cwd",
  "model",
  "mode",
  "permissionMode",
  "mcpServers",
  "environment",
  "agentSessionId",
] as const;

/** How many conversations are remembered for `resume`. */
const MAX_CONVERSATIONS = 1000;

/**
 * A session needs a directory: `cwd` in `adapterOptions`, or in `connect` for all of them. `resume` takes up the
 * conversation named by `agentSessionId`, or the last one this adapter had under the same session id; where there is none,
 * or the agent cannot, a new one begins.
 *
 * @example
 * const adapter = toUnifiedAdapter(mock, { connect: { cwd: "/home/me/project" } });
 * const session = await adapter.connect({ sessionId: "s-1" });
 */
export function toUnifiedAdapter(ours: BackendAdapter, options: ToUnifiedOptions = {}): UnifiedAgentAdapter {
  const { streaming, permissions, slashCommands, availability } = ours.capabilities;
  const conversations = new Map<string, string>();
  return {
    name: ours.name,
    capabilities: { streaming, permissions, slashCommands, availability },
    async connect({ sessionId, resume = false, adapterOptions = {} }) {
      const { own, given } = splitOptions(adapterOptions);
      const connect = { ...options.connect, ...given };
      const { cwd } = connect;
      if (cwd === undefined) {
        const errors = [{ path: "adapterOptions.cwd", message: "must be a directory" }];
        throw new InterlinguaError("invalid_request", "Name a directory in adapterOptions.cwd.", { errors });
      }
      const agentSessionId = connect.agentSessionId ?? conversations.get(sessionId);
      const canResume = resume && ours.capabilities.resume && agentSessionId !== undefined;
      const session = await ours.connect({
        ...connect,
        sessionId,
        cwd,
        agentSessionId: canResume ? agentSessionId : undefined,
        ...(canResume && { resume: true }),
        adapterOptions: { ...options.connect?.adapterOptions, ...own },
      });
      const { name: agent, capabilities } = ours;
      return new UnifiedBackendSession({
        agent,
        capabilities,
        session,
        cwd,
        sessionLifecycle: options.sessionLifecycle,
        onConversation: (id) => remember(conversations, sessionId, id),
      }).extended();
    },
  };
}

function splitOptions(adapterOptions: Record<string, unknown>): {
  given: Partial<ConnectOptions>;
  own: Record<string, unknown>;
} {
  const own = { ...adapterOptions };
  const given: Record<string, unknown> = {};
  for (const name of CONNECT_OPTIONS) {
    if (!Object.hasOwn(own, name)) continue;
    if (own[name] !== undefined) given[name] = own[name];
    delete own[name];
  }
  return { given, own };
}

function remember(conversations: Map<string, string>, sessionId: string, id: string): void {
  conversations.delete(sessionId);
  const [oldest] = conversations.keys();
  if (conversations.size >= MAX_CONVERSATIONS) conversations.delete(oldest!);
  conversations.set(sessionId, id);
}
