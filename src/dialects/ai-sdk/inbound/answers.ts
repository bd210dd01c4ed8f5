/** The answers of a person in the tool parts of a posted message. */
import type { AskAnswer, AskQuestion } from "../../../core/ask.ts";
import { isRecord } from "../../../core/is-record.ts";

type PostedPart = { type: string; [field: string]: unknown };

/** What a person said to one ask. */
export interface GivenAnswer {
  ask: string;
  /** Whether it is in the last step; earlier ones are old. */
  isLatest: boolean;
  say: (questions: readonly AskQuestion[]) => AskAnswer & { reply?: "once" | "reject" };
}

/** The calls of ours that carry questions are named after their ask. */
const QUESTION = "question_";

/** An approval that has not been settled, or a question with an output; whether its ask is open is not known here. */
export function givenAnswers(parts: readonly PostedPart[]): GivenAnswer[] {
  const lastStep = parts.findLastIndex(({ type }) => type === "step-start");
  return parts.flatMap((part, index) => {
    const answer = approvalAnswer(part) ?? questionAnswer(part);
    return answer ? [{ ...answer, isLatest: index > lastStep }] : [];
  });
}

/** Every ask the client was shown. */
export function shownAsks(parts: readonly PostedPart[]): Set<string> {
  const asks = new Set<string>();
  for (const part of parts) {
    const ask = part.type === "data-ask" ? part.id : (approvalOf(part)?.id ?? questionOf(part));
    if (typeof ask === "string") asks.add(ask);
  }
  return asks;
}

function approvalAnswer(part: PostedPart): Omit<GivenAnswer, "isLatest"> | undefined {
  const approval = approvalOf(part);
  if (part.state !== "approval-responded" || typeof approval?.id !== "string") return undefined;
  const { id, approved, reason } = approval;
  const message = typeof reason === "string" && reason !== "" ? reason : undefined;
  return { ask: id, say: () => ({ reply: approved === true ? "once" : "reject", message }) };
}

function questionAnswer(part: PostedPart): Omit<GivenAnswer, "isLatest"> | undefined {
  const ask = questionOf(part);
  if (ask === undefined) return undefined;
  if (part.state === "output-available")
    return { ask, say: (questions) => ({ answers: answersOf(part.output, questions) }) };
  if (part.state !== "output-error") return undefined;
  const message = typeof part.errorText === "string" ? part.errorText : undefined;
  return { ask, say: () => ({ reply: "reject", message }) };
}

/** `{question: [answers]}` is the full form. A single answer needs no list, and a single question needs no id. */
function answersOf(output: unknown, questions: readonly AskQuestion[]): Record<string, string[]> {
  if (isRecord(output))
    return Object.fromEntries(Object.entries(output).map(([question, answer]) => [question, listOf(answer)]));
  const [first] = questions;
  return first ? { [first.id]: listOf(output) } : {};
}

function listOf(answer: unknown): string[] {
  if (answer === undefined || answer === null) return [];
  return (Array.isArray(answer) ? answer : [answer]).map((one) =>
    typeof one === "string" ? one : JSON.stringify(one),
  );
}

function approvalOf(part: PostedPart): { id?: unknown; approved?: unknown; reason?: unknown } | undefined {
  const { approval } = part;
  return typeof approval === "object" && approval !== null ? approval : undefined;
}

function questionOf({ toolCallId }: PostedPart): string | undefined {
  if (typeof toolCallId !== "string" || !toolCallId.startsWith(QUESTION)) return undefined;
  return toolCallId.slice(QUESTION.length);
}
