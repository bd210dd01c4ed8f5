/** What the engine offers to the server: commands on sessions, and notifications of commits. Reads go to the store. */

import type { AskAnswer, AskEffect } from "../core/ask.ts";
import type { UpdatedAsk } from "../core/ask-update.ts";
import type { AgentStatus, BackendCapabilities } from "../core/capability.ts";
import type { EncodedEvent } from "../core/encoded-event.ts";
import type { EventOf } from "../core/event.ts";
import type { Principal } from "../core/principal.ts";
import type { InstallProgress } from "../core/program.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import type { Access } from "../core/rights.ts";
import type { SessionState } from "../core/session-state.ts";
import type { SessionSummary } from "../core/session-summary.ts";
import type { SettingValue, SettingValues } from "../core/setting.ts";
import type { AskQuery, SessionRow } from "../core/store.ts";
import type { CollectedGarbage, DirectoryUsage, FileDifference } from "../core/workspace.ts";
import type { CheckpointView } from "./checkpoint-history.ts";
import type { UnreadCount } from "./unread-counts.ts";

export interface CreateSession {
  id?: string;
  agent: string;
  /** Already resolved and inside the allowed roots. */
  cwd: string;
  /** It works in a git worktree of that directory. */
  worktree?: boolean;
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
  /** Whether the agent may be installed when it is needed. The config decides when absent. */
  install?: "auto" | "never";
  /** Whether checkpoints of the files are taken. On when absent. */
  checkpoints?: "on" | "off";
}

export interface UpdateSession {
  title?: string;
  pinned?: boolean;
  archived?: boolean;
  model?: string;
  mode?: string;
  permissionMode?: string;
  /** Changes the named settings; `null` returns one to the agent's own choice at its next start. */
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
    | "agentVersion"
    | "models"
    | "modes"
    | "commands"
    | "settings"
    | "tools"
    | "context"
    | "attached"
    | "install"
    | "alwaysAllowed"
  > & {
    /** Environment names the session was given; values are never shown. */
    env?: string[];
    /** Whether values have to be supplied again before the next prompt. */
    envRequired: boolean;
    checkpoints: "on" | "off";
    /** Why there are none although they are on. */
    checkpointObstacle?: string;
    /** Prompts wait and none of them begins: who wanted that, and since when. */
    queueHeld?: SessionState["queueHeld"];
    /** Before anything of it begins: the node that has its files, or one that has its agent. */
    waitsFor?: { node?: string; agent?: string };
    /** The sessions that began as copies of this one and still exist, the newest hundred. */
    forks?: string[];
  };

/** Of one turn, or of all since a checkpoint; else since the last approval. */
export interface ChangesQuery {
  turn?: string;
  since?: string;
  /** With what the files held before. */
  withBase?: boolean;
}

export interface RestoreFiles {
  /** Where to go back to. */
  checkpoint: string;
  files?: boolean;
  /** Take the conversation back too: all prompts since. */
  conversation?: boolean;
  /** Only these files, or what is below these directories. */
  paths?: string[];
  onConflict?: "refuse" | "keep" | "merge" | "overwrite";
  /** Only tell what would happen. */
  preview?: boolean;
  /** From a preview: refuse if it would be something else by now. */
  expect?: string;
}

export interface RestoreAnswer {
  /** Paths of files that went back. */
  restored: string[];
  /** Taken right before. Absent if no files were to go back. */
  checkpoint?: string;
  /** What the restore changed. */
  changes: FileDifference[];
  /** Changed by somebody else, so left as they are. */
  kept?: string[];
  /** In a preview: what it would be refused for. */
  conflicts?: string[];
  /** The first message that left the conversation. */
  rewound?: string;
  expect?: string;
}

/** Which part of a conversation a new session begins with. */
export interface ForkSession {
  /** Of the new session. The same request again gives the session that it made before. */
  id?: string;
  /** The first user message that is left out, with its whole turn; nothing is left out when absent. */
  before?: string;
  /** Already resolved and inside the allowed roots. That of the session when absent. */
  cwd?: string;
  /** The new session works in a git worktree of its own. Not with `cwd`. */
  worktree?: boolean;
}

export interface SendPrompt {
  id?: string;
  parts: PromptPart[];
  whenBusy: "queue" | "steer" | "reject";
  /** Settings of the agent for the turn of this prompt alone, by id. */
  settings?: SettingValues;
}

/** What to answer again: this prompt, the prompt of this answer, or else the last prompt. */
export interface RegenerateTarget {
  /** As the client has it. The log's version wins. */
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

/** What a client sent that nobody here understands. */
export interface PassedMessage {
  type: string;
  /** Small: it is kept whole. */
  value: unknown;
}

export interface PassedReceipt {
  /** Of the `notice` that keeps it. */
  seq: number;
  /** Whether an agent got it. */
  passedOn: boolean;
}

/** An answer as clients give it; `reply` picks the first option with that effect. */
export interface AskReply extends AskAnswer {
  reply?: Extract<AskEffect, "once" | "always" | "reject">;
}

/** An ask, with its answer once there is one. */
export type AskView = Omit<UpdatedAsk, "type" | "raw" | "native"> & {
  state: "open" | "answered" | "closed";
  answer?: Pick<EventOf<"ask.answered">, "option" | "effect" | "answers" | "message" | "input" | "by" | "at">;
  outcome?: string;
};

export interface QueuedView {
  message: string;
  /** Empty if the list would become too large; `bytes` says that there is content. */
  parts: readonly PromptPart[];
  /** How large it is, in characters. */
  bytes: number;
  whenBusy: "queue" | "steer" | "reject";
  settings?: SettingValues;
  /** Who sent it, by name. */
  by?: string;
  /** The id of the token it came with. Absent for the token of the daemon itself. */
  author?: string;
  at: number;
  seq: number;
}

/**
 * Whose rights decide what a command on the queue may do to prompts of others and to the running turn, right before it
 * is done. One that lacks a right is refused with `forbidden`; a new prompt stays behind what it may not pass.
 */
export interface QueueChecks {
  access: Access;
}

/** A task in the background: one that runs, or one of the last that ended. */
export interface TaskView {
  task: string;
  title: string;
  /** `command` or `agent`, where the agent says so. */
  kind?: string;
  /** The call that began it. */
  call?: string;
  state: "running" | "stopping" | EventOf<"task.ended">["outcome"];
  /** What the agent last said of it. */
  status?: string;
  progress?: unknown;
  /** The end of what it wrote, as far as that was told. */
  output?: string;
  startedAt?: number;
  endedAt?: number;
  /** Who wants it to end. */
  stoppingBy?: string;
  summary?: string;
}

export interface AgentView {
  name: string;
  /** How people call it: `Claude Code`. */
  title: string;
  capabilities: BackendCapabilities;
  /** The version that can be installed, where there is one. */
  installable?: string;
  /** Present if it was requested or is still fresh. */
  status?: AgentStatus;
  /** Messages and fields of the agent that nothing uses, since the daemon started, most frequent first. */
  unread?: UnreadCount[];
}

export interface InstalledAgent {
  version: string;
  /** The program's file. */
  path: string;
}

export interface Engine {
  agents(): AgentView[];
  /** Probes the agent, with a cached result. Throws `agent_not_found` with the known names. */
  agent(name: string): Promise<AgentView>;
  /**
   * Installs an agent's program unless it is installed. Concurrent calls share one installation. Throws
   * `install_failed`, and `unsupported` for an agent with nothing to install.
   */
  install(
    name: string,
    by: Principal,
    onProgress?: (progress: InstallProgress) => void,
  ): Promise<InstalledAgent>;

  /**
   * `created` is false if an equal request created it before; a different request with the same id throws
   * `session_exists`.
   */
  createSession(
    request: CreateSession,
    by: Principal,
  ): Promise<{ session: SessionDetails; created: boolean }>;
  getSession(id: string): Promise<SessionDetails>;
  /**
   * Starts the session's agent without a prompt, unless it runs. Concurrent calls share one start. Resolves when the agent
   * is ready; throws what a prompt would fail with if it cannot be started.
   */
  attach(id: string, by: Principal): Promise<SessionDetails>;
  updateSession(id: string, change: UpdateSession, by: Principal): Promise<SessionDetails>;
  /** Ends the agent and removes log and raw records. */
  deleteSession(id: string, by: Principal): Promise<void>;

  /** Resolves when `prompt.accepted` is committed. */
  prompt(session: string, prompt: SendPrompt, by: Principal, checks?: QueueChecks): Promise<PromptReceipt>;
  /**
   * True if a turn was running, or, with `turn`, if that one was, so that a late or repeated stop does not hit the next
   * prompt. With `hold` no prompt that waits begins until a new one is sent, one of them is sent now, or `releaseQueue` is
   * called. Resolves when `turn.stopping` is committed.
   */
  interrupt(session: string, by: Principal, turn?: string, hold?: boolean): Promise<boolean>;
  /**
   * A client's history differs from ours at this message. One in the history goes with everything after it and is prompted
   * again under its id; what runs is stopped and what waits is withdrawn first. One that waits is changed; an unknown one is
   * a prompt. Edits and regenerations of a session are made one after the other.
   */
  edit(session: string, prompt: { id: string; parts: PromptPart[] }, by: Principal): Promise<PromptReceipt>;
  /** Another answer: sends the prompt again unchanged, in the way of `edit`. */
  regenerate(session: string, target: RegenerateTarget, by: Principal): Promise<PromptReceipt>;
  rewind(
    session: string,
    before: string,
    by: Principal,
  ): Promise<{ before: string; agentForgot: boolean; seq: number }>;
  /**
   * Makes a new session whose conversation is a copy of this one's, which stays as it is. Its agent goes on from a copy of its
   * own conversation where it can, else from an account. Throws `worktree_impossible` where there can be no worktree.
   */
  fork(session: string, request: ForkSession, by: Principal): Promise<SessionDetails>;
  /** The checkpoints of a session, oldest first. */
  checkpoints(session: string): Promise<CheckpointView[]>;
  /** What turns changed. Throws `checkpoint_not_found`, and `checkpoints_off` where there are none. */
  changes(session: string, query: ChangesQuery): Promise<FileDifference[]>;
  /**
   * Undoes what turns of the session changed since a checkpoint, file by file, after a checkpoint. Throws
   * `workspace_conflict` if somebody else has changed a file since, and `workspace_busy` while an agent works there.
   */
  restore(session: string, request: RestoreFiles, by: Principal): Promise<RestoreAnswer>;
  /** Accepts what turns changed since the last approval: how many files. */
  approve(session: string, by: Principal): Promise<{ checkpoint: string; changes: number }>;
  /** Back to the last approval, in the way of `restore`. */
  reset(session: string, request: Omit<RestoreFiles, "checkpoint">, by: Principal): Promise<RestoreAnswer>;
  /** What the checkpoints of all sessions take, the largest directory first, those that are damaged too. */
  checkpointUsage(): Promise<DirectoryUsage[]>;
  /** Drops checkpoints that are too old or too many, and what only deleted sessions had. */
  collectGarbage(): Promise<CollectedGarbage>;
  /**
   * Waiting prompts in order. With `after`, those after that prompt, or all if it no longer waits. Contents are
   * included up to `maxBytes` together (64 MB), at least the first unless it is 0; the others are left out.
   */
  queue(session: string, maxBytes?: number, after?: string): Promise<QueuedView[]>;
  changeQueued(session: string, message: string, parts: PromptPart[], by: Principal): Promise<QueuedView>;
  /** Puts a waiting prompt before another one, or with `null` behind all. Does nothing where it is there already. */
  moveQueued(
    session: string,
    message: string,
    before: string | null,
    by: Principal,
    checks?: QueueChecks,
  ): Promise<QueuedView>;
  /**
   * Sends a waiting prompt now: into the running turn where the agent can take it (`steered`), else it becomes the next one
   * and the turn is stopped (`queued`). Resolves when that is committed.
   */
  sendQueued(session: string, message: string, by: Principal, checks?: QueueChecks): Promise<PromptReceipt>;
  withdrawQueued(session: string, message: string, by: Principal): Promise<void>;
  /** Prompts that an `interrupt` held go on. False if none were held. Resolves when that is committed. */
  releaseQueue(session: string, by: Principal): Promise<boolean>;
  /** Tasks in the background: those that run, oldest first, then the last twenty that ended, newest first. */
  tasks(session: string): Promise<TaskView[]>;
  /**
   * Tells the agent to end a task; its end is told by the agent. One that has ended stays as it is. Throws `task_not_found`,
   * and `unsupported` where the agent ends none. Resolves when `task.stopping` is committed.
   */
  stopTask(session: string, task: string, by: Principal): Promise<TaskView>;
  /**
   * Keeps a message that no command says in the log, and gives it to the agent if that speaks its protocol. It is not
   * given to an agent that is started later.
   */
  passOn(session: string, message: PassedMessage, by: Principal): Promise<PassedReceipt>;
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
   * Calls `listener` with every batch of a session right after its commit, in order, from now on. Calls `onDeleted`
   * when the session is removed, and `onCutShort` with the last event that is left when the database has lost some. Where
   * several nodes share a store, a batch may be missing or come later than from the store: who finds a gap before the next one
   * reads the log.
   */
  follow(
    session: string,
    listener: (events: readonly EncodedEvent[]) => void,
    onDeleted?: () => void,
    onCutShort?: (head: number) => void,
  ): Follower;
  /**
   * Calls `listener` for every session that changes, with what was committed; with `deleted` when one is removed. Of sessions at
   * other nodes there are no events. Calls `onGap` where changes there may have been missed, or a log became shorter: what is
   * shown is read again.
   */
  followAll(
    listener: (
      change: SessionSummary | { session: string; deleted: true },
      events: readonly EncodedEvent[],
    ) => void,
    onGap?: () => void,
  ): () => void;

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
  /** Agents that run, by their names. */
  liveAgents: Readonly<Record<string, number>>;
  attachedAgents: number;
  pendingBytes: number;
  committedEvents: number;
  commits: number;
  failedCommits: number;
  /** Appends that the store refused because another node has the session. */
  refusedAppends: number;
  unknownNative: number;
  /** Messages and fields of agents that nothing uses. */
  unread: (UnreadCount & { agent: string })[];
  turns: number;
}
