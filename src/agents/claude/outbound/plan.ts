/** The agent's list of things to do. Claude Code has had two sets of tools for it. */
import type { Draft } from "../../../core/draft.ts";
import { isRecord } from "../../../core/is-record.ts";
import type { ClaudeState, KnownCall, PlanEntry } from "../conversation-state.ts";
import { textField } from "./tool-display.ts";

type Translation = readonly [ClaudeState, readonly Draft[]];
type Fields = Readonly<Record<string, unknown>>;

/** What a successful call of such a tool made of the plan. */
export function readPlan(
  state: ClaudeState,
  call: KnownCall | undefined,
  structured: unknown,
  parent: string | undefined,
): Translation {
  if (!call || !isRecord(structured)) return [state, []];
  const plan = changedPlan(state.plan, call, structured);
  if (!plan) return [state, []];
  const entries = plan.map(({ text, status }) => ({ text, status }));
  const drafts: Draft[] = [{ type: "plan.updated", entries, parent }];
  return [{ ...state, plan }, drafts];
}

function changedPlan(
  plan: readonly PlanEntry[],
  { name, input }: KnownCall,
  structured: Fields,
): readonly PlanEntry[] | undefined {
  switch (name) {
    case "TodoWrite":
      return records(structured.newTodos)?.map((todo, index) => toEntry(todo, `${index}`, "content"));
    case "TaskList":
      return records(structured.tasks)?.map((task) => toEntry(task, `${task.id}`, "subject"));
    case "TaskCreate":
      if (!isRecord(structured.task)) return undefined;
      return [...plan, toEntry(structured.task, `${structured.task.id}`, "subject")];
    case "TaskUpdate":
      return structured.success === false || !isRecord(input) ? undefined : updated(plan, input);
    default:
      return undefined;
  }
}

function updated(plan: readonly PlanEntry[], input: Fields): readonly PlanEntry[] {
  const id = `${input.taskId}`;
  if (input.status === "deleted") return plan.filter((entry) => entry.id !== id);
  return plan.map((entry) =>
    entry.id === id
      ? {
          id,
          text: textField(input, "subject") ?? entry.text,
          status: input.status === undefined ? entry.status : toStatus(input.status),
        }
      : entry,
  );
}

function toEntry(item: Fields, id: string, textName: string): PlanEntry {
  return { id, text: textField(item, textName) ?? "", status: toStatus(item.status) };
}

function toStatus(native: unknown): PlanEntry["status"] {
  if (native === "in_progress") return "active";
  return native === "completed" ? "done" : "pending";
}

function records(value: unknown): readonly Fields[] | undefined {
  return Array.isArray(value) ? value.filter(isRecord) : undefined;
}
