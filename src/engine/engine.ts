/** What the engine offers to the server: commands on sessions, and news of what was committed. Reads go to the store. */

import type { AskAnswer, AskEffect } from "../core/ask.ts";
import type { UpdatedAsk } from "../core/ask-update.ts";
import type { AgentStatus, BackendCapabilities } from "../core/capability.ts";
import type { EncodedEvent } from "../core/encoded-event.ts";
import type { EventOf } from "../core/event.ts";
import type { Principal } from "../core/principal.ts";
import type { InstallProgress } from "../core/program.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import type { SessionState } from "../core/session-state.ts";
import type { SessionSummary } from "../core/session-summary.ts";
import type { SettingValue, SettingValues } from "../core/setting.ts";
import type { AskQuery, SessionRow } from "../core/store.ts";
import type { UnreadCount } from "./unread-counts.ts";

export interface CreateSession {
  id?: string;
  agent: string;
  /** Already resolved and inside the allowed roots. */
  cwd: string;
  title?: string;
  model?: string;
  mode?: string;
  permissionMode?: string;
  /** Other settings of the agent, by id. */
  settings?: SettingValues;
  metadata?: Record<string, unknown>;
  mcpServers?: Record<string, unknown>;
  env?: Record<string, string>;
  options?: Record<string, unknown>;
  /** Whether the agent may be installed when it is needed; the config says when absent. */
  install?: "auto" | "never";
}

export interface UpdateSession {
  title?: string;
  model?: string;
  mode?: string;
  permissionMode?: string;
  /** Those named; `null` leaves one to the agent again when it is next started. */
  settings?: Record<string, SettingValue | null>;
  metadata?: Record<string, unknown>;
  env?: Record<string, string>;
  status?: "closed";
}

/** A session as clients see it: its row, and for details what its state knows. */
export type SessionView = Omit<SessionRow, "request">;

export type SessionDetails = SessionView &
  Pick<
    SessionState,
    "agentVersion" | "models" | "modes" | "commands" | "settings" | "tools" | "attached" | "install"
  > & {
    /** Environment names the session was given; values are never shown. */
    env?: string[];
    /** Whether values have to be given again before the next prompt. */
    envRequired: boolean;
  };

export interface SendPrompt {
  id?: string;
  parts: PromptPart[];
  whenBusy: "queue" | "steer" | "reject";
  /** Settings of the agent for the turn of this prompt alone, by id. */
  settings?: SettingValues;
}

/** Whose answer is to be made again: that of a prompt, the one in place of an answer, or else the last one. */
export interface RegenerateTarget {
  /** As the client has it; what the log has counts more. */
  prompt?: { id: string; parts: PromptPart[] };
  answer?: string;
}

export interface PromptReceipt {
  message: string;
  state: "started" | "queued" | "steered";
  turn?: string;
  /** Of `prompt.accepted`. */
  seq: number;
}

/** An answer as clients give it; `reply` picks the first option with that effect. */
export interface AskReply extends AskAnswer {
  reply?: Extract<AskEffect, "once" | "always" | "reject">;
}

/** What was asked, with how it was answered once it is. */
export type AskView = Omit<UpdatedAsk, "type" | "raw" | "native"> & {
  state: "open" | "answered" | "closed";
  answer?: Pick<EventOf<"ask.answered">, "option" | "effect" | "answers" | "message" | "input" | "by" | "at">;
  outcome?: string;
};

export interface QueuedView {
  message: string;
  /** Empty where the answer would become too large; `bytes` tells that there is something. */
  parts: readonly PromptPart[];
  /** How large it is, in characters. */
  bytes: number;
  whenBusy: "queue" | "steer" | "reject";
  settings?: SettingValues;
  at: number;
  seq: number;
}

export interface AgentView {
  name: string;
  capabilities: BackendCapabilities;
  /** The version that can be installed, where there is one. */
  installable?: string;
  /** Present when it was asked for or is still fresh. */
  status?: AgentStatus;
  /** What it said and nobody has a use for, since the daemon was started; the most frequent first. */
  unread?: UnreadCount[];
}

export interface InstalledAgent {
  version: string;
  /** The program's file. */
  path: string;
}

export interface Engine {
  agents(): AgentView[];
  /** Probes it, at most once in a while. Throws `agent_not_found` with the names there are. */
  agent(name: string): Promise<AgentView>;
  /**
   * Installs an agent's program; where it is there already nothing is done. Calls at the same time join one
   * installation. Throws `unsupported` for an agent that has nothing to install, and `install_failed`.
   */
  install(name: string, onProgress?: (progress: InstallProgress) => void): Promise<InstalledAgent>;

  /** `created` is false when the same request made it before; another request with the same id throws `session_exists`. */
  createSession(request: CreateSession): Promise<{ session: SessionDetails; created: boolean }>;
  getSession(id: string): Promise<SessionDetails>;
  updateSession(id: string, change: UpdateSession): Promise<SessionDetails>;
  /** Ends the agent and removes log and raw records. */
  deleteSession(id: string): Promise<void>;

  /** Resolves when `prompt.accepted` is committed. */
  prompt(session: string, prompt: SendPrompt): Promise<PromptReceipt>;
  /**
   * True when a turn was running; with `turn` only when it was that one, so that a late or repeated stop does not hit
   * the next prompt. Resolves when `turn.stopping` is committed.
   */
  interrupt(session: string, by: Principal, turn?: string): Promise<boolean>;
  /**
   * A client's history differs from ours at this message. One in the history goes with everything after it and is prompted
   * again under its id; what runs is stopped and what waits is withdrawn first. One that waits is changed; an unknown one is
   * a prompt. Edits and regenerations of a session are made one after the other.
   */
  edit(session: string, prompt: { id: string; parts: PromptPart[] }, by: Principal): Promise<PromptReceipt>;
  /** Another answer: the prompt is given again as it stands, as `edit` does. */
  regenerate(session: string, target: RegenerateTarget, by: Principal): Promise<PromptReceipt>;
  rewind(session: string, before: string): Promise<{ before: string; agentForgot: boolean; seq: number }>;
  /**
   * What waits, in order; with `after` what comes after that prompt, or all of it when that one waits no more. Contents are given until they have `maxBytes` together (64 MB), at least that of the first
   * unless it is 0; those of the others are left out.
   */
  queue(session: string, maxBytes?: number, after?: string): Promise<QueuedView[]>;
  changeQueued(session: string, message: string, parts: PromptPart[]): Promise<QueuedView>;
  withdrawQueued(session: string, message: string): Promise<void>;
  /** `kind` limits it to asks of that kind: any other is `ask_not_found`. */
  reply(
    session: string,
    ask: string,
    reply: AskReply,
    by: Principal,
    kind?: "permission" | "question",
  ): Promise<AskView>;
  openAsks(session?: string): Promise<AskView[]>;
  /** Open asks, page by page. */
  listAsks(query: AskQuery): Promise<{ asks: AskView[]; cursor?: string }>;

  /**
   * Calls `listener` with every batch of a session right after its commit, in order, from the time of the call.
   * `onDeleted` is called when the session is removed.
   */
  follow(
    session: string,
    listener: (events: readonly EncodedEvent[]) => void,
    onDeleted?: () => void,
  ): Follower;
  /** Calls `listener` for every session that changes (and with `deleted` when one is removed). */
  followAll(listener: (change: SessionSummary | { session: string; deleted: true }) => void): () => void;

  health(): { ok: boolean; problem?: string };
  stats(): EngineStats;
  /** Stops taking commands, ends agents, commits what is left. */
  close(): Promise<void>;
}

export interface Follower {
  stop(): void;
}

export interface EngineStats {
  liveSessions: number;
  attachedAgents: number;
  pendingBytes: number;
  committedEvents: number;
  commits: number;
  failedCommits: number;
  unknownNative: number;
  /** What agents said and nobody has a use for. */
  unread: (UnreadCount & { agent: string })[];
  turns: number;
}
