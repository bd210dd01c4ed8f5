/** How events of the session as a whole, of its agent and of its files move its state. */
import { APPROVAL_COMMAND } from "../approval-command.ts";
import type { EventOf, SessionEvent } from "../event.ts";
import { EVENTS_LOST } from "../events-lost.ts";
import { restoredChanges } from "../restored-changes.ts";
import { addRestored, removeRestored } from "../restored-files.ts";
import type { SessionState } from "../session-state.ts";

/** How many copies of a session are remembered. */
const MAX_FORKS = 100;

export function evolveSession(state: SessionState, event: SessionEvent): void {
  switch (event.type) {
    case "session.created":
      state.createdAt = event.at;
      state.agent = event.agent;
      state.cwd = event.cwd;
      state.title = event.title;
      state.model = event.model;
      state.mode = event.mode;
      state.permissionMode = event.permissionMode;
      noteChosenModes(state, event);
      state.chosen = event.chosen;
      state.metadata = event.metadata;
      state.mcpServers = event.mcpServers;
      state.options = event.options;
      state.env = event.env;
      state.install = event.install;
      state.checkpoints = event.checkpoints;
      state.onLost = event.onLost;
      state.forkedFrom = event.forkedFrom;
      return;
    case "session.forked":
      state.forks = [...(state.forks ?? []), event.fork].slice(-MAX_FORKS);
      return;
    case "session.attached":
      state.attached = true;
      state.resumeFailures = undefined;
      state.generation = event.generation;
      // The settings of another process say nothing about this one.
      state.settings = undefined;
      state.approvalCommand = undefined;
      return takeAgentState(state, event);
    case "session.updated":
      if (event.title !== undefined) state.title = event.title;
      if (event.pinned !== undefined) state.pinned = event.pinned || undefined;
      if (event.archived !== undefined) state.archived = event.archived || undefined;
      if (event.metadata !== undefined) state.metadata = event.metadata;
      if (event.env !== undefined) state.env = event.env;
      if (event.onLost !== undefined) state.onLost = event.onLost;
      if (event.by !== undefined) noteChosenModes(state, { ...event, ...event.requested });
      if (event.requested !== undefined) {
        const isAnswered = Object.keys(event.requested).length === 0;
        state.requested = isAnswered ? undefined : event.requested;
      }
      if (event.chosen !== undefined) state.chosen = event.chosen;
      if (event.overridden !== undefined) {
        const isOver = Object.keys(event.overridden).length === 0;
        state.overridden = isOver ? undefined : event.overridden;
      }
      if (event.queueHeld !== undefined)
        state.queueHeld = event.queueHeld ? { by: event.by, at: event.at } : undefined;
      if (event.checkpointObstacle !== undefined)
        state.checkpointObstacle = event.checkpointObstacle || undefined;
      if (event.agentMemory !== undefined) {
        state.agentMemory = event.agentMemory;
        state.continues = event.continues;
      }
      if (event.restoredFiles !== undefined) state.restoredFiles = event.restoredFiles;
      return takeAgentState(state, event);
    case "notice":
      if (event.code === EVENTS_LOST) state.lineage = (state.lineage ?? 0) + 1;
      if (event.code === APPROVAL_COMMAND) state.approvalCommand = true;
      return;
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
      state.cutOffAt = undefined;
      if (!event.agentForgot) {
        state.agentMemory = "none";
        state.continues = undefined;
      }
      return;
    case "session.closed":
      state.closed = true;
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
  }
}

/** A mode stays a chosen one after the agent has changed it: a person set the session on this way. */
function noteChosenModes(
  state: SessionState,
  { mode, permissionMode }: Pick<SessionState, "mode" | "permissionMode">,
): void {
  if (mode === undefined && permissionMode === undefined) return;
  state.chosenModes = {
    ...state.chosenModes,
    ...(mode !== undefined && { mode: true }),
    ...(permissionMode !== undefined && { permissionMode: true }),
  };
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
