/** What an ask says to somebody who cannot answer it here, and the commands that do. */
import { answerRight, RIGHTS } from "../../core/rights.ts";
import type { Me } from "../../sdk/types.ts";
import { unbroken } from "../word-wrap.ts";
import type { Ask } from "./answer-asks.ts";
import { optionText } from "./option-text.ts";
import { harmless } from "./style.ts";

type AskShown = Pick<
  Ask,
  "ask" | "kind" | "title" | "description" | "changes" | "options" | "questions" | "editable"
>;

/** The rest is in the page, and in `asks --json`. */
const MAX_SUBJECT_LINES = 40;

/** Who would answer, and where. */
export interface Answering {
  /** Whose token it is. */
  readonly me: Pick<Me, "role" | "rights">;
  /** The flags that lead there, as `daemonFlags` gives them. */
  readonly there: string;
}

/** One line for each way to answer. For `printNote`, which leaves the commands whole. */
export function howToAnswer(session: string, shown: AskShown, { me, there }: Answering): string {
  const { ask, kind, title, options, questions = [] } = shown;
  const right = answerRight(kind);
  const reply = `interlingua asks reply${there} ${session} ${ask}`;
  const ways = !me.rights.includes(right)
    ? [`  Answering it needs the role ${RIGHTS[right].role}, and this token has the role ${me.role}.`]
    : questions.length > 0
      ? [
          ...questions.flatMap(offered),
          `  ${unbroken(`${reply} ${questions.map(({ id }) => `--answer ${id}=TEXT`).join(" ")}`)}`,
        ]
      : [
          ...options.map(
            (option) => `  ${optionText(option)}: ${unbroken(`${reply} ${wordFor(option, options)}`)}`,
          ),
          ...(shown.editable ? [`  Change it first: ${unbroken(`${reply} once --input JSON`)}`] : []),
        ];
  return harmless([`It asks: ${title}`, ...subjectOf(shown), ...ways].join("\n"));
}

/** What it is about: nobody should allow what they cannot see. */
function subjectOf({ title, description = "", changes = [], questions = [] }: AskShown): string[] {
  const isRepeated = [title, ...questions.map(({ text }) => text)].includes(description);
  const texts = [
    ...(isRepeated ? [] : [description]),
    ...changes.flatMap(({ path, diff = "" }) => [path, diff]),
  ];
  const lines = texts.flatMap((text) => (text === "" ? [] : text.trimEnd().split("\n")));
  const hidden = lines.length - MAX_SUBJECT_LINES;
  return [...lines.slice(0, MAX_SUBJECT_LINES), ...(hidden > 0 ? [`… ${hidden} more lines`] : [])];
}

type Question = NonNullable<Ask["questions"]>[number];

/** `q1: Which colour? (Blue, Green, or your own words)` */
function offered({ id, text, options = [], free }: Question): string[] {
  const choices = options.map(({ label, value }) => value ?? label);
  if (free && choices.length > 0) choices.push("or your own words");
  return [`  ${id}: ${text}${choices.length > 0 ? ` (${choices.join(", ")})` : ""}`];
}

/** What `asks reply` takes for the option: a word where it means this one, else its id. */
function wordFor({ id, effect }: Ask["options"][number], options: Ask["options"]): string {
  const isWord = effect === "once" || effect === "always" || effect === "reject";
  const isFirst = options.find((option) => option.effect === effect)?.id === id;
  return isWord && isFirst ? effect : `--option ${id}`;
}
