/** How prompts, turns and their messages move the state of a session. */
import type { EventOf, SessionEvent } from "../event.ts";
import { isCutOff } from "../is-cut-off.ts";
import { promptSize } from "../prompt-part.ts";
import type { QueuedPrompt, SessionState } from "../session-state.ts";

export function evolveTurn(state: SessionState, event: SessionEvent): void {
  switch (event.type) {
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
        ...(event.continuesTurn !== undefined && { continuesTurn: event.continuesTurn }),
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
    case "prompt.held": {
      const prompt = state.queue.find((queued) => queued.message === event.message);
      if (!prompt) return;
      prompt.held = event.held || undefined;
      prompt.reason = event.held ? event.reason : undefined;
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
      if (state.turn && !event.steered) {
        state.turn.before = event.checkpoint;
        if (prompt?.settings) state.turn.settings = prompt.settings;
        if (prompt?.continuesTurn !== undefined) state.turn.continuesTurn = prompt.continuesTurn;
      }
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
        lastAt: event.at,
        steps: 0,
        usage: {},
        steered: [],
        unconfirmed: [],
        heard: false,
        before: event.origin === "agent" ? state.checkpoint : undefined,
      };
      state.checkpoint = undefined;
      state.cutOffAt = undefined;
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
      // Only the daemon says so of an agent that is not there.
      if (event.error?.code === "resume_failed" && !state.attached)
        state.resumeFailures = (state.resumeFailures ?? 0) + 1;
      if (state.turn?.heard && state.turn.hasNote) state.restoredFiles = undefined;
      state.turn = undefined;
      state.lastOutcome = event.outcome;
      if (isCutOff(event.error?.code)) state.cutOffAt = event.at;
      state.nativeParts = new Map([...state.nativeParts].filter(([, part]) => state.parts.has(part)));
      return;
    case "file.edited":
      if (!state.turn) return;
      state.turn.edited ??= [];
      state.turn.edited.push(event.path);
      if (event.from !== undefined) state.turn.edited.push(event.from);
      return;
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
