/**
 * The runtime state of a session: a fold over its log, bounded by what is open. `evolve` is the only place where it
 * changes, so replaying the log after a restart gives the state the dead daemon had.
 */
import type { EventOf, SessionEvent, TurnOutcome } from "./event.ts";
import type { PromptPart } from "./prompt-part.ts";
import { addCost, addUsage, type TokenUsage } from "./usage.ts";

export interface OpenPart {
  kind: "text" | "reasoning";
  /** Whether it belongs to the turn that is open, rather than to background work. */
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
  /** How it was settled; absent while it runs. */
  settled?: "output" | "running" | "failed" | "denied" | "abandoned";
  /** The turn in which it was settled. */
  settledIn?: string;
}

export interface OpenAsk {
  opened: EventOf<"ask.opened">;
  answered?: EventOf<"ask.answered">;
}

export interface OpenTask {
  title: string;
  native?: string;
  call?: string;
  /** Made up for content that came late and names no task; it ends by itself when the next turn begins. */
  implicit: boolean;
}

export interface QueuedPrompt {
  message: string;
  parts: PromptPart[];
  whenBusy: "queue" | "steer" | "reject";
  at: number;
  seq: number;
}

export interface OpenTurn {
  id: string;
  origin: "user" | "agent";
  startedAt: number;
  /** The assistant message that takes content now. */
  message?: string;
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
}

export interface SessionState {
  id: string;
  agent: string;
  cwd: string;
  title?: string;
  model?: string;
  mode?: string;
  permissionMode?: string;
  metadata?: Record<string, unknown>;
  mcpServers?: Record<string, unknown>;
  options?: Record<string, unknown>;
  env?: string[];
  createdAt: number;
  updatedAt: number;
  head: number;
  closed: boolean;
  attached: boolean;
  generation: number;
  agentSessionId?: string;
  agentVersion?: string;
  /** What the agent last told about itself. */
  models?: EventOf<"session.attached">["models"];
  modes?: EventOf<"session.attached">["modes"];
  commands?: EventOf<"session.attached">["commands"];
  tools?: string[];
  settings?: EventOf<"session.attached">["settings"];
  /** How full the agent's context window was when it last told. */
  context?: { used: number; size?: number };
  turn?: OpenTurn;
  lastOutcome?: TurnOutcome;
  /** The role of the newest message in the history. */
  lastRole?: "user" | "assistant" | "system";
  /** Open parts by our id. */
  parts: Map<string, OpenPart>;
  /** Open calls, and the last few settled ones of this process, by our id. */
  calls: Map<string, KnownCall>;
  asks: Map<string, OpenAsk>;
  tasks: Map<string, OpenTask>;
  queue: QueuedPrompt[];
  /** The agent's ids to ours, for what is in the maps above. */
  nativeParts: Map<string, string>;
  nativeCalls: Map<string, string>;
  nativeAsks: Map<string, string>;
  nativeTasks: Map<string, string>;
}

/** How many finished parts and calls are remembered for results and retractions that arrive late. */
const FINISHED_KEPT = 256;

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

/** Moves the state past one event. Mutates and returns nothing: the caller owns the state. */
export function evolve(state: SessionState, event: SessionEvent): void {
  state.head = event.seq;
  if (state.turn && event.raw !== undefined) state.turn.heard = true;
  switch (event.type) {
    // The hot path: deltas change nothing but the head.
    case "text.delta":
    case "reasoning.delta":
    case "tool.input.delta":
    case "tool.output.delta":
    case "tool.progress":
      return;
    case "text.start":
    case "reasoning.start":
      state.parts.set(event.part, {
        kind: event.type === "text.start" ? "text" : "reasoning",
        inTurn: event.turn !== undefined,
        message: event.message,
        parent: event.parent,
        task: event.task,
      });
      if (event.native !== undefined) state.nativeParts.set(event.native, event.part);
      return;
    case "text.end":
    case "reasoning.end":
      state.parts.delete(event.part);
      // Its native id stays known for a while: an agent may retract text it has finished.
      forgetOldest(state.nativeParts, (part) => state.parts.has(part));
      return;
    case "tool.start":
      state.calls.set(event.call, {
        name: event.name,
        title: event.title,
        kind: event.kind,
        inTurn: event.turn !== undefined,
        message: event.message,
        native: event.native,
        parent: event.parent,
        task: event.task,
        hasInput: false,
      });
      if (event.native !== undefined) state.nativeCalls.set(event.native, event.call);
      return;
    case "tool.updated": {
      const call = state.calls.get(event.call);
      if (!call) return;
      call.name = event.name ?? call.name;
      call.title = event.title ?? call.title;
      call.kind = event.kind ?? call.kind;
      return;
    }
    case "tool.input": {
      const call = state.calls.get(event.call);
      if (call) call.hasInput = true;
      return;
    }
    case "tool.output":
      if (!event.preliminary) settle(state, event, event.running ? "running" : "output");
      return;
    case "tool.failed":
      return settle(state, event, "failed");
    case "tool.denied":
      return settle(state, event, "denied");
    case "tool.abandoned":
      return settle(state, event, "abandoned");
    case "usage":
      if (event.context) state.context = event.context;
      if (state.turn && event.turn) {
        state.turn.usage = addUsage(state.turn.usage, event);
        state.turn.cost = addCost(state.turn.cost, event.cost);
      }
      return;
    default:
      state.updatedAt = event.at;
      evolveRarely(state, event);
  }
}

function evolveRarely(state: SessionState, event: SessionEvent): void {
  switch (event.type) {
    case "session.created":
      state.createdAt = event.at;
      state.agent = event.agent;
      state.cwd = event.cwd;
      state.title = event.title;
      state.model = event.model;
      state.mode = event.mode;
      state.permissionMode = event.permissionMode;
      state.metadata = event.metadata;
      state.mcpServers = event.mcpServers;
      state.options = event.options;
      state.env = event.env;
      return;
    case "session.attached":
      state.attached = true;
      state.generation = event.generation;
      if (event.agentVersion !== undefined) state.agentVersion = event.agentVersion;
      return takeAgentState(state, event);
    case "session.updated":
      if (event.title !== undefined) state.title = event.title;
      if (event.metadata !== undefined) state.metadata = event.metadata;
      if (event.env !== undefined) state.env = event.env;
      return takeAgentState(state, event);
    case "session.detached":
      state.attached = false;
      // Ids are unique only within one process: a later one may use them again.
      state.calls.clear();
      state.nativeCalls.clear();
      state.nativeParts.clear();
      state.nativeTasks.clear();
      return;
    case "conversation.rewound":
      state.lastRole = undefined;
      return;
    case "session.closed":
      state.closed = true;
      return;
    case "prompt.accepted":
      state.queue.push({
        message: event.message,
        parts: event.parts,
        whenBusy: event.whenBusy,
        at: event.at,
        seq: event.seq,
      });
      return;
    case "prompt.changed": {
      const prompt = state.queue.find((queued) => queued.message === event.message);
      if (prompt) prompt.parts = event.parts;
      return;
    }
    case "prompt.withdrawn":
      state.queue = state.queue.filter((queued) => queued.message !== event.message);
      return;
    case "prompt.dispatched": {
      const prompt = state.queue.find((queued) => queued.message === event.message);
      state.queue = state.queue.filter((queued) => queued !== prompt);
      state.lastRole = "user";
      state.turn?.unconfirmed.push(event.message);
      if (event.steered && prompt) state.turn?.steered.push(prompt);
      return;
    }
    case "prompt.returned": {
      const prompt = state.turn?.steered.find((steered) => steered.message === event.message);
      if (!state.turn || !prompt) return;
      state.turn.steered = state.turn.steered.filter((steered) => steered !== prompt);
      state.turn.unconfirmed = state.turn.unconfirmed.filter((message) => message !== event.message);
      state.queue.unshift(prompt);
      return;
    }
    case "prompt.received":
      if (state.turn)
        state.turn.unconfirmed = state.turn.unconfirmed.filter((message) => message !== event.message);
      return;
    case "turn.started":
      state.turn = {
        id: event.turn,
        origin: event.origin,
        startedAt: event.at,
        steps: 0,
        usage: {},
        steered: [],
        unconfirmed: [],
        heard: false,
      };
      return;
    case "message.system":
      state.lastRole = "system";
      return;
    case "message.started":
      state.lastRole = "assistant";
      if (!state.turn) return;
      state.turn.message = event.message;
      state.turn.steered = state.turn.steered.slice(
        1 + state.turn.steered.findIndex(({ message }) => message === event.replyTo),
      );
      return;
    case "step.started":
      if (state.turn) {
        state.turn.step = event.step;
        state.turn.steps = event.step;
      }
      return;
    case "step.ended":
      if (state.turn) state.turn.step = undefined;
      return;
    case "turn.stopping":
      if (state.turn) state.turn.stoppingBy = event.by;
      return;
    case "turn.ended":
      state.turn = undefined;
      state.lastOutcome = event.outcome;
      state.nativeParts = new Map([...state.nativeParts].filter(([, part]) => state.parts.has(part)));
      return;
    case "task.started":
      state.tasks.set(event.task, {
        title: event.title,
        native: event.native,
        call: event.call,
        implicit: event.kind === "implicit",
      });
      if (event.native !== undefined) state.nativeTasks.set(event.native, event.task);
      return;
    case "task.ended":
      state.tasks.delete(event.task);
      // Its native id stays known for a while: it may be what wakes the agent.
      forgetOldest(state.nativeTasks, (task) => state.tasks.has(task));
      return;
    case "ask.opened":
      state.asks.set(event.ask, { opened: event });
      if (event.native !== undefined) state.nativeAsks.set(event.native, event.ask);
      return;
    case "ask.answered": {
      const ask = state.asks.get(event.ask);
      if (ask) ask.answered = event;
      return;
    }
    case "ask.closed": {
      const native = state.asks.get(event.ask)?.opened.native;
      if (native !== undefined && state.nativeAsks.get(native) === event.ask) state.nativeAsks.delete(native);
      state.asks.delete(event.ask);
      return;
    }
  }
}

function takeAgentState(state: SessionState, event: EventOf<"session.attached" | "session.updated">): void {
  if (event.agentSessionId !== undefined) state.agentSessionId = event.agentSessionId;
  if (event.model !== undefined) state.model = event.model;
  if (event.mode !== undefined) state.mode = event.mode;
  if (event.permissionMode !== undefined) state.permissionMode = event.permissionMode;
  if (event.models !== undefined) state.models = event.models;
  if (event.modes !== undefined) state.modes = event.modes;
  if (event.commands !== undefined) state.commands = event.commands;
  if (event.tools !== undefined) state.tools = event.tools;
  if (event.settings !== undefined) state.settings = event.settings;
}

function settle(
  state: SessionState,
  event: EventOf<"tool.output" | "tool.failed" | "tool.denied" | "tool.abandoned">,
  how: KnownCall["settled"],
): void {
  const call = state.calls.get(event.call);
  if (!call) return;
  call.settled = how;
  call.settledIn = event.turn;
  // To the end of the map: the oldest settled call is the first to be forgotten.
  state.calls.delete(event.call);
  state.calls.set(event.call, call);
  forgetOldest(state.calls, (known) => known.settled === undefined);
  forgetOldest(state.nativeCalls, (id) => state.calls.has(id));
}

/** Keeps a map of finished things from growing with the length of a session. */
function forgetOldest<Value>(map: Map<string, Value>, isNeeded: (value: Value) => boolean): void {
  if (map.size <= FINISHED_KEPT) return;
  for (const [key, value] of map) {
    if (isNeeded(value)) continue;
    map.delete(key);
    return;
  }
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

/** Raised when the shape of the state changes; a stored state of another version is folded again from the log. */
export const STATE_VERSION = 1;

export function serializeState(state: SessionState): string {
  const plain: Record<string, unknown> = { version: STATE_VERSION, ...state };
  for (const name of MAPS) plain[name] = [...state[name]];
  return JSON.stringify(plain);
}

/** Undefined when the text was written by another version. */
export function parseState(json: string): SessionState | undefined {
  const { version, ...plain } = JSON.parse(json);
  if (version !== STATE_VERSION) return undefined;
  for (const name of MAPS) plain[name] = new Map(plain[name]);
  return plain;
}
