/** Reads what code from outside yields as an output: nothing that is no draft reaches the session machine. Pure. */
import type { AgentOutput } from "../../core/adapter.ts";
import type { Draft, DraftType } from "../../core/draft.ts";
import { isRecord } from "../../core/is-record.ts";
import { type RawDraft, rawRecordSchema } from "../../core/raw-record.ts";
import { unreadable } from "../transport/line-text.ts";

/** As long as a line of a process may be, in characters. */
const MAX_RAW_LENGTH = 64 * 1024 * 1024;
const MAX_DRAFTS = 10_000;
const MAX_UNREAD = 100;

/** Every type there is: the compiler asks for a new one. */
const DRAFT_TYPES: Readonly<Record<DraftType, true>> = {
  "agent.unknown": true,
  "ask.answered": true,
  "ask.closed": true,
  "ask.opened": true,
  "ask.updated": true,
  "auth.status": true,
  "compaction.ended": true,
  "compaction.started": true,
  "content.discarded": true,
  file: true,
  "file.edited": true,
  notice: true,
  "plan.updated": true,
  "prompt.received": true,
  "prompt.returned": true,
  "prompt.taken": true,
  "reasoning.delta": true,
  "reasoning.end": true,
  "reasoning.start": true,
  "session.attached": true,
  "session.updated": true,
  source: true,
  "step.ended": true,
  "step.started": true,
  "task.ended": true,
  "task.started": true,
  "task.updated": true,
  "text.delta": true,
  "text.end": true,
  "text.start": true,
  "tool.abandoned": true,
  "tool.amended": true,
  "tool.denied": true,
  "tool.failed": true,
  "tool.input": true,
  "tool.input.delta": true,
  "tool.output": true,
  "tool.output.delta": true,
  "tool.progress": true,
  "tool.start": true,
  "tool.summary": true,
  "turn.ended": true,
  "turn.started": true,
  usage: true,
};

const rawSchema = rawRecordSchema.pick({ direction: true, data: true });

/** Values become what JSON can say; what cannot be read is `agent.unknown`. Never throws. */
export function checkedOutput(value: unknown): AgentOutput {
  const output = plainCopy(value) as Partial<AgentOutput> | undefined;
  if (!isRecord(output)) {
    const text = excerpt(value);
    return { raw: { direction: "in", data: text }, drafts: [unreadable("output", text)] };
  }
  const { drafts, unread } = output;
  return {
    raw: readRaw(output.raw),
    drafts: Array.isArray(drafts) ? readDrafts(drafts) : [unreadable("drafts", excerpt(drafts))],
    ...(Array.isArray(unread) && { unread: unread.slice(0, MAX_UNREAD).map(String) }),
  };
}

function readRaw(raw: unknown): RawDraft {
  const parsed = rawSchema.safeParse(raw);
  if (!parsed.success) return { direction: "in", data: excerpt(raw) };
  const { direction, data } = parsed.data;
  if (direction === "process")
    return typeof data === "string" ? { direction: "in", data } : { direction, data };
  const text = typeof data === "string" ? data : JSON.stringify(data);
  if (text.length <= MAX_RAW_LENGTH) return { direction, data: text };
  return {
    direction,
    data: `${text.slice(0, MAX_RAW_LENGTH)}\n[cut: the line had ${text.length} characters]`,
  };
}

function readDrafts(given: readonly unknown[]): Draft[] {
  const drafts = given.slice(0, MAX_DRAFTS).map(readDraft);
  if (given.length > MAX_DRAFTS) drafts.push(unreadable("drafts", `${given.length} drafts at once`));
  return drafts;
}

function readDraft(given: unknown): Draft {
  const type = typeof given === "object" && given !== null && "type" in given ? given.type : undefined;
  if (typeof type === "string" && Object.hasOwn(DRAFT_TYPES, type)) return given as Draft;
  return unreadable(typeof type === "string" ? type : "draft", excerpt(given));
}

/** Undefined for what JSON cannot say: rings, large integers, a getter that throws. */
function plainCopy(value: unknown): unknown {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function excerpt(value: unknown): string {
  const plain = plainCopy(value);
  return plain === undefined
    ? `a value that is no JSON (${typeof value})`
    : JSON.stringify(plain).slice(0, 4096);
}
