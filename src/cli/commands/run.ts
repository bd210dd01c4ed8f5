/** `interlingua run PROMPT`: one turn of an agent, streamed to the terminal. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { Interlingua, type PromptInput, type Session, type SessionEvent } from "../../sdk/index.ts";
import { CLIENT_OPTIONS, type CliCommand, type Invocation } from "../command.ts";
import { findDaemon, NoDaemonError } from "../find-daemon.ts";
import { print, printNote } from "../output.ts";
import { type Answerer, allowAll, askPerson, denyAll, nobody } from "../run/answer-asks.ts";
import { attachedFile } from "../run/attached-file.ts";
import { startInBackground } from "../run/background-daemon.ts";
import { pickSession } from "../run/pick-session.ts";
import { TurnPrinter } from "../run/print-turn.ts";
import { UsageError } from "../usage-error.ts";

const NOT_ANSWERED = 3;
const INTERRUPTED = 130;

export const run: CliCommand = {
  name: "run",
  positionals: ["[PROMPT]"],
  summary: "Give an agent a prompt and print what it does",
  details: [
    "The answer goes to stdout, everything else to stderr. Without PROMPT, or with -, it is read from stdin.",
    "What the agent asks is answered at the terminal, or by --yes and --deny. Ctrl-C stops the turn; a second",
    "one leaves it running. If no daemon runs, one is started in the background; it ends when nothing uses it.",
    "Exit codes: 0 completed, 1 failed, 2 called wrongly, 3 an ask that nobody answered, 130 interrupted.",
  ].join("\n"),
  options: {
    agent: { type: "string", placeholder: "NAME", help: "The agent of a new session" },
    session: { type: "string", placeholder: "ID", help: "Go on with this session, or make it" },
    continue: { type: "boolean", help: "Go on with the last session in this directory" },
    cwd: { type: "string", placeholder: "DIRECTORY", help: "Where the agent works (here)" },
    model: { type: "string", placeholder: "MODEL", help: "The model to use" },
    mode: { type: "string", placeholder: "MODE", help: "build, plan or one of the agent's own" },
    attach: { type: "string", multiple: true, placeholder: "FILE", help: "Give this file along" },
    yes: { type: "boolean", help: "Allow whatever it asks to do; questions stay open" },
    deny: { type: "boolean", help: "Refuse whatever it asks" },
    json: { type: "boolean", help: "Print the events of the turn, one JSON object per line" },
    ...CLIENT_OPTIONS,
  },
  async run(invocation) {
    const { flags } = invocation;
    if (flags.on("yes") && flags.on("deny")) throw new UsageError("--yes and --deny contradict each other.");
    const cwd = directoryOf(invocation);
    const input = await readInput(invocation);
    const client = await connect(invocation, cwd);
    const session = await pickSession(client, { flags, cwd });
    const [open] = await session.asks();
    if (open) {
      printNote(
        `${session.id} waits for an answer: ${open.title}. Give it with ${replyCommand(session.id, open.ask)}`,
      );
      return NOT_ANSWERED;
    }
    return follow(session, input, invocation);
  },
};

async function follow(session: Session, input: PromptInput, { flags }: Invocation): Promise<number> {
  const printer = new TurnPrinter();
  const show = flags.on("json")
    ? (event: SessionEvent) => print(JSON.stringify(event))
    : printer.print.bind(printer);
  const answerer = answererOf(flags.on("yes"), flags.on("deny"), printer);
  const asked = new Map<string, AbortController>();
  let unanswered = "ASK";
  const leave = new AbortController();
  const interrupts = onInterrupt(session, leave, printer);
  try {
    const prompt = session.prompt(input, {
      signal: leave.signal,
      onState: (state) => state.state === "reconnecting" && printer.note(`${state.reason}; trying again.`),
    });
    for await (const event of prompt) {
      show(event);
      if (event.type === "ask.opened") {
        const taken = new AbortController();
        asked.set(event.ask, taken);
        void answer(session, event, answerer, AbortSignal.any([taken.signal, leave.signal])).then(
          (isAnswered) => {
            if (isAnswered) return;
            unanswered = event.ask;
            leave.abort(NOT_ANSWERED);
          },
          (error) => leave.abort(error),
        );
      }
      if (event.type === "ask.answered" || event.type === "ask.closed") asked.get(event.ask)?.abort();
      if (event.type === "turn.ended") return exitCodeOf(event.outcome);
    }
    return 0;
  } catch (error) {
    if (!leave.signal.aborted) throw error;
    const { reason } = leave.signal;
    if (typeof reason !== "number") throw reason;
    printNote(
      reason === NOT_ANSWERED
        ? `The agent waits for an answer. Give it with ${replyCommand(session.id, unanswered)}`
        : `The turn goes on without you. See it with: interlingua tail ${session.id}`,
    );
    return reason;
  } finally {
    interrupts.stop();
  }
}

function replyCommand(session: string, ask: string): string {
  return `interlingua asks reply ${session} ${ask} once`;
}

/** Whether somebody answered, here or elsewhere. */
async function answer(
  session: Session,
  ask: Extract<SessionEvent, { type: "ask.opened" }>,
  answerer: Answerer,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const reply = await answerer(ask, signal);
    if (reply === undefined) return false;
    await session.reply(ask.ask, reply);
    return true;
  } catch (error) {
    // Somebody else was faster, or we leave.
    if (signal.aborted) return true;
    throw error;
  }
}

function answererOf(yes: boolean, deny: boolean, printer: TurnPrinter): Answerer {
  if (deny) return denyAll;
  const person = process.stdin.isTTY && process.stderr.isTTY ? askPerson(printer) : nobody;
  if (!yes) return person;
  return async (ask, signal) => (await allowAll(ask, signal)) ?? person(ask, signal);
}

/** The first Ctrl-C stops the turn, a second one leaves it. */
function onInterrupt(session: Session, leave: AbortController, printer: TurnPrinter): { stop(): void } {
  let count = 0;
  const act = () => {
    count += 1;
    if (count > 1) return leave.abort(INTERRUPTED);
    printer.note("Stopping. Ctrl-C again leaves at once.");
    session.interrupt().catch((error) => leave.abort(error));
  };
  process.on("SIGINT", act);
  return { stop: () => process.off("SIGINT", act) };
}

function exitCodeOf(outcome: Extract<SessionEvent, { type: "turn.ended" }>["outcome"]): number {
  if (outcome === "completed") return 0;
  return outcome === "interrupted" ? INTERRUPTED : 1;
}

async function connect(invocation: Invocation, cwd: string): Promise<Interlingua> {
  const { url, token } = await findDaemon(invocation).catch((error) => {
    if (!(error instanceof NoDaemonError)) throw error;
    printNote(`Starting a daemon on ${error.directory}.`);
    return startInBackground(error.directory, cwd, invocation.environment);
  });
  return Interlingua.connect({ baseUrl: url, token, name: "cli" });
}

function directoryOf({ flags, cwd }: Invocation): string {
  const directory = resolve(cwd, flags.text("cwd") ?? ".");
  try {
    return realpathSync(directory);
  } catch {
    throw new UsageError(`--cwd: there is no directory ${directory}.`);
  }
}

async function readInput({ positionals, flags, cwd }: Invocation): Promise<PromptInput> {
  const [given] = positionals;
  const isPiped = given === undefined || given === "-";
  if (isPiped && process.stdin.isTTY)
    throw new UsageError('run needs a prompt: interlingua run "What does this project do?"');
  const text = (isPiped ? await readAll(process.stdin) : given).trim();
  if (text === "") throw new UsageError("run needs a prompt, and this one is empty.");
  const files = (flags.values.attach as string[] | undefined) ?? [];
  if (files.length === 0) return text;
  return [{ type: "text", text }, ...files.map((path) => attachedFile(cwd, path))];
}
