/** How one event moves the state of a session. Nothing else changes it. */
import { updateAsk } from "./ask-update.ts";
import { sizeOf } from "./bound-value.ts";
import type { EventOf, SessionEvent } from "./event.ts";
import { isActivity } from "./is-activity.ts";
import { promptSize } from "./prompt-part.ts";
import { restoredChanges } from "./restored-changes.ts";
import { addRestored, removeRestored } from "./restored-files.ts";
import type { KnownCall, OpenTask, QueuedPrompt, SessionState } from "./session-state.ts";
import { addCost, addUsage } from "./usage.ts";

/** How many finished parts and calls are remembered for results and retractions that arrive late. */
const FINISHED_KEPT = 256;

/** How many tasks that ended are remembered. */
const MAX_ENDED_TASKS = 20;
/** How much is remembered of what a task says of itself, in characters. */
const MAX_TASK_TEXT = 1000;

/** How many copies of a session are remembered. */
const MAX_FORKS = 100;

/**
 * Moves the state past one event. Mutates and returns nothing: the caller owns the state.
 *
 * @example
 * const state = emptyState("demo");
 * for (const event of events) evolve(state, event);
 * state.head; // => events.length
 */
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
      if (isActivity(event)) state.updatedAt = event.at;
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
      state.chosen = event.chosen;
      state.metadata = event.metadata;
      state.mcpServers = event.mcpServers;
      state.options = event.options;
      state.env = event.env;
      state.install = event.install;
      state.checkpoints = event.checkpoints;
      state.forkedFrom = event.forkedFrom;
      return;
    case "session.forked":
      state.forks = [...(state.forks ?? []), event.fork].slice(-MAX_FORKS);
      return;
    case "session.attached":
      state.attached = true;
      state.generation = event.generation;
      // The settings of another process say nothing about this one.
      state.settings = undefined;
      return takeAgentState(state, event);
    case "session.updated":
      if (event.title !== undefined) state.title = event.title;
      if (event.pinned !== undefined) state.pinned = event.pinned || undefined;
      if (event.archived !== undefined) state.archived = event.archived || undefined;
      if (event.metadata !== undefined) state.metadata = event.metadata;
      if (event.env !== undefined) state.env = event.env;
      if (event.requested !== undefined) {
        const isAnswered = Object.keys(event.requested).length === 0;
        state.requested = isAnswered ? undefined : event.requested;
      }
      if (event.chosen !== undefined) state.chosen = event.chosen;
      if (event.overridden !== undefined) {
        const isOver = Object.keys(event.overridden).length === 0;
        state.overridden = isOver ? undefined : event.overridden;
      }
      if (event.checkpointObstacle !== undefined)
        state.checkpointObstacle = event.checkpointObstacle || undefined;
      if (event.agentMemory !== undefined) {
        state.agentMemory = event.agentMemory;
        state.continues = event.continues;
      }
      if (event.restoredFiles !== undefined) state.restoredFiles = event.restoredFiles;
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
      if (!event.agentForgot) {
        state.agentMemory = "none";
        state.continues = undefined;
      }
      return;
    case "session.closed":
      state.closed = true;
      return;
    case "prompt.accepted":
      state.queue.push({
        message: event.message,
        bytes: promptSize(event.parts),
        contentSeq: event.seq,
        whenBusy: event.whenBusy,
        settings: event.settings,
        by: event.by,
        author: event.author,
        at: event.at,
        seq: event.seq,
      });
      return;
    case "prompt.changed": {
      const prompt = state.queue.find((queued) => queued.message === event.message);
      if (!prompt) return;
      prompt.bytes = promptSize(event.parts);
      prompt.contentSeq = event.seq;
      return;
    }
    case "prompt.moved":
      state.queue = moveBefore(state.queue, event);
      return;
    case "prompt.withdrawn":
      state.queue = state.queue.filter((queued) => queued.message !== event.message);
      return;
    case "prompt.dispatched": {
      const prompt = state.queue.find((queued) => queued.message === event.message);
      state.queue = state.queue.filter((queued) => queued !== prompt);
      state.lastRole = "user";
      state.turn?.unconfirmed.push(event.message);
      if (event.steered && prompt) state.turn?.steered.push(prompt);
      if (state.turn && !event.steered) state.turn.before = event.checkpoint;
      if (state.turn && event.note !== undefined) state.turn.hasNote = true;
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
        before: event.origin === "agent" ? state.checkpoint : undefined,
      };
      state.checkpoint = undefined;
      return;
    case "message.system":
      state.lastRole = "system";
      return;
    case "message.started":
      state.lastRole = "assistant";
      if (!state.turn) return;
      state.turn.message = event.message;
      state.turn.model = event.model ?? state.turn.model;
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
      // It was told with the prompt of the first turn. One that said nothing may not have heard it.
      if (state.turn?.heard && state.turn.origin === "user") {
        state.agentMemory = undefined;
        state.continues = undefined;
      }
      if (state.turn?.heard && state.turn.hasNote) state.restoredFiles = undefined;
      state.turn = undefined;
      state.lastOutcome = event.outcome;
      state.nativeParts = new Map([...state.nativeParts].filter(([, part]) => state.parts.has(part)));
      return;
    case "file.edited":
      if (!state.turn) return;
      state.turn.edited ??= [];
      state.turn.edited.push(event.path);
      if (event.from !== undefined) state.turn.edited.push(event.from);
      return;
    case "checkpoint.created":
      // An agent that is at work goes on after an approval: that is not how its turn ends.
      if (event.kind !== "approved" || !state.turn) state.checkpoint = event.checkpoint;
      if (event.kind === "approved") state.pendingSince = event.checkpoint;
      state.pendingSince ??= event.checkpoint;
      return;
    case "restore.started":
      state.restore = event;
      state.checkpoint = undefined;
      return;
    case "checkpoint.restored":
      if (state.restore) {
        const { changes, rewound } = state.restore;
        const paths = restoredChanges(changes, event).map(({ path }) => path);
        // An agent whose conversation went back too knows the files as they are now.
        const change = rewound === undefined ? addRestored : removeRestored;
        state.restoredFiles = change(state.restoredFiles, paths);
      }
      state.restore = undefined;
      return;
    case "task.started":
      state.tasks.set(event.task, {
        title: event.title,
        native: event.native,
        call: event.call,
        kind: event.kind,
        implicit: event.kind === "implicit",
        startedAt: event.at,
      });
      if (event.native !== undefined) state.nativeTasks.set(event.native, event.task);
      return;
    case "task.updated":
      updateTask(state.tasks.get(event.task), event);
      return;
    case "task.stopping": {
      const task = state.tasks.get(event.task);
      if (task) task.stoppingBy = event.by;
      return;
    }
    case "task.ended":
      rememberEnd(state, event);
      state.tasks.delete(event.task);
      // Its native id stays known for a while: it may be what wakes the agent.
      forgetOldest(state.nativeTasks, (task) => state.tasks.has(task));
      return;
    case "ask.opened":
      state.asks.set(event.ask, { opened: event });
      if (event.native !== undefined) state.nativeAsks.set(event.native, event.ask);
      return;
    case "ask.updated": {
      const ask = state.asks.get(event.ask);
      if (ask) ask.opened = updateAsk(ask.opened, event);
      return;
    }
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

/** The queue with one prompt in another place. Unchanged where it or the place is unknown. */
function moveBefore(
  queue: QueuedPrompt[],
  { message, before }: Pick<EventOf<"prompt.moved">, "message" | "before">,
): QueuedPrompt[] {
  const moved = queue.find((queued) => queued.message === message);
  const others = queue.filter((queued) => queued !== moved);
  const place =
    before === undefined ? others.length : others.findIndex((queued) => queued.message === before);
  return moved && place >= 0 ? others.toSpliced(place, 0, moved) : queue;
}

function updateTask(
  task: OpenTask | undefined,
  { title, status, progress, delta }: EventOf<"task.updated">,
): void {
  if (!task) return;
  task.title = title ?? task.title;
  if (status !== undefined) task.status = status.slice(0, MAX_TASK_TEXT);
  if (delta !== undefined) task.output = `${task.output ?? ""}${delta}`.slice(-MAX_TASK_TEXT);
  if (progress !== undefined && sizeOf(progress) <= MAX_TASK_TEXT) task.progress = progress;
}

function rememberEnd(state: SessionState, { task, outcome, summary, at }: EventOf<"task.ended">): void {
  const open = state.tasks.get(task);
  if (!open || open.implicit) return;
  const { title, kind, call, startedAt, output } = open;
  const ended = { task, title, kind, call, startedAt, output, endedAt: at, outcome };
  const said = summary === undefined ? {} : { summary: summary.slice(0, MAX_TASK_TEXT) };
  state.endedTasks = [...(state.endedTasks ?? []), { ...ended, ...said }].slice(-MAX_ENDED_TASKS);
}

function takeAgentState(state: SessionState, event: EventOf<"session.attached" | "session.updated">): void {
  if (event.agentSessionId !== undefined) state.agentSessionId = event.agentSessionId;
  if (event.agentVersion !== undefined) state.agentVersion = event.agentVersion;
  if (event.model !== undefined) {
    state.model = event.model;
    // Some agents report their model only when they begin to work. A later change is for the next message.
    const isAgentsWord = event.raw !== undefined && state.turn?.steps === 0;
    if (state.turn && (isAgentsWord || state.turn.model === undefined)) state.turn.model = event.model;
  }
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
