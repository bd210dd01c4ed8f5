/** What a client posts → what it wants: a prompt, or the answer to a question that is open. */
import { resolve } from "node:path";
import { type AskAnswer, type AskOption, type AskQuestion, rejectingOption } from "../../core/ask.ts";
import type { ContextPart } from "../../core/prompt-part.ts";
import { invalidField } from "../../protocol/refusals.ts";
import { isAnswerable, type ShownAsk } from "./outbound/ask-text.ts";
import type { ChatRequest } from "./schemas.ts";

/** How an option is counted, from 1. */
const NUMBER = /^[1-9]\d{0,2}$/;

/** The last message of the user. Throws `invalid_request` if there is none. */
export function lastUserText({ messages }: ChatRequest): string {
  const text = messages.findLast(({ role }) => role === "user")?.content;
  if (typeof text === "string" && text.trim() !== "") return text;
  throw invalidField(
    "messages",
    "needs one of the user",
    "Send a message with the role user whose content is a text that is not empty.",
  );
}

/** What the person looks at. Undefined if there is nothing. */
export function contextPart({ context }: ChatRequest, cwd: string): ContextPart | undefined {
  const file = context?.current_file;
  if (!file?.path) return undefined;
  const { path, language, content, selection } = file;
  return {
    type: "context",
    path: resolve(cwd, path),
    ...(language && /^[^\s`]{1,64}$/.test(language) && { language }),
    ...(typeof content === "string" && { content }),
    ...(selection && { selection }),
  };
}

/**
 * The text as an answer to a question or a plan: an option's id, label or number, or yes or no, and a line of that for each
 * question if there are several. Undefined if it is none, and then it is a prompt.
 */
export function findAnswer(ask: ShownAsk, text: string, canApprovePlans = true): AskAnswer | undefined {
  if (!isAnswerable(ask, canApprovePlans)) return undefined;
  const { questions = [], options } = ask;
  if (questions.length === 0) {
    const option = findOption(options, text.trim());
    return option && { option: option.id };
  }
  const lines = questions.length === 1 ? [text.trim()] : linesOf(text);
  if (lines.length !== questions.length) return undefined;
  const answers: Record<string, string[]> = {};
  for (const [place, question] of questions.entries()) {
    const values = findValues(question, lines[place]!);
    if (!values) return undefined;
    answers[question.id] = values;
  }
  return { answers };
}

/** Without empty ones. An expression that splits at white space takes the square of its length. */
function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function findOption(options: readonly AskOption[], word: string): AskOption | undefined {
  const wanted = word.toLowerCase();
  const named = options.find(({ id, label }) => id === word || label.toLowerCase() === wanted);
  if (named) return named;
  if (NUMBER.test(word)) return options[Number(word) - 1];
  if (!isYesOrNo(word)) return undefined;
  return isYes(word) ? options.find(({ effect }) => effect === "once") : rejectingOption(options);
}

function findValues(question: AskQuestion, line: string): string[] | undefined {
  const { options = [], multiple = false, type, free } = question;
  if (options.length === 0) {
    if (type === "boolean") return isYesOrNo(line) ? [String(isYes(line))] : undefined;
    // There is nothing else an answer could be.
    return free === false ? undefined : [line];
  }
  const one = findValue(options, line);
  if (one !== undefined) return [one];
  if (!multiple) return undefined;
  const several = line.split(",").map((word) => findValue(options, word.trim()));
  return several.every((value) => value !== undefined) ? (several as string[]) : undefined;
}

function findValue(options: NonNullable<AskQuestion["options"]>, word: string): string | undefined {
  const wanted = word.toLowerCase();
  const named = options.find(({ label, value }) => value === word || label.toLowerCase() === wanted);
  const option = named ?? (NUMBER.test(word) ? options[Number(word) - 1] : undefined);
  return option && (option.value ?? option.label);
}

function isYesOrNo(word: string): boolean {
  return /^(?:yes|no|y|n|true|false)$/i.test(word);
}

function isYes(word: string): boolean {
  return /^(?:yes|y|true)$/i.test(word);
}
