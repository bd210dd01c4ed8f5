/** Who answers what the agent asks: flags, the person at the terminal, or nobody. */
import { createInterface } from "node:readline/promises";
import type { AskReply, EventOf } from "../../sdk/index.ts";
import type { TurnPrinter } from "./print-turn.ts";
import { harmless, stylist } from "./style.ts";

type Ask = EventOf<"ask.opened">;

/** The answer, or undefined where nobody can give one. */
export type Answerer = (ask: Ask, signal: AbortSignal) => Promise<AskReply | undefined>;

/** `--yes`: what may be allowed is, once. A question has no yes. */
export const allowAll: Answerer = async ({ kind }) => (kind === "question" ? undefined : { reply: "once" });

/** `--deny`: everything is refused, questions too. */
export const denyAll: Answerer = async () => ({ reply: "reject" });

export const nobody: Answerer = async () => undefined;

const note = stylist(process.stderr);

/** Asks at the terminal. Another client may be faster: then `signal` takes the question back. */
export function askPerson(printer: TurnPrinter): Answerer {
  return async (ask, signal) => {
    show(ask, printer);
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    // The terminal gives Ctrl-C to whoever reads from it.
    terminal.on("SIGINT", () => process.emit("SIGINT"));
    const ended = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
    const read = (prompt: string) => terminal.question(harmless(prompt), { signal });
    const answer = ask.questions?.length ? answerQuestions(ask, read) : chooseOption(ask, read);
    try {
      // Ctrl-D: nobody answers.
      return await Promise.race([answer, ended]);
    } finally {
      answer.catch(() => {});
      terminal.close();
    }
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
  for (const { path, diff } of changes) {
    printer.note(note("bold", harmless(path)));
    if (diff !== undefined) printer.printDiff(diff);
  }
}

type Read = (prompt: string) => Promise<string>;

async function chooseOption({ options }: Ask, read: Read): Promise<AskReply> {
  const lines = options.map(({ label }, index) => `  ${index + 1}) ${label}`);
  while (true) {
    const answer = (await read(`${lines.join("\n")}\n> `)).trim();
    const option =
      options[Number(answer) - 1] ?? options.find(({ effect }) => effect === SHORT[answer.toLowerCase()]);
    if (option) return { option: option.id };
    lines.splice(0, lines.length, `Give a number from 1 to ${options.length}, y or n.`);
  }
}

const SHORT: Readonly<Record<string, string>> = { y: "once", yes: "once", n: "reject", no: "reject" };

async function answerQuestions({ questions = [] }: Ask, read: Read): Promise<AskReply> {
  const answers: Record<string, string[]> = {};
  for (const { id, text, options = [], multiple } of questions) {
    const lines = options.map(({ label }, index) => `  ${index + 1}) ${label}`);
    const answer = (await read(`${[text, ...lines].join("\n")}\n> `)).trim();
    const given = multiple ? answer.split(",").map((one) => one.trim()) : [answer];
    answers[id] = given.map((one) => {
      const option = options[Number(one) - 1];
      return option ? (option.value ?? option.label) : one;
    });
  }
  return { answers };
}
