/** What a person filled in, as the answers the daemon takes. Pure. */
import type { AskQuestion } from "../api/types.ts";

export interface Draft {
  chosen: string[];
  text: string;
}

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
  const answers: Record<string, string[]> = {};
  for (const question of questions) {
    const { chosen = [], text = "" } = drafts[question.id] ?? {};
    const all = text.trim() === "" ? chosen : [...chosen, text.trim()];
    if (all.length === 0 && question.required !== false) return undefined;
    answers[question.id] = all;
  }
  return answers;
}
