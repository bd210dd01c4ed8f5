/** What a person filled in, as the answers the daemon takes. Pure. */
import type { AskQuestion } from "../api/types.ts";

export interface Draft {
  chosen: string[];
  text: string;
}

const EMPTY: Draft = { chosen: [], text: "" };

export function draftOf(question: AskQuestion): Draft {
  const values = new Set((question.options ?? []).map(({ label, value }) => value ?? label));
  const given = question.default ?? [];
  return {
    chosen: given.filter((answer) => values.has(answer)),
    text: given.filter((answer) => !values.has(answer)).join(", "),
  };
}

/** Undefined while a question that needs an answer has none. */
export function collectAnswers(
  questions: readonly AskQuestion[],
  drafts: Readonly<Record<string, Draft>>,
): Record<string, string[]> | undefined {
  const answers: [id: string, given: string[]][] = [];
  for (const { id, required } of questions) {
    const { chosen, text } = Object.hasOwn(drafts, id) ? drafts[id]! : EMPTY;
    const all = text.trim() === "" ? chosen : [...chosen, text.trim()];
    if (all.length === 0 && required !== false) return undefined;
    answers.push([id, all]);
  }
  // Not by assignment: an agent may call a question `__proto__`.
  return Object.fromEntries(answers);
}
