/** What a person is asked, as text: this wire has no event for it. It names the options and where to answer. */
import type { AskOption, AskQuestion } from "../../../core/ask.ts";

export interface ShownAsk {
  kind: "permission" | "question" | "plan";
  title: string;
  description?: string;
  options: readonly AskOption[];
  questions?: readonly AskQuestion[];
}

export interface AskTextOptions {
  /** The address of the session on the page. */
  page: string;
  /** A prompt waits until it is answered. */
  isPromptWaiting?: boolean;
}

export function askText(ask: ShownAsk, { page, isPromptWaiting = false }: AskTextOptions): string {
  const blocks = [
    isPromptWaiting ? `Your message waits until this is answered: ${ask.title}` : ask.title,
    ask.description,
    ...(ask.questions ?? []).map((question) => questionText(question, ask)),
    ask.questions?.length ? undefined : optionsText(ask.options),
    remedy(ask, page),
  ];
  return blocks.filter((block) => block !== undefined && block !== "").join("\n\n");
}

/** Whether the next message can answer it. Permissions are given elsewhere. */
export function isAnswerable({ kind }: Pick<ShownAsk, "kind">): boolean {
  return kind !== "permission";
}

function questionText({ text, description, options = [] }: AskQuestion, ask: ShownAsk): string {
  const lines = options.map((option, place) => numbered(place, option.label, option.description));
  return [text === ask.title ? undefined : text, description, ...lines]
    .filter((line) => line !== undefined)
    .join("\n");
}

function optionsText(options: readonly AskOption[]): string {
  return options.map(({ label, description }, place) => numbered(place, label, description)).join("\n");
}

function numbered(place: number, label: string, description?: string): string {
  return `${place + 1}. ${label}${description ? `: ${description}` : ""}`;
}

/** An address stands last, without a stop that could be taken for a part of it. */
function remedy(ask: ShownAsk, page: string): string {
  const elsewhere = page === "" ? "elsewhere." : `on the page: ${page}`;
  if (!isAnswerable(ask)) return `Answer it ${elsewhere}`;
  const { questions = [], options } = ask;
  const each = questions.length > 1 ? ", one line for each question" : "";
  const hasOptions = options.length > 0 || questions.some((question) => question.options?.length);
  const how = hasOptions
    ? "Answer with the number or the words of an option in your next message"
    : "Answer with your next message";
  return `${how}${each}, or ${elsewhere}`;
}
