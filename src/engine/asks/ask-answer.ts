/** Turns a client's reply into the answer for the log, and compares answers. */
import { type AskAnswer, type AskQuestion, DECLINE, isRejection, rejectingOption } from "../../core/ask.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { EventOf } from "../../core/event.ts";
import { ownValue } from "../../core/own-value.ts";
import type { AskReply } from "../../protocol/commands/command-types.ts";
import { canonicalJson } from "../session/canonical-json.ts";

/** Throws `option_not_offered` if the ask does not offer that. */
export function answerFor(opened: EventOf<"ask.opened">, reply: AskReply): AskAnswer {
  assertInputTaken(opened, reply);
  const rest = { message: reply.message, input: reply.input };
  if (reply.answers !== undefined) {
    const { questions = [] } = opened;
    if (opened.kind === "plan" && questions.length === 0)
      return { option: planOption(opened, reply.answers), ...rest };
    checkAnswers(questions, reply.answers);
    return { answers: withValues(questions, reply.answers), ...rest };
  }
  if (reply.option !== undefined) {
    if (opened.options.some((option) => option.id === reply.option)) return { option: reply.option, ...rest };
    throw notOffered(opened, `option "${reply.option}"`);
  }
  if (reply.reply === "reject") {
    const option = rejectingOption(opened.options)?.id ?? (opened.kind === "question" ? DECLINE : undefined);
    if (option !== undefined) return { option, ...rest };
  }
  const option = opened.options.find(({ effect }) => effect === reply.reply);
  if (option) return { option: option.id, ...rest };
  throw notOffered(opened, reply.reply === undefined ? "an empty reply" : `"${reply.reply}"`);
}

/** An input that the agent would not run is refused: the person believes that something else happens. */
function assertInputTaken(opened: EventOf<"ask.opened">, { input, reply, option }: AskReply): void {
  if (input === undefined) return;
  const effect = reply ?? opened.options.find(({ id }) => id === option)?.effect;
  if (opened.editable && !isRejection(effect)) return;
  const problem = opened.editable
    ? { message: "goes with an answer that allows something", remedy: "Leave `input` out to reject it." }
    : {
        message: "cannot be changed for this ask: it is not `editable`",
        remedy: "Answer without `input`, or reject it and say in `message` what the agent should do instead.",
      };
  throw new InterlinguaError(
    "option_not_offered",
    `Ask ${opened.ask}: \`input\` ${problem.message}. ${problem.remedy}`,
    { errors: [{ path: "input", message: problem.message }] },
  );
}

/** Whether a later answer says the same as the one that won. */
export function isSameAnswer(winner: EventOf<"ask.answered">, answer: AskAnswer): boolean {
  return canonicalJson(decisionOf(winner)) === canonicalJson(decisionOf(answer));
}

/** What was answered to secret questions, by their ids. */
export function secretAnswers(
  opened: EventOf<"ask.opened">,
  { answers = {} }: AskAnswer,
): [string, string][] {
  const secrets = opened.questions?.filter(({ secret }) => secret) ?? [];
  return secrets.flatMap(({ id }) =>
    (ownValue(answers, id) ?? []).map((value): [string, string] => [id, value]),
  );
}

/** The answer without what was answered to secret questions, for the log. */
export function withoutSecrets(opened: EventOf<"ask.opened">, answer: AskAnswer): AskAnswer {
  const secrets = new Set(opened.questions?.filter(({ secret }) => secret).map(({ id }) => id));
  if (!answer.answers || secrets.size === 0) return answer;
  const answers = Object.entries(answer.answers).map(([id, values]) => [
    id,
    secrets.has(id) ? ["[secret]"] : values,
  ]);
  return { ...answer, answers: Object.fromEntries(answers) };
}

function decisionOf({ option, answers, message, input }: AskAnswer): AskAnswer {
  return { option, answers, message, input };
}

function checkAnswers(questions: readonly AskQuestion[], answers: Record<string, string[]>): void {
  for (const [id, values] of Object.entries(answers)) {
    const question = questions.find((asked) => asked.id === id);
    if (!question) {
      const known = questions.map((asked) => asked.id).join(", ") || "none";
      throw new InterlinguaError(
        "option_not_offered",
        `There is no question "${id}". The questions are: ${known}.`,
      );
    }
    if (values.length > 1 && !question.multiple) {
      throw new InterlinguaError("option_not_offered", `Question "${id}" takes one answer.`);
    }
    if (question.free !== false && !question.options?.length) continue;
    const offered = question.options?.flatMap(({ label, value }) => [label, value ?? label]) ?? [];
    const stranger = question.free ? undefined : values.find((value) => !offered.includes(value));
    if (stranger === undefined) continue;
    const labels = question.options?.map(({ label }) => `"${label}"`).join(", ");
    throw new InterlinguaError("option_not_offered", `Question "${id}" takes one of ${labels}.`);
  }
  if (!Object.values(answers).some((values) => values.length > 0)) {
    throw new InterlinguaError("option_not_offered", "Answer at least one question, or reject the ask.");
  }
  const missing = questions.find((question) => question.required && !ownValue(answers, question.id)?.length);
  if (missing) throw new InterlinguaError("option_not_offered", `Question "${missing.id}" needs an answer.`);
}

/** A plan is one question, whatever its id: its answer is an option, by id or label. */
function planOption(opened: EventOf<"ask.opened">, answers: Record<string, string[]>): string {
  const given = Object.values(answers).flat();
  const option =
    given.length === 1
      ? (opened.options.find(({ id }) => id === given[0]) ??
        opened.options.find(({ label }) => label === given[0]))
      : undefined;
  if (option) return option.id;
  throw notOffered(opened, given.length === 1 ? `"${given[0]}"` : `${given.length} answers`);
}

/** People see labels, agents know values: a label becomes its value. */
function withValues(
  questions: readonly AskQuestion[],
  answers: Record<string, string[]>,
): Record<string, string[]> {
  const entries = Object.entries(answers).map(([id, given]) => {
    const options = questions.find((question) => question.id === id)?.options ?? [];
    const isValue = (answer: string) => options.some(({ label, value = label }) => value === answer);
    const toValue = (answer: string) => options.find(({ label }) => label === answer)?.value ?? answer;
    return [id, given.map((answer) => (isValue(answer) ? answer : toValue(answer)))];
  });
  return Object.fromEntries(entries);
}

function notOffered(opened: EventOf<"ask.opened">, what: string): InterlinguaError {
  const offered = opened.options.map(({ id, effect }) => `"${id}" (${effect})`).join(", ");
  const remedy = opened.questions ? "Send answers, or reject it." : `It offers ${offered || "nothing"}.`;
  return new InterlinguaError("option_not_offered", `Ask ${opened.ask} does not offer ${what}. ${remedy}`);
}
