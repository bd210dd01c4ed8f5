/** What a person is asked, as text: this wire has no event for it. It names the options and where to answer. */
import type { AskAnswer, AskOption, AskQuestion } from "../../../core/ask.ts";
import type { FileChange } from "../../../core/proposed-change.ts";

/** The rest is on the page. */
const MAX_DIFF_LINES = 200;

export interface ShownAsk {
  kind: "permission" | "question" | "plan";
  title: string;
  description?: string;
  options: readonly AskOption[];
  questions?: readonly AskQuestion[];
  changes?: readonly FileChange[];
}

export interface AskTextOptions {
  /** The address of the session on the page. */
  page: string;
  /** A prompt waits until it is answered. */
  isPromptWaiting?: boolean;
  /** Whether messages may approve plans. True when absent. */
  canApprovePlans?: boolean;
}

export function askText(ask: ShownAsk, options: AskTextOptions): string {
  const { isPromptWaiting = false } = options;
  const blocks = [
    isPromptWaiting ? `Your message waits until this is answered: ${ask.title}` : ask.title,
    ask.description,
    changesText(ask.changes ?? []),
    ...(ask.questions ?? []).map((question) => questionText(question, ask)),
    ask.questions?.length ? undefined : optionsText(ask.options, isAnswerable(ask, options.canApprovePlans)),
    remedy(ask, options),
  ];
  return blocks.filter((block) => block !== undefined && block !== "").join("\n\n");
}

/** What a person answered, in the words of the options. */
export function answerText(
  { options, questions = [] }: ShownAsk,
  { option, answers = {} }: AskAnswer,
): string {
  if (option !== undefined) return options.find(({ id }) => id === option)?.label ?? option;
  const values = questions.length > 0 ? questions.map(({ id }) => answers[id] ?? []) : Object.values(answers);
  return values.map((given) => given.join(", ")).join("\n");
}

/** Whether the next message can answer it. Permissions are given elsewhere; a plan is one where nobody needs a token. */
export function isAnswerable({ kind }: Pick<ShownAsk, "kind">, canApprovePlans = true): boolean {
  return kind === "question" || (kind === "plan" && canApprovePlans);
}

/** Diffs name their files. */
function changesText(changes: readonly FileChange[]): string {
  const lines = changes.flatMap(({ path, diff }) => (diff ? diff.trimEnd().split("\n") : [path]));
  if (lines.length === 0) return "";
  const more = lines.length - MAX_DIFF_LINES;
  const shown = [...lines.slice(0, MAX_DIFF_LINES), ...(more > 0 ? [`… ${more} more lines`] : [])].join("\n");
  const fence = fenceFor(shown);
  return `${fence}diff\n${shown}\n${fence}`;
}

/** The fence is longer than any in the text, which would end there. */
function fenceFor(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest + 1);
}

function questionText({ text, description, options = [] }: AskQuestion, ask: ShownAsk): string {
  const lines = options.map((option, place) => item(`${place + 1}.`, option.label, option.description));
  return [text === ask.title ? undefined : text, description, ...lines]
    .filter((line) => line !== undefined)
    .join("\n");
}

/** A number looks like something to type. */
function optionsText(options: readonly AskOption[], areNumbered: boolean): string {
  const mark = (place: number) => (areNumbered ? `${place + 1}.` : "-");
  return options.map(({ label, description }, place) => item(mark(place), label, description)).join("\n");
}

function item(mark: string, label: string, description?: string): string {
  return `${mark} ${label}${description ? `: ${description}` : ""}`;
}

/** An address stands last, without a stop that could be taken for a part of it. */
function remedy(ask: ShownAsk, { page, canApprovePlans }: AskTextOptions): string {
  const elsewhere = page === "" ? "elsewhere." : `on the page: ${page}`;
  if (!isAnswerable(ask, canApprovePlans)) return `This is not decided by a message. Answer it ${elsewhere}`;
  const { questions = [], options } = ask;
  const each = questions.length > 1 ? ", one line for each question" : "";
  const hasOptions = options.length > 0 || questions.some((question) => question.options?.length);
  const how = hasOptions
    ? "Answer with the number or the words of an option in your next message"
    : "Answer with your next message";
  return `${how}${each}, or ${elsewhere}`;
}
