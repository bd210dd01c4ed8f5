/** `interlingua asks` and `interlingua asks reply`: what waits for a person, and the person's answer. */
import type { AskQuestion } from "../../core/ask.ts";
import { isRecord } from "../../core/is-record.ts";
import { parseJson } from "../../core/parse-json.ts";
import type { AskView } from "../../protocol/commands/command-types.ts";
import { InterlinguaError } from "../../sdk/error.ts";
import type { Session } from "../../sdk/session.ts";
import type { AskReply } from "../../sdk/types.ts";
import {
  CLIENT_OPTIONS,
  type CommandBody,
  type Flags,
  type Invocation,
  JSON_OPTION,
  READER_OPTIONS,
} from "../command.ts";
import { connectDaemon } from "../connect-daemon.ts";
import { daemonFlags } from "../daemon-flags.ts";
import { CALLED_WRONGLY } from "../exit-codes.ts";
import { formatAge } from "../format-age.ts";
import { formatTable, printable } from "../format-table.ts";
import { openReader } from "../open-reader.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";
import { connectSession } from "../resolve-session.ts";
import { howToAnswer } from "../run/how-to-answer.ts";
import { UsageError } from "../usage-error.ts";

export const asks: CommandBody = {
  positionals: [],
  details: "Where no daemon runs, what the last one wrote is read; answering needs a daemon.",
  options: { ...JSON_OPTION, ...READER_OPTIONS },
  async run(invocation) {
    const reader = await openReader(invocation);
    const open = await reader.openAsks().finally(() => reader.close());
    if (invocation.flags.on("json")) printJson(open);
    else if (open.length > 0) show(open);
    else printNote("Nothing waits for an answer.");
    return 0;
  },
};

function show(open: readonly AskView[]): void {
  print(toTable(open));
  if (terminalWidth() !== undefined)
    printNote("`interlingua asks reply SESSION ASK` says what can be answered to one of them.");
}

export const asksReply: CommandBody = {
  positionals: ["SESSION", "ASK", "[once|always|reject|OPTION]"],
  details: "Without an answer it says what can be answered, and exits with 2.",
  options: {
    option: { type: "string", placeholder: "ID", help: "Choose this of the options it offers" },
    answer: {
      type: "string",
      multiple: true,
      placeholder: "QUESTION=TEXT",
      help: "Answer a question; again for more questions or several choices",
    },
    input: {
      type: "string",
      placeholder: "JSON",
      help: "Allow this instead: the whole input of the tool, where the ask is editable",
    },
    message: { type: "string", placeholder: "TEXT", help: "Tell the agent this too" },
    ...JSON_OPTION,
    ...CLIENT_OPTIONS,
  },
  async run(invocation) {
    const [, ask = "", word] = invocation.positionals;
    const body = readReply(word, invocation.flags);
    const session = await connectSession(invocation);
    if (body === undefined) return explainAnswers(invocation, session, ask);
    const answered = await session.reply(ask, body).catch((error: unknown) => {
      if (!InterlinguaError.is(error, "option_not_offered")) throw error;
      return explainRefusal(session, ask, error, daemonFlags(invocation.flags));
    });
    if (invocation.flags.on("json")) printJson(answered);
    else printNote("Answered.");
    return 0;
  },
};

/** What can be answered to this very ask. */
async function explainAnswers(invocation: Invocation, session: Session, ask: string): Promise<number> {
  const open = await openAsk(session, ask);
  if (!open)
    throw new UsageError(`Session ${session.id} has no open ask "${ask}". interlingua asks lists them.`);
  const me = await (await connectDaemon(invocation)).me();
  printNote(howToAnswer(session.id, open, { me, there: daemonFlags(invocation.flags) }));
  return CALLED_WRONGLY;
}

async function openAsk(session: Session, ask: string) {
  return (await session.asks()).find((one) => one.ask === ask);
}

/** Says how this very ask is answered. */
async function explainRefusal(session: Session, ask: string, error: Error, there: string): Promise<never> {
  const open = await openAsk(session, ask);
  if (!open) throw error;
  const { options, questions = [] } = open;
  const answers = questions.map(({ id }) => `--answer ${id}=TEXT`).join(" ");
  const offered = questions.flatMap(({ id, options: some = [] }) =>
    some.length > 0 ? `${id} offers ${some.map(({ label, value }) => value ?? label).join(", ")}` : [],
  );
  const ways = [...(answers === "" ? [] : [answers]), ...options.map(({ id }) => `--option ${id}`), "reject"];
  const [said] = error.message.split(". ", 1);
  const how = `Answer with interlingua asks reply${there} ${session.id} ${ask} ${ways.join(", or ")}`;
  throw new Error(printable([`${said}. ${how}`, ...offered].join("; ")));
}

/** How many characters of a question's options are shown. */
const MAX_OFFERED = 40;

const WORDS = ["once", "always", "reject"] as const;

/** Undefined where nothing is answered. A word that is none of ours is an option, as `asks` lists them. */
function readReply(word: string | undefined, flags: Flags): AskReply | undefined {
  const reply = WORDS.find((known) => known === word);
  const named = reply === undefined ? word : undefined;
  if (named !== undefined && flags.text("option") !== undefined)
    throw new UsageError(`"${named}" and --option name two options. Give one of them.`);
  const given = (flags.values.answer as string[] | undefined) ?? [];
  const answer = {
    reply,
    option: flags.text("option") ?? named,
    answers: given.length > 0 ? readAnswers(given) : undefined,
  };
  const ways = Object.values(answer).filter((way) => way !== undefined);
  const input = readInput(flags.text("input"));
  if (ways.length === 0 && flags.text("message") === undefined && input === undefined) return undefined;
  if (ways.length !== 1) {
    throw new UsageError(
      `asks reply needs one of ${WORDS.join(", ")}, --option ID and --answer QUESTION=TEXT.`,
    );
  }
  return { ...answer, input, message: flags.text("message") };
}

function readInput(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const input = parseJson(text);
    if (isRecord(input)) return input;
  } catch {
    // Said below.
  }
  const example = `--input '{"command":"npm test"}'`;
  throw new UsageError(`--input has to be a JSON object, such as ${example}: all that the tool is given.`);
}

function readAnswers(given: readonly string[]): Record<string, string[]> {
  const pairs = given.map((text) => {
    const [, question, answer] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (question !== undefined && answer !== undefined) return { question, answer };
    throw new UsageError(`--answer: "${text}" is not QUESTION=TEXT, such as q1=Yes.`);
  });
  const byQuestion = Object.groupBy(pairs, ({ question }) => question);
  return Object.fromEntries(
    Object.entries(byQuestion).map(([question, group = []]) => [question, group.map(({ answer }) => answer)]),
  );
}

function toTable(open: readonly AskView[]): string {
  const now = Date.now();
  return formatTable(
    ["SESSION", "ASK", "KIND", "AGE", "OPTIONS", "TITLE"],
    open.map(({ session, ask, kind, at, options, questions, title }) => [
      session,
      ask,
      kind,
      formatAge(at, now),
      [...options.map(({ id }) => id), ...(questions ?? []).map(answersTo)].join(",") || "-",
      title,
    ]),
    terminalWidth(),
    "wrap",
  );
}

/** As `--answer` takes it: `q1=Green|Blue`. Long ones would push the title off the terminal; `--json` has them. */
function answersTo({ id, options = [] }: AskQuestion): string {
  const offered = options.map(({ label, value }) => value ?? label).join("|");
  return `${id}=${offered.length > MAX_OFFERED ? "…" : offered}`;
}
