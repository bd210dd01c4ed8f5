/** Turns one draft into events: finds or opens what it talks about, and leaves out what no longer matters. */
import type { AskKind } from "../ask.ts";
import { shownFields } from "../ask-update.ts";
import type { Draft } from "../draft.ts";
import type { EventBody } from "../event.ts";
import { plainText } from "../plain-text.ts";
import { withoutEdits } from "../proposed-change.ts";
import type { SessionMachine } from "../session-machine.ts";
import { soundUsage } from "../usage.ts";
import { applyToolDraft, isToolDraft } from "./apply-tool-draft.ts";
import { closeTask } from "./close-task.ts";
import { askContext, closeAsk, closeAsksAbout, closeTurn, isSettled } from "./close-turn.ts";
import { contentContext, ensureTurn, knownTask, nativeTask, optionalContext, startTask } from "./context.ts";
import { hasRoomForAsk, limitOpenParts, limitOpenTasks } from "./limit-open-content.ts";
import { closeParts, closeStep, hasOpenWork, partContext, takeUpSteered } from "./open-content.ts";

type PartDraft = Extract<Draft, { type: `text.${string}` | `reasoning.${string}` }>;

export function applyDraft(machine: SessionMachine, draft: Draft): void {
  if (isToolDraft(draft)) return applyToolDraft(machine, draft);
  const { state } = machine;
  switch (draft.type) {
    case "text.start":
    case "reasoning.start":
    case "text.delta":
    case "reasoning.delta":
    case "text.end":
    case "reasoning.end":
      return applyPartDraft(machine, draft);
    case "content.discarded":
      return discard(machine, draft);
    case "step.started":
      return startStep(machine);
    case "step.ended":
      // Its tool results may still be coming; then it ends with the next step or with the turn.
      machine.stepReason = draft.reason;
      if (hasOpenWork(machine)) return;
      closeParts(machine);
      return closeStep(machine);
    case "prompt.taken":
      machine.saysTaken = true;
      machine.steeringTaken = takenPrompt(machine, draft.message);
      if (machine.steeringTaken !== undefined) takeUpSteered(machine);
      return;
    case "prompt.returned": {
      const { turn } = state;
      const message = draft.message ?? turn?.steered.at(-1)?.message;
      if (message === undefined || !turn?.steered.some((steered) => steered.message === message)) return;
      if (machine.steeringTaken === message) machine.steeringTaken = undefined;
      return machine.emit({ ...draft, message, turn: turn.id });
    }
    case "turn.started": {
      const task = draft.task === undefined ? undefined : state.nativeTasks.get(draft.task);
      return ensureTurn(machine, draft.cause, draft.text, task);
    }
    case "turn.ended":
      if (draft.origin !== undefined && draft.origin !== state.turn?.origin) return;
      returnSteered(machine);
      return closeTurn(machine, draft.outcome, draft.error, { native: draft.native });
    case "session.attached":
      if (!state.attached) return machine.emit({ ...draft, generation: state.generation + 1 });
      return applyUpdate(machine, draft);
    case "session.updated":
      return applyUpdate(machine, draft);
    case "prompt.received": {
      const message = draft.message ?? state.turn?.unconfirmed[0];
      if (message === undefined) return;
      return machine.emit({ type: "prompt.received", turn: state.turn?.id, message, native: draft.native });
    }
    case "ask.opened":
      return openAsk(machine, withoutEdits(draft));
    case "ask.updated":
      return updateAsk(machine, withoutEdits(draft));
    case "ask.answered": {
      const ask = state.nativeAsks.get(draft.ask);
      if (ask === undefined) return;
      const { type: _type, ask: _ask, ...answer } = draft;
      machine.answerAsk(ask, answer, "agent");
      return closeAsk(machine, ask, "answered", true);
    }
    case "ask.closed": {
      const ask = state.nativeAsks.get(draft.ask);
      if (ask === undefined) return;
      // The agent closes an ask after its answer, which proves that the answer arrived.
      const isAnswered = state.asks.get(ask)?.answered !== undefined;
      const delivered = draft.delivered || (isAnswered && draft.outcome !== "answered");
      return closeAsk(machine, ask, draft.outcome, delivered);
    }
    case "task.started":
      if (knownTask(machine, draft.task) !== undefined) return;
      limitOpenTasks(machine);
      return machine.emit({
        ...draft,
        task: `k${machine.nextSeq}`,
        native: draft.task,
        call: draft.call === undefined ? undefined : state.nativeCalls.get(draft.call),
      });
    case "task.updated":
      return machine.emit({
        ...draft,
        task: knownTask(machine, draft.task) ?? startTask(machine, draft.task),
      });
    case "task.ended": {
      const task = knownTask(machine, draft.task);
      if (task === undefined) return;
      const { type: _type, task: _task, ...end } = draft;
      return closeTask(machine, task, end, "its task ended");
    }
    case "file":
    case "source":
      return machine.emit(place(draft, contentContext(machine, draft)));
    case "file.edited":
      return machine.emit({
        ...place(withoutEdits(draft), optionalContext(machine, draft)),
        ...(draft.call !== undefined && { call: state.nativeCalls.get(draft.call) }),
      } as EventBody);
    case "usage":
      return machine.emit(place(soundUsage(draft), optionalContext(machine, draft)));
    case "notice":
      return machine.emit(place({ ...draft, text: plainText(draft.text) }, optionalContext(machine, draft)));
    case "plan.updated":
      return machine.emit(place(draft, optionalContext(machine, draft)));
    case "compaction.started":
    case "compaction.ended":
    case "auth.status":
    case "agent.unknown":
      return machine.emit(place(draft, optionalContext(machine, {})));
  }
}

/** Takes the agent's own ids off a draft and puts it where it belongs. */
function place<Some extends Draft>(draft: Some, context: object): EventBody {
  const { parent: _parent, task: _task, ...rest } = draft as Some & { parent?: string; task?: string };
  return { ...rest, ...context } as unknown as EventBody;
}

function applyPartDraft(machine: SessionMachine, draft: PartDraft): void {
  const { state } = machine;
  const kind = draft.type.startsWith("text") ? "text" : "reasoning";
  const known =
    draft.part === undefined ? unnamedPart(machine, kind, draft) : state.nativeParts.get(draft.part);
  const open = known === undefined ? undefined : state.parts.get(known);
  const isOpen = open !== undefined && open.kind === kind;
  switch (draft.type) {
    case "text.start":
    case "reasoning.start":
      openPart(machine, kind, draft);
      return;
    case "text.delta":
    case "reasoning.delta": {
      if (draft.delta === "") return;
      const part = isOpen ? known! : openPart(machine, kind, draft);
      return machine.emitDelta(draft.type, isOpen ? open : state.parts.get(part)!, part, draft.delta);
    }
    case "text.end":
    case "reasoning.end":
      if (isOpen) machine.emit({ type: draft.type, ...partContext(machine, open), part: known! });
  }
}

/** For agents that do not name their parts: the open one of that kind, under the same parent. */
function unnamedPart(
  machine: SessionMachine,
  kind: "text" | "reasoning",
  draft: PartDraft,
): string | undefined {
  const { state } = machine;
  const parent = draft.parent === undefined ? undefined : state.nativeCalls.get(draft.parent);
  const native = nativeTask(machine, draft);
  const task = native === undefined ? undefined : state.nativeTasks.get(native);
  // An unknown task has no open part.
  if (native !== undefined && task === undefined) return undefined;
  // Keys only: entries would allocate a pair for every delta.
  for (const part of state.parts.keys()) {
    const open = state.parts.get(part)!;
    if (open.kind === kind && open.parent === parent && (task === undefined || open.task === task))
      return part;
  }
  return undefined;
}

function openPart(machine: SessionMachine, kind: "text" | "reasoning", draft: PartDraft): string {
  const { state } = machine;
  const context = contentContext(machine, draft);
  const former =
    draft.part === undefined ? unnamedPart(machine, kind, draft) : state.nativeParts.get(draft.part);
  const open = former === undefined ? undefined : state.parts.get(former);
  if (open) machine.emit({ type: `${open.kind}.end`, ...partContext(machine, open), part: former! });
  limitOpenParts(machine);
  const part = `p${machine.nextSeq}`;
  machine.emit({
    type: `${kind}.start`,
    ...context,
    part,
    purpose: draft.type === "text.start" ? draft.purpose : undefined,
    native: draft.part,
  });
  return part;
}

function startStep(machine: SessionMachine): void {
  machine.showsSteps = true;
  ensureTurn(machine, "output", "The agent went on by itself.");
  // A step ends after its tool results, so while one is missing the step goes on.
  if (hasOpenWork(machine)) return;
  closeParts(machine);
  closeStep(machine);
  if (machine.steeringTaken !== undefined || !machine.saysTaken) takeUpSteered(machine);
  const turn = machine.state.turn!;
  machine.emit({ type: "step.started", turn: turn.id, message: turn.message, step: turn.steps + 1 });
}

/** The steered prompt an agent says it acts on: the one it names, else the oldest. */
function takenPrompt(machine: SessionMachine, message: string | undefined): string | undefined {
  const steered = machine.state.turn?.steered ?? [];
  return (message === undefined ? steered[0] : steered.find((prompt) => prompt.message === message))?.message;
}

/** An agent that reports when it takes up a prompt has not taken up the ones it never reported. */
function returnSteered(machine: SessionMachine): void {
  const { turn } = machine.state;
  if (!turn || !machine.saysTaken) return;
  for (const { message } of [...turn.steered].reverse()) {
    if (message === machine.steeringTaken) continue;
    machine.emit({
      type: "prompt.returned",
      turn: turn.id,
      message,
      reason: "the turn ended before it was taken up",
    });
  }
}

/** What is retracted is closed first, so that a reader never has to undo an open part. */
function discard(machine: SessionMachine, draft: Extract<Draft, { type: "content.discarded" }>): void {
  const { state } = machine;
  const parts = draft.parts.flatMap((native) => state.nativeParts.get(native) ?? []);
  const calls = draft.calls.flatMap((native) => state.nativeCalls.get(native) ?? []);
  for (const part of parts) {
    const open = state.parts.get(part);
    if (open) machine.emit({ type: `${open.kind}.end`, ...partContext(machine, open), part });
  }
  for (const call of calls) {
    const known = state.calls.get(call);
    if (known && !known.settled) {
      closeAsksAbout(machine, call);
      if (isSettled(known)) continue;
      machine.emit({ type: "tool.abandoned", ...partContext(machine, known), call, reason: draft.reason });
    }
  }
  if (parts.length + calls.length === 0) return;
  machine.emit({ ...place(draft, optionalContext(machine, {})), parts, calls } as EventBody);
}

function openAsk(machine: SessionMachine, draft: Extract<Draft, { type: "ask.opened" }>): void {
  // Repeated after a reconnect: it is the same ask.
  if (machine.state.nativeAsks.has(draft.ask)) return;
  if (!hasRoomForAsk(machine)) {
    const text = `an ask beyond those that are open: ${draft.title.slice(0, 200)}`;
    return machine.emit({ type: "agent.unknown", native: "ask.opened", text });
  }
  const context = contentContext(machine, draft);
  // A call that nobody announced is not opened for it: nothing is known of it, and it may never come.
  const call = draft.call === undefined ? undefined : machine.state.nativeCalls.get(draft.call);
  machine.emit({
    ...place(draft, context),
    ask: `a${machine.nextSeq}`,
    native: draft.ask,
    call,
    editable: draft.editable && canBeEdited(machine, draft.kind, call) ? true : undefined,
  } as EventBody);
}

/** Nobody changes what they cannot see: the log has to have all of the input. */
function canBeEdited(machine: SessionMachine, kind: AskKind, call: string | undefined): boolean {
  const known = call === undefined ? undefined : machine.state.calls.get(call);
  return kind === "permission" && known?.hasInput === true && !known.isInputCut && !known.settled;
}

/** After an answer an update matters to nobody, and what is known already is worth no event. */
function updateAsk(machine: SessionMachine, draft: Extract<Draft, { type: "ask.updated" }>): void {
  const ask = machine.state.nativeAsks.get(draft.ask);
  const open = ask === undefined ? undefined : machine.state.asks.get(ask);
  if (ask === undefined || !open || open.answered) return;
  const known = shownFields(open.opened);
  if (JSON.stringify({ ...known, ...shownFields(draft) }) === JSON.stringify(known)) return;
  machine.emit({ ...place(draft, askContext(open.opened)), ask } as EventBody);
}

/** No agent sorts the list of sessions. */
const OF_PEOPLE = ["pinned", "archived"];

/** Agents repeat themselves; only a change is worth an event. */
function applyUpdate(
  machine: SessionMachine,
  draft: Extract<Draft, { type: "session.attached" | "session.updated" }>,
): void {
  const known = machine.state as unknown as Record<string, unknown>;
  const changes = Object.entries(draft).filter(
    ([name, value]) =>
      name !== "type" &&
      name !== "resumed" &&
      !OF_PEOPLE.includes(name) &&
      value !== undefined &&
      JSON.stringify(value) !== JSON.stringify(known[name]),
  );
  if (changes.length > 0) machine.emit({ type: "session.updated", ...Object.fromEntries(changes) });
}
