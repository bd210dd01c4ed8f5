/** Who answers what the agent asks: flags, the person at the terminal, or nobody. */
import type { AskReply, EventOf } from "../../sdk/index.ts";
import { optionText } from "./option-text.ts";
import type { TurnPrinter } from "./print-turn.ts";
import { harmless, stylist } from "./style.ts";
import { TerminalLine } from "./terminal-line.ts";
import type { TerminalOutput } from "./terminal-output.ts";

export type Ask = EventOf<"ask.opened">;

/** The answer, or undefined where nobody can give one. */
export type Answerer = (ask: Ask, signal: AbortSignal) => Promise<AskReply | undefined>;

/** `--yes`: what may be allowed is, once. A question has no yes. */
export const allowAll: Answerer = async ({ kind }) => (kind === "question" ? undefined : { reply: "once" });

/** `--deny`: everything is refused, questions too. */
export const denyAll: Answerer = async () => ({ reply: "reject" });

export const nobody: Answerer = async () => undefined;

const note = stylist(process.stderr);

export interface PersonOptions {
  /** Runs what is typed where it is a command and no answer; undefined where it is none. */
  command?(text: string): Promise<void> | undefined;
  /** What can be done here besides answering. */
  readonly otherwise: string;
}

/** Asks at the terminal. Another client may be faster: then `signal` takes the question back. */
export function askPerson(
  printer: TurnPrinter,
  line: Pick<TerminalLine, "ask">,
  { command, otherwise }: PersonOptions,
): Answerer {
  return async (ask, signal) => {
    const read: AnswerLine["read"] = async (lines, isSecret) => {
      for (const text of lines) printer.note(harmless(text));
      const text = await line.ask("> ", signal, isSecret);
      // A secret may be any text.
      if (isSecret || !command) return text;
      const running = command(text);
      if (!running) return text.startsWith("//") ? text.slice(1) : text;
      await running;
      signal.throwIfAborted();
      show(ask, printer);
      return read(lines, isSecret);
    };
    show(ask, printer);
    const answerLine = { read, otherwise };
    return ask.questions?.length
      ? answerQuestions(ask, ask.questions, answerLine)
      : chooseOption(ask, answerLine);
  };
}

const OTHERWISE = "Ctrl-C stops the turn, Ctrl-D leaves this open.";

/** Asks at a line that is there only for the answer. Ctrl-D: nobody answers. */
export function askAtOwnLine(printer: TurnPrinter, output: TerminalOutput): Answerer {
  return (ask, signal) => {
    const ended = Promise.withResolvers<undefined>();
    const line = new TerminalLine({
      onEnd: () => ended.resolve(undefined),
      // The terminal gives Ctrl-C to whoever reads from it.
      onInterrupt: () => process.emit("SIGINT"),
    });
    printer.endLine();
    output.showLine(line);
    const answer = askPerson(printer, line, { otherwise: OTHERWISE })(ask, signal);
    return Promise.race([answer, ended.promise]).finally(() => {
      answer.catch(() => {});
      output.closeLine();
    });
  };
}

/** One after the other: what is typed is the answer to what was shown last. */
export function oneAtATime(answerer: Answerer): Answerer {
  let last: Promise<unknown> = Promise.resolve();
  return (ask, signal) => {
    const answer = last.then(() => {
      signal.throwIfAborted();
      return answerer(ask, signal);
    });
    last = answer.catch(() => {});
    return answer;
  };
}

function show({ title, description, changes = [] }: Ask, printer: TurnPrinter): void {
  printer.note(note(["bold", "yellow"], harmless(`? ${title}`)));
  if (description !== undefined) printer.note(harmless(description));
  for (const change of changes) printer.printAskedChange(change);
}

interface AnswerLine extends Pick<PersonOptions, "otherwise"> {
  /** Prints the lines and gives what is typed then. */
  read(lines: readonly string[], isSecret?: boolean): Promise<string>;
}

/** A number, or `y` or `n`; words after it go to the agent: `no, use pnpm`. */
async function chooseOption({ options }: Ask, { read, otherwise }: AnswerLine): Promise<AskReply> {
  let lines = options.map((option, index) => numbered(index, optionText(option)));
  while (true) {
    const text = (await read(lines)).trim();
    const [, choice = "", message] = CHOICE.exec(text) ?? [];
    const meaning = SHORT[choice.toLowerCase()];
    const option = meaning ? options.find(({ effect }) => effect === meaning) : options[Number(choice) - 1];
    // A list that was pasted begins with a number too, and allows nothing.
    const isClear = meaning === "reject" || !text.includes("\n");
    if (option && isClear) return { option: option.id, message: message || undefined };
    lines = [
      `Give a number from 1 to ${options.length}, y or n; words to the agent can follow.`,
      ...(isClear ? [] : ["Several lines are an answer only where they begin with n or no."]),
      otherwise,
    ];
  }
}

/** What is chosen, and the words after it. */
const CHOICE = /^(\w+)(?:[,:;!]\s*|[.)]?(?:\s+|$))(.*)$/s;

const SHORT: Readonly<Record<string, string>> = { y: "once", yes: "once", n: "reject", no: "reject" };

type Question = NonNullable<Ask["questions"]>[number];

async function answerQuestions(
  { title, description }: Ask,
  questions: readonly Question[],
  answerLine: AnswerLine,
): Promise<AskReply> {
  const answers: Record<string, string[]> = {};
  for (const question of questions) {
    // Many asks are named after their only question.
    const words = [question.text, question.description].filter(
      (text) => text !== title && text !== description,
    );
    answers[question.id] = await answerQuestion(
      question,
      words.filter((text) => text !== undefined),
      answerLine,
    );
  }
  return { answers };
}

async function answerQuestion(
  question: Question,
  words: readonly string[],
  { read, otherwise }: AnswerLine,
): Promise<string[]> {
  const { options = [], multiple, free, secret, required } = question;
  let lines = [
    ...words,
    ...options.map(({ label, description }, index) =>
      numbered(index, description === undefined ? label : `${label} (${description})`),
    ),
    ...(multiple ? ["Several are separated by commas."] : []),
    ...(free && options.length > 0 ? ["Or in your own words."] : []),
  ];
  while (true) {
    const answer = (await read(lines, secret)).trim();
    if (answer === "" && question.default) return question.default;
    if (answer === "" && !required && options.length === 0) return [];
    const given = multiple ? answer.split(",").map((one) => one.trim()) : [answer];
    const values = given.map((one) => acceptedValue(question, one));
    if (values.every((value) => value !== undefined)) return values;
    const orWords = free ? ", or your own words" : "";
    lines = [
      options.length > 0 ? `Give a number from 1 to ${options.length}${orWords}.` : "This needs an answer.",
      // What is typed as a secret is no command.
      ...(secret ? [] : [otherwise]),
    ];
  }
}

/** Undefined for what the question does not take. */
function acceptedValue({ options = [], free }: Question, answer: string): string | undefined {
  const option = options[Number(answer) - 1] ?? options.find(({ label }) => label === answer);
  if (option) return option.value ?? option.label;
  // A number that no option has is a slip, not an answer in one's own words.
  if (options.length > 0 && /^\d+$/.test(answer)) return undefined;
  const isFree = free ?? options.length === 0;
  return isFree && answer !== "" ? answer : undefined;
}

function numbered(index: number, text: string): string {
  return `  ${index + 1}) ${text}`;
}
