/** The port to agents. One implementation per agent, all held to one contract suite in the test kit. */
import type { AdapterMemory } from "./adapter-memory.ts";
import type { AskingRules } from "./asks-permission.ts";
import type { AgentStatus, BackendCapabilities } from "./capability.ts";
import type { Command } from "./command.ts";
import type { Draft } from "./draft.ts";
import type { NativePlace } from "./fork-fields.ts";
import type { Message } from "./message.ts";
import type { ProgramPreset } from "./program.ts";
import type { RawDraft } from "./raw-record.ts";
import type { SettingValues } from "./setting.ts";

/** Runs one agent. */
export interface BackendAdapter {
  /** The agent's name as clients give it: `mock`, `claude`, … */
  readonly name: string;
  /** How people call it: `Claude Code`. Its name when absent. */
  readonly title?: string;
  readonly capabilities: BackendCapabilities;
  /** In which modes, and with which settings, it asks. Absent where nobody has reviewed that. */
  readonly asking?: AskingRules;
  /** Environment names (or `PREFIX_*` patterns, less `!NAME`) of the agent's own keys, passed on to its process. */
  readonly environmentKeys: readonly string[];
  /** The program it runs and the version that can be installed; absent where there is nothing to install. */
  readonly program?: ProgramPreset;
  /**
   * Whether `connect` takes `history` into the agent's own conversation. Without the capability `resume` that is how it
   * goes on at each start: it keeps no conversation itself.
   */
  readonly takesHistory?: boolean;
  /**
   * It forgets the end of its conversation by beginning as a copy of it, with `fork` of `connect`, and takes no `rewind`.
   * Only for adapters with the capabilities `fork` and `rewind`.
   */
  readonly rewindsByFork?: boolean;
  /** What it keeps of conversations on this machine. Absent where that is nothing, or nobody knows where it is. */
  readonly memory?: AdapterMemory;
  /** Never rejects: what is wrong stands in the status. May be slow; callers cache it. */
  probe(): Promise<AgentStatus>;
  /**
   * Called before settings are stored. Returns the wanted settings and those that follow from them. Throws
   * `unsupported` for what the agent is known not to take before it runs. When absent, settings are stored as given.
   */
  settle?(wanted: AgentSettings): AgentSettings | Promise<AgentSettings>;
  /**
   * Opens or resumes a native session. Rejects on any failure and then leaves no process; never returns a broken
   * session. Without its program it rejects with `agent_not_installed`: then it may be installed and asked again.
   */
  connect(options: ConnectOptions): Promise<BackendSession>;
  /** Ends what earlier processes of a closed or deleted session left running. Idempotent. */
  release(sessionId: string): Promise<void>;
}

/** What a client may choose, when a session is created and later. */
export interface AgentSettings {
  model?: string;
  mode?: string;
  permissionMode?: string;
  /** Its other settings by id, as the agent reports them. */
  settings?: SettingValues;
}

/** Settings other than model and modes go out with `configure`, once the agent has reported which ones it has. */
export interface ConnectOptions extends Omit<AgentSettings, "settings"> {
  sessionId: string;
  /**
   * Resume the conversation named by `agentSessionId`, or reject: with `conversation_lost` only if the agent will never
   * have it again. After any other error a later connection tries again. If two prompts in a row fail that way, a new one is
   * begun, except after an `agent_failed` with `keepsConversation`.
   */
  resume?: boolean;
  agentSessionId?: string;
  /**
   * Begin as a copy of another conversation, up to this place, which is left as it is. Only for adapters with the
   * capability `fork`. Rejects like `resume`.
   */
  fork?: ConversationPlace;
  /**
   * The conversation that a new one goes on from, newest message first; read it once or not at all. Only for adapters
   * with `takesHistory`: the others get a written account with the first prompt.
   */
  history?: AsyncIterable<Message>;
  cwd: string;
  /** A person, or the agent, has named the session. */
  hasTitle?: boolean;
  /** The files are restored from checkpoints: an undo of files that the agent has of its own is to be off. */
  hasCheckpoints?: boolean;
  mcpServers?: Record<string, unknown>;
  /** Environment of this session, on top of the allow-listed one. Secret: never log it. */
  environment?: Record<string, string>;
  /** Stop trying: nobody wants the session any more, or it took too long. */
  signal?: AbortSignal;
  /**
   * Gets what the agent says while it starts, at once, so that a start that fails can be looked at. The session gives
   * all of it again. It must not throw.
   */
  onStartRecord?(record: RawDraft): void;
  /** Settings only this adapter understands; each adapter documents its keys and ignores none silently. */
  adapterOptions?: Record<string, unknown>;
}

/** A place in an agent's conversation, by the agent's own ids: after the one, before the other. */
export type ConversationPlace = Pick<NativePlace, "agentSessionId" | "after" | "before">;

/** One record of what the agent sent, was sent or went through, and what it means. */
export interface AgentOutput {
  raw: RawDraft;
  drafts: readonly Draft[];
  /** Names of native messages and fields the translator has no use for; counted, never stored. */
  unread?: readonly string[];
}

/** One open conversation with an agent. */
export interface BackendSession {
  /** Equal to `ConnectOptions.sessionId`. */
  readonly sessionId: string;
  /**
   * The id of the conversation, for an agent that reports none in `session.attached`: the adapter chooses it, and gets it
   * back as `ConnectOptions.agentSessionId`.
   */
  readonly agentSessionId?: string;
  /**
   * Throws at once (not by rejection) with `session_closed` when closed. Resolves when the bytes were handed to the
   * agent. An `interrupt` is for the turn the reader of `messages` knows of: it is dropped when that has ended before
   * the agent could be told. A `configure` resolves when the agent has taken it, rejects with `unsupported` when it refuses and with
   * `session_closed` when it is gone before it has answered; the drafts tell what is in force.
   */
  send(command: Command): Promise<void>;
  /**
   * Everything in both directions, in order; one consumer. Pulled: while nobody reads, the agent's pipe fills and
   * it waits. Ends when the session is closed or the agent is gone; the last record is then the process's exit.
   */
  readonly messages: AsyncIterable<AgentOutput>;
  /** `messages` in batches as they arrive, for fast readers. A reader takes one or the other. */
  readonly batches?: AsyncIterable<readonly AgentOutput[]>;
  /**
   * Idempotent. Ends `messages` and leaves no process behind; with `keepChildren` only the agent itself is ended and
   * what it started on the user's behalf (a development server, say) lives on.
   */
  close(options?: { keepChildren?: boolean }): Promise<void>;
}

/**
 * The session can stop its turn. Found at run time by narrowing (`"interrupt" in session`), like the interfaces below; all are
 * thin wrappers over `send`.
 */
export interface Interruptible {
  interrupt(): void;
}

/** The session takes UnifiedMessages that no command says, because its agent speaks that protocol. */
export interface MessagePassing {
  /** Throws when the session is closed. */
  sendUnified(message: unknown): void;
}

/** The session can change its model and permission mode. */
export interface Configurable {
  setModel(model: string): void;
  setPermissionMode(mode: string): void;
}

/** A permission the agent asks for. */
export interface PermissionRequestEvent {
  requestId: string;
  toolName: string;
  input: Record<string, unknown>;
  description?: string;
}

/** The session asks for permissions and takes the answers. */
export interface PermissionHandler {
  /** Ends with the session. Requests made before the first read are kept. */
  readonly permissionRequests: AsyncIterable<PermissionRequestEvent>;
  /** Throws for an id that is unknown or already answered. */
  respondToPermission(requestId: string, behavior: "allow" | "deny"): void;
}

/** The session takes a prompt into the running turn. */
export interface Steerable {
  steer(command: Extract<Command, { type: "prompt" }>): void;
}

/** The session can copy its conversation. */
export interface Forkable {
  /** The native id of a copy of the conversation, up to this place where one is given. */
  fork(place?: Omit<ConversationPlace, "agentSessionId">): Promise<string>;
}

/** The session can lose its connection and repeat what was missed. */
export interface Reconnectable {
  onDisconnect(listener: () => void): void;
  /** Yields again everything after the given position. */
  replay(fromSequence: number): AsyncIterable<AgentOutput>;
}

/** Defined for envelopes encrypted end to end; no adapter implements it yet. */
export interface Encryptable {
  encrypt(payload: Uint8Array): Promise<Uint8Array>;
  decrypt(payload: Uint8Array): Promise<Uint8Array>;
}
