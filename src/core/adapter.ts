/** The port to agents. One implementation per agent, all held to one contract suite in the test kit. */
import type { AgentStatus, BackendCapabilities } from "./capability.ts";
import type { Command } from "./command.ts";
import type { Draft } from "./draft.ts";
import type { ProgramPreset } from "./program.ts";
import type { RawDraft } from "./raw-record.ts";
import type { SettingValues } from "./setting.ts";

/** Runs one agent. */
export interface BackendAdapter {
  /** The agent's name as clients give it: `mock`, `claude`, … */
  readonly name: string;
  readonly capabilities: BackendCapabilities;
  /** Environment names (or `PREFIX_*` patterns, less `!NAME`) of the agent's own keys, passed on to its process. */
  readonly environmentKeys: readonly string[];
  /** The program it runs and the version that can be installed; absent where there is nothing to install. */
  readonly program?: ProgramPreset;
  /** Never rejects: what is wrong stands in the status. May be slow; callers cache it. */
  probe(): Promise<AgentStatus>;
  /**
   * Asked before settings are stored: gives those that follow from the wanted ones along with them. Throws `unsupported`
   * for what the agent cannot be given, as far as that is known before it runs. Absent: they are stored as they are.
   */
  settle?(wanted: AgentSettings): AgentSettings | Promise<AgentSettings>;
  /**
   * Opens or resumes a native session. Rejects on any failure and then leaves no process; never returns a broken
   * session. Without its program it rejects with `agent_not_installed`: then it may be installed and asked again.
   */
  connect(options: ConnectOptions): Promise<BackendSession>;
  /** Ends what earlier processes of a session left running, for one that is closed or deleted. Idempotent. */
  release(sessionId: string): Promise<void>;
}

/** What a client may choose of an agent, at first and later. */
export interface AgentSettings {
  model?: string;
  mode?: string;
  permissionMode?: string;
  /** Its other settings by id, as it tells of them. */
  settings?: SettingValues;
}

/** Settings besides model and modes are given by `configure`, when the agent has told which ones it has. */
export interface ConnectOptions extends Omit<AgentSettings, "settings"> {
  /** Our id of the session. */
  sessionId: string;
  /**
   * Take up the conversation named by `agentSessionId`, or reject: with `conversation_lost` only where the agent will
   * never have it again. For any other reason it is kept and asked for once more later.
   */
  resume?: boolean;
  agentSessionId?: string;
  cwd: string;
  mcpServers?: Record<string, unknown>;
  /** Environment of this session, on top of the allow-listed one. Secret: never log it. */
  environment?: Record<string, string>;
  /** Stop trying: nobody wants the session any more, or it took too long. */
  signal?: AbortSignal;
  /** Settings only this adapter understands; each adapter documents its keys and ignores none silently. */
  adapterOptions?: Record<string, unknown>;
}

/** One thing that came from the agent, went to it or happened to it, with what it means. */
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
  /** The native id of a copy of the conversation up to now. */
  fork(): Promise<string>;
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
