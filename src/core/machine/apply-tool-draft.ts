/** Tool drafts: a call is opened by whatever mentions it first, settled once, and amended afterwards. */
import type { Draft } from "../draft.ts";
import type { EventBody } from "../event.ts";
import type { SessionMachine } from "../session-machine.ts";
import type { KnownCall } from "../session-state.ts";
import { closeAsksAbout, isSettled } from "./close-turn.ts";
import { contentContext, knownTask, optionalContext } from "./context.ts";
import { limitOpenCalls } from "./limit-open-content.ts";
import { type Context, partContext } from "./open-content.ts";

type ToolDraft = Exclude<Extract<Draft, { type: `tool.${string}` }>, never>;
type StartDraft = Extract<Draft, { type: "tool.start" }>;
type CallDraft = Exclude<ToolDraft, { type: "tool.summary" }>;

export function isToolDraft(draft: Draft): draft is ToolDraft {
  return draft.type.startsWith("tool.");
}

export function applyToolDraft(machine: SessionMachine, draft: ToolDraft): void {
  const { state } = machine;
  if (draft.type === "tool.summary") {
    const calls = draft.calls.flatMap((native) => state.nativeCalls.get(native) ?? []);
    return machine.emit({
      type: "tool.summary",
      ...optionalContext(machine, draft),
      calls,
      text: draft.text,
    });
  }
  const known = state.nativeCalls.get(draft.call);
  const call = known === undefined ? undefined : state.calls.get(known);
  if (draft.type === "tool.start") {
    if (!call || call.settled) openCall(machine, draft.call, contentContext(machine, draft), draft);
    else updateCall(machine, known!, call, draft);
    return;
  }
  if (call?.settled) return amend(machine, known!, call, draft);
  if (!call && isLateResult(machine, draft)) {
    return machine.emit({
      type: "agent.unknown",
      native: draft.type,
      text: `a result for the unknown call ${draft.call}`,
    });
  }
  const id = call ? known! : openCall(machine, draft.call, contentContext(machine, draft), {});
  const target = call ?? state.calls.get(id)!;
  if (draft.type === "tool.amended") return settleByAmendment(machine, id, target, draft);
  if (draft.type === "tool.input.delta" && (target.hasInput || draft.delta === "")) return;
  if (draft.type === "tool.output.delta" && draft.delta === "") return;
  if (settles(draft)) {
    closeAsksAbout(machine, id);
    if (isSettled(target)) return;
  }
  // Only people change an input, by their answers.
  const { parent: _parent, task: _task, by: _by, ...rest } = draft as typeof draft & { by?: unknown };
  machine.emit({ ...rest, ...partContext(machine, target), call: id } as EventBody);
}

function openCall(
  machine: SessionMachine,
  native: string,
  context: Context,
  details: Partial<StartDraft>,
): string {
  limitOpenCalls(machine);
  const call = `c${machine.nextSeq}`;
  machine.emit({
    type: "tool.start",
    ...context,
    call,
    name: details.name || "tool",
    title: details.title,
    kind: details.kind,
    locations: details.locations,
    native,
  });
  return call;
}

/** A call that was announced before: what is new about it. */
function updateCall(machine: SessionMachine, id: string, call: KnownCall, draft: StartDraft): void {
  const news = {
    ...(draft.name !== "" && draft.name !== call.name && { name: draft.name }),
    ...(draft.title !== undefined && draft.title !== call.title && { title: draft.title }),
    ...(draft.kind !== undefined && draft.kind !== call.kind && { kind: draft.kind }),
    ...(draft.locations !== undefined && { locations: draft.locations }),
  };
  if (Object.keys(news).length > 0)
    machine.emit({ type: "tool.updated", ...partContext(machine, call), call: id, ...news });
}

/** With no turn open and no parent, a result for a call nobody knows has no place in the conversation. */
function isLateResult(machine: SessionMachine, draft: CallDraft): boolean {
  return !machine.state.turn && draft.parent === undefined && draft.task === undefined;
}

function amend(machine: SessionMachine, id: string, call: KnownCall, draft: CallDraft): void {
  // A refusal is final for the turn: what the agent makes of it stays in the raw records.
  if (call.settled === "denied" && call.settledIn === machine.state.turn?.id) return;
  if (draft.type === "tool.output.delta") return addTaskOutput(machine, id, call, draft.delta);
  const isResult =
    draft.type === "tool.failed" || draft.type === "tool.amended" || draft.type === "tool.output";
  if (!isResult || ("preliminary" in draft && draft.preliminary)) return;
  const { message, parent, task } = call;
  machine.emit({ type: "tool.amended", message, parent, task, call: id, ...resultOf(draft) });
}

/** More output of a call that went on as a task is the task's. */
function addTaskOutput(machine: SessionMachine, id: string, call: KnownCall, delta: string): void {
  const task = call.settled === "running" ? knownTask(machine, undefined, id) : undefined;
  if (task !== undefined) machine.emit({ type: "task.updated", task, delta });
}

function settles(draft: CallDraft): boolean {
  if (draft.type === "tool.output") return !draft.preliminary;
  return draft.type === "tool.failed" || draft.type === "tool.denied" || draft.type === "tool.abandoned";
}

function resultOf(draft: Extract<Draft, { type: "tool.output" | "tool.failed" | "tool.amended" }>) {
  return {
    ...(draft.output !== undefined && { output: draft.output }),
    ...("error" in draft && draft.error !== undefined && { error: draft.error }),
    ...(draft.exitCode !== undefined && { exitCode: draft.exitCode }),
    ...(draft.metadata !== undefined && { metadata: draft.metadata }),
  };
}

/** An amendment of a call that is still open is simply its result. */
function settleByAmendment(
  machine: SessionMachine,
  id: string,
  call: KnownCall,
  draft: Extract<Draft, { type: "tool.amended" }>,
): void {
  closeAsksAbout(machine, id);
  if (isSettled(call)) return;
  const body = { ...resultOf(draft), ...partContext(machine, call), call: id };
  if (draft.error !== undefined) machine.emit({ type: "tool.failed", ...body, error: draft.error });
  else machine.emit({ type: "tool.output", ...body, output: draft.output ?? null });
}
