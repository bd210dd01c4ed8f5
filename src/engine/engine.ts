/**
 * What the engine offers to the server: commands on sessions, and notifications of commits. Reads go to the store. Commands that
 * begin a prompt or change how a session works throw `forbidden` where that depends on whether its agent asks, and the caller
 * lacks the right.
 */

import type { z } from "@hono/zod-openapi";
import type { AskAnswer, AskEffect } from "../core/ask.ts";
import type { UpdatedAsk } from "../core/ask-update.ts";
import type { EncodedEvent } from "../core/encoded-event.ts";
import type { EventOf } from "../core/event.ts";
import type { Principal } from "../core/principal.ts";
import type { InstallProgress } from "../core/program.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import type { Access } from "../core/rights.ts";
import type { SessionSummary } from "../core/session-summary.ts";
import type { SettingValues } from "../core/setting.ts";
import type { AskQuery, SessionRow } from "../core/store.ts";
import type { CollectedGarbage, DirectoryUsage, FileDifference } from "../core/workspace.ts";
import type { promptReceiptSchema, queuedPromptSchema } from "../protocol/schemas/message.ts";
import type { agentViewSchema, InstallationFrame } from "../protocol/schemas/service.ts";
import type {
  createSessionSchema,
  forkSchema,
  rewoundSchema,
  sessionDetailsSchema,
  updateSessionSchema,
} from "../protocol/schemas/session.ts";
import type { taskSchema } from "../protocol/schemas/task.ts";
import type { restoredSchema, restoreSchema } from "../protocol/schemas/workspace.ts";
import type { UnreadCount } from "./agent/unread-counts.ts";
import type { Histogram } from "./commits/commit-times.ts";
import type { CheckpointView } from "./files/checkpoint-history.ts";
import type { EndedTurns } from "./session/turn-endings.ts";

export interface CreateSession extends z.infer<typeof createSessionSchema> {
  /** Already resolved and inside the allowed roots. */
  cwd: string;
}

export type UpdateSession = z.infer<typeof updateSessionSchema>;

/** A session as lists show it: the row of the store. Unlike `Session` of the protocol it has `attached`. */
export type SessionView = Omit<SessionRow, "request">;

export type SessionDetails = z.infer<typeof sessionDetailsSchema>;

/** Of one turn, or of all since a checkpoint; else since the last approval. The protocol has `include` for `withBase`. */
export interface ChangesQuery {
  turn?: string;
  since?: string;
  /** With what the files held before. */
  withBase?: boolean;
}

export type RestoreFiles = z.infer<typeof restoreSchema>;

export type RestoreAnswer = z.infer<typeof restoredSchema>;

/** Which part of a conversation a new session begins with. `cwd` is already resolved and inside the allowed roots. */
export interface ForkSession extends z.infer<typeof forkSchema> {
  /** The id of the new session. The same request again returns the session that it made before. */
  id?: string;
}

/** The protocol also has `text`, short for one part, and a default for `whenBusy`. */
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

export type PromptReceipt = z.infer<typeof promptReceiptSchema>;

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

/**
 * An answer as clients give it; `reply` picks the first option with that effect. The protocol takes only an object as `input`,
 * other clients give other values.
 */
export interface AskReply extends AskAnswer {
  reply?: Extract<AskEffect, "once" | "always" | "reject">;
}

/** An ask, with its answer once there is one. `Ask` of the protocol may have fields that are not known here. */
export type AskView = Omit<UpdatedAsk, "type" | "raw" | "native"> & {
  state: "open" | "answered" | "closed";
  answer?: Pick<EventOf<"ask.answered">, "option" | "effect" | "answers" | "message" | "input" | "by" | "at">;
  outcome?: string;
};

/** Its `parts` are empty if the list would become too large. `bytes`, its size in characters, then says that there are some. */
export type QueuedView = z.infer<typeof queuedPromptSchema>;

/**
 * Whose rights decide what a command on the queue may do to prompts of others and to the running turn, right before it
 * is done. One that lacks a right is refused with `forbidden`; a new prompt stays behind what it may not pass.
 */
export interface QueueChecks {
  access: Access;
}

/** A task in the background: one that runs, or one of the last that ended. */
export type TaskView = z.infer<typeof taskSchema>;

export type AgentView = z.infer<typeof agentViewSchema>;

export type InstalledAgent = Omit<Extract<InstallationFrame, { phase: "installed" }>, "phase">;

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
  rewind(session: string, before: string, by: Principal): Promise<z.infer<typeof rewoundSchema>>;
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
  commitTimes: Histogram;
  /** The share of the last ten seconds in which a commit was under way. */
  commitSaturation: number;
  /** Appends that the store refused because another node has the session. */
  refusedAppends: number;
  unknownNative: number;
  /** Messages and fields of agents that nothing uses. */
  unread: (UnreadCount & { agent: string })[];
  /** Turns that ended, by agent and outcome. */
  turns: EndedTurns[];
}
