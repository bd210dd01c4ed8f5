/** How one event moves the state of a session. Nothing else changes it. */
import type { EventOf, SessionEvent } from "./event.ts";
import { evolveAsk } from "./evolve/evolve-ask.ts";
import { evolveSession } from "./evolve/evolve-session.ts";
import { evolveTask } from "./evolve/evolve-task.ts";
import { evolveTurn } from "./evolve/evolve-turn.ts";
import { forgetOldest } from "./evolve/forget-oldest.ts";
import { isActivity } from "./is-activity.ts";
import type { KnownCall, SessionState } from "./session-state.ts";
import { addCost, addUsage } from "./usage.ts";

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
  if (state.turn) {
    if (event.raw !== undefined) state.turn.heard = true;
    if ("turn" in event && event.turn === state.turn.id) state.turn.lastAt = event.at;
  }
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
      if (!call) return;
      call.hasInput = true;
      call.isInputCut = event.truncatedFrom === undefined ? undefined : true;
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
      evolveSession(state, event);
      evolveTurn(state, event);
      evolveTask(state, event);
      evolveAsk(state, event);
  }
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
