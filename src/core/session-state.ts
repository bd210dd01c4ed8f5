/**
 * The runtime state of a session: a fold over its log, bounded by what is open. `evolve` (evolve.ts) is the only place where it
 * changes, so replaying the log after a restart gives the state the dead daemon had.
 */
import type { UpdatedAsk } from "./ask-update.ts";
import { sizeOf } from "./bound-value.ts";
import type { EventOf, TurnOutcome } from "./event.ts";
import type { ForkedFrom, NativePlace } from "./fork-fields.ts";
import type { OnLost } from "./on-lost.ts";
import type { RestoredFiles } from "./restored-files.ts";
import type { SettingValues } from "./setting.ts";
import type { TokenUsage } from "./usage.ts";

export interface OpenPart {
  kind: "text" | "reasoning";
  /** Whether it belongs to the open turn rather than to background work. */
  inTurn: boolean;
  message?: string;
  parent?: string;
  task?: string;
}

export interface KnownCall {
  name: string;
  title?: string;
  kind?: string;
  inTurn: boolean;
  message?: string;
  native?: string;
  parent?: string;
  task?: string;
  hasInput: boolean;
  /** The log has only a part of its input. */
  isInputCut?: true;
  /** How it was settled; absent while it runs. */
  settled?: "output" | "running" | "failed" | "denied" | "abandoned";
  /** The turn in which it was settled. */
  settledIn?: string;
}

export interface OpenAsk {
  opened: UpdatedAsk;
  answered?: EventOf<"ask.answered">;
}

/** An answer to a permission that covers more than what was asked, as the option said it. */
export interface AlwaysAllowed {
  ask: string;
  /** Where in the log it was answered. */
  seq: number;
  title: string;
  label: string;
  covers?: string[];
  storedIn?: string;
  by: string;
  at: number;
}

export interface OpenTask {
  title: string;
  native?: string;
  call?: string;
  kind?: string;
  /** Made for late content that names no task. Ends when the next turn begins. */
  implicit: boolean;
  /** Absent in states that were stored by older versions. */
  startedAt?: number;
  /** What the agent last said of it, if that is short. */
  status?: string;
  progress?: unknown;
  /** The end of what it wrote, as far as that was told. */
  output?: string;
  stoppingBy?: string;
}

export interface EndedTask
  extends Pick<OpenTask, "title" | "kind" | "call" | "startedAt" | "status" | "output" | "stoppingBy"> {
  task: string;
  endedAt: number;
  outcome: EventOf<"task.ended">["outcome"];
  /** Its beginning, if it is long. */
  summary?: string;
}

/** Without its content, which may be large and is in the log at `contentSeq`. */
export interface QueuedPrompt {
  message: string;
  /** How large it is, in characters. */
  bytes: number;
  /** The event with its parts: `prompt.accepted`, or the last `prompt.changed`. */
  contentSeq: number;
  whenBusy: "queue" | "steer" | "reject";
  /** For its turn alone. */
  settings?: SettingValues;
  /** Who sent it, by name. */
  by?: string;
  /** The id of the token it came with. Absent for the token of the daemon itself. */
  author?: string;
  at: number;
  seq: number;
  /** The turn that was cut off, and that it continues. */
  continuesTurn?: string;
  /** It is skipped until somebody releases it. */
  held?: true;
  reason?: string;
}

export interface OpenTurn {
  id: string;
  origin: "user" | "agent";
  startedAt: number;
  /** When its last event was made. Absent in states that were stored by older versions, as are the next two. */
  lastAt?: number;
  /** Since when an answer of a person is awaited; absent while none is. */
  waitingSince?: number;
  /** How long one was awaited before. */
  waitedMs?: number;
  /** The assistant message that takes content now. */
  message?: string;
  /** The model of that message, once it is known. */
  model?: string;
  step?: number;
  steps: number;
  stoppingBy?: string;
  usage: TokenUsage;
  cost?: number;
  /** Prompts folded into the turn that have no assistant message yet. */
  steered: QueuedPrompt[];
  /** Prompts given to the agent that it has not confirmed by an id of its own. */
  unconfirmed: string[];
  /** Whether anything came from the agent since the turn began. */
  heard: boolean;
  /** The checkpoint it started from. */
  before?: string;
  /** The paths of files the agent said it changed, as it gave them. */
  edited?: string[];
  /** Settings of its prompt, for this turn alone. */
  settings?: SettingValues;
  /** The turn that was cut off, and that it continues. */
  continuesTurn?: string;
  /** Its prompt told the agent which files went back. */
  hasNote?: true;
}

/** What is open in a session and what it works with. */
export interface SessionState {
  id: string;
  agent: string;
  cwd: string;
  title?: string;
  pinned?: true;
  archived?: true;
  model?: string;
  mode?: string;
  permissionMode?: string;
  /** Which of both a client has chosen. Otherwise the agent reported it, or nobody knows it. */
  chosenModes?: { mode?: true; permissionMode?: true };
  /** What the agent was asked to work with and has not answered yet. */
  requested?: EventOf<"session.updated">["requested"];
  /** Settings a client chose for the session. */
  chosen?: SettingValues;
  /** What settings were before those of a prompt. */
  overridden?: SettingValues;
  metadata?: Record<string, unknown>;
  mcpServers?: Record<string, unknown>;
  options?: Record<string, unknown>;
  env?: string[];
  install?: "auto" | "never";
  /** Whether checkpoints are taken. On when absent. */
  checkpoints?: "on" | "off";
  /** Why there can be none. */
  checkpointObstacle?: string;
  /** Whether a turn that was cut off is continued. It is not when absent. */
  onLost?: OnLost;
  /** The files as they were when nobody of this session had worked on them since; undefined when that is not known. */
  checkpoint?: string;
  /** What turns changed since then is pending: the last approved checkpoint, else the first. */
  pendingSince?: string;
  /** Files that went back and that the agent has not been told of. */
  restoredFiles?: RestoredFiles;
  /** The restore that has begun and not ended. */
  restore?: EventOf<"restore.started">;
  forkedFrom?: ForkedFrom;
  /** The newest sessions that began as copies of this one. Some may have been deleted. */
  forks?: string[];
  /** The agent's own conversation does not have the history: its next start begins a new one and is told. */
  agentMemory?: "none";
  /** Where that new conversation can begin as a copy of an earlier one. */
  continues?: NativePlace;
  /** How many prompts in a row have failed because the agent could not resume its conversation. */
  resumeFailures?: number;
  createdAt: number;
  updatedAt: number;
  head: number;
  closed: boolean;
  attached: boolean;
  generation: number;
  agentSessionId?: string;
  agentVersion?: string;
  /** What the agent last reported about itself. */
  models?: EventOf<"session.attached">["models"];
  modes?: EventOf<"session.attached">["modes"];
  commands?: EventOf<"session.attached">["commands"];
  tools?: string[];
  settings?: EventOf<"session.attached">["settings"];
  /** The agent was given a slash command that can change what it asks about, since it started. */
  approvalCommand?: true;
  /** How full the agent's context window last was. */
  context?: { used: number; size?: number };
  turn?: OpenTurn;
  lastOutcome?: TurnOutcome;
  /** When a restart of the daemon ended the last turn. */
  cutOffAt?: number;
  /** How often the database has lost events of this log. */
  lineage?: number;
  /** The role of the newest message in the history. */
  lastRole?: "user" | "assistant" | "system";
  /** Open parts by our id. */
  parts: Map<string, OpenPart>;
  /** Open calls, and the last few settled ones of this process, by our id. */
  calls: Map<string, KnownCall>;
  asks: Map<string, OpenAsk>;
  /** The newest of them, oldest first. */
  alwaysAllowed?: AlwaysAllowed[];
  tasks: Map<string, OpenTask>;
  /** The newest tasks that ended, oldest first. */
  endedTasks?: EndedTask[];
  queue: QueuedPrompt[];
  /** Who wants that none of them begins, and since when. */
  queueHeld?: { by?: string; at: number };
  /** The agent's ids to ours, for what is in the maps above. */
  nativeParts: Map<string, string>;
  nativeCalls: Map<string, string>;
  nativeAsks: Map<string, string>;
  nativeTasks: Map<string, string>;
}

/**
 * The state before the first event.
 *
 * @example
 * emptyState("demo").head; // => 0
 */
export function emptyState(id: string): SessionState {
  return {
    id,
    agent: "",
    cwd: "",
    createdAt: 0,
    updatedAt: 0,
    head: 0,
    closed: false,
    attached: false,
    generation: 0,
    parts: new Map(),
    calls: new Map(),
    asks: new Map(),
    tasks: new Map(),
    queue: [],
    nativeParts: new Map(),
    nativeCalls: new Map(),
    nativeAsks: new Map(),
    nativeTasks: new Map(),
  };
}

const MAPS = [
  "parts",
  "calls",
  "asks",
  "tasks",
  "nativeParts",
  "nativeCalls",
  "nativeAsks",
  "nativeTasks",
] as const;

/** Raised when the shape of the state changes; a stored state of an unknown version is folded again from the log. */
export const STATE_VERSION = 3;

/** A larger state is not stored: an older one and the rest of the log say the same. */
const MAX_STORED_STATE = 32 * 1024 * 1024;

/** Undefined for one that is too large to be stored. */
export function serializeState(state: SessionState): string | undefined {
  const plain: Record<string, unknown> = { version: STATE_VERSION, ...state };
  for (const name of MAPS) plain[name] = [...state[name]];
  if (sizeOf(plain) > MAX_STORED_STATE) return undefined;
  return JSON.stringify(plain);
}

/** Undefined when the log has to be folded again: for a text of another version, or one that is too large. */
export function parseState(json: string): SessionState | undefined {
  if (json.length > 2 * MAX_STORED_STATE) return undefined;
  const { version, ...plain } = JSON.parse(json);
  if (version !== STATE_VERSION) return undefined;
  for (const name of MAPS) plain[name] = new Map(plain[name]);
  return plain;
}

/** The prompt that begins when nothing else runs. */
export function nextPrompt(state: SessionState): QueuedPrompt | undefined {
  return state.queueHeld ? undefined : firstFree(state);
}

/** The first waiting prompt that is not held by itself. */
export function firstFree({ queue }: Pick<SessionState, "queue">): QueuedPrompt | undefined {
  return queue.find(({ held }) => !held);
}

/** How much waits to be given to the agent, in characters. */
export function queuedBytes({ queue, turn }: Pick<SessionState, "queue" | "turn">): number {
  let bytes = 0;
  for (const prompt of queue) bytes += prompt.bytes;
  for (const prompt of turn?.steered ?? []) bytes += prompt.bytes;
  return bytes;
}
