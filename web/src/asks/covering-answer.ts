/**
 * The answer that allowed a call before it was made. Only what the log tells for sure: a rule that is the tool itself, or the
 * tool with exactly this command. Agents read patterns in their own ways. Pure.
 */
import type { AlwaysAllowed } from "../api/types.ts";

interface Call {
  /** Where in the log it began. */
  seq: number;
  name: string;
  command: string | undefined;
}

export function coveringAnswer(
  answers: readonly AlwaysAllowed[],
  { seq, name, command }: Call,
): AlwaysAllowed | undefined {
  const rules = [name, ...(command === undefined || /[*?]/.test(command) ? [] : [`${name}(${command})`])];
  return answers.findLast(
    (answer) => answer.seq < seq && answer.covers?.some((cover) => rules.includes(cover)),
  );
}
