/** `interlingua run PROMPT`: one turn of an agent, streamed to the terminal. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import {
  Interlingua,
  InterlinguaError,
  type Prompt,
  type PromptInput,
  type Session,
  type SessionEvent,
} from "../../sdk/index.ts";
import { CLIENT_OPTIONS, type CliCommand, type Flags, type Invocation } from "../command.ts";
import { findDaemon, NoDaemonError } from "../find-daemon.ts";
import { print, printNote } from "../output.ts";
import { type Answerer, allowAll, askPerson, denyAll, nobody, oneAtATime } from "../run/answer-asks.ts";
import { attachedFile } from "../run/attached-file.ts";
import { startInBackground } from "../run/background-daemon.ts";
import { pickSession } from "../run/pick-session.ts";
import { TurnPrinter } from "../run/print-turn.ts";
import { harmless } from "../run/style.ts";
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
      printNote(`${session.id} waits for an answer. ${howToAnswer(session.id, open)}`);
      return NOT_ANSWERED;
    }
    return new FollowedTurn(session, flags).follow(input);
  },
};

type Ask = Extract<SessionEvent, { type: "ask.opened" }>;

/** One prompt from the command line, until its turn has ended or we leave it. */
class FollowedTurn {
  readonly #session: Session;
  readonly #isJson: boolean;
  readonly #printer = new TurnPrinter();
  readonly #answerer: Answerer;
  /** Open asks; aborted when somebody else has answered. */
  readonly #asks = new Map<string, AbortController>();
  /** Aborted with the exit code, or with what went wrong. */
  readonly #leave = new AbortController();
  #unanswered: Ask | undefined;
  #prompt: Prompt | undefined;
  #turn: string | undefined;
  #interrupts = 0;

  constructor(session: Session, flags: Flags) {
    this.#session = session;
    this.#isJson = flags.on("json");
    this.#answerer = oneAtATime(answererOf(flags.on("yes"), flags.on("deny"), this.#printer));
  }

  async follow(input: PromptInput): Promise<number> {
    const interrupt = () => this.#interrupt();
    process.on("SIGINT", interrupt);
    try {
      return await this.#follow(input);
    } catch (error) {
      if (!this.#leave.signal.aborted) throw error;
      return this.#left(this.#leave.signal.reason);
    } finally {
      process.off("SIGINT", interrupt);
    }
  }

  async #follow(input: PromptInput): Promise<number> {
    const prompt = this.#session.prompt(input, {
      signal: this.#leave.signal,
      onState: (stream) =>
        stream.state === "reconnecting" && this.#printer.note(`${stream.reason}; trying again.`),
    });
    this.#prompt = prompt;
    for await (const event of prompt) {
      if (this.#isJson) print(JSON.stringify(event));
      else this.#printer.print(event);
      this.#note(event, prompt.id);
      if (event.type === "turn.ended") return exitCodeOf(event.outcome);
    }
    if (this.#interrupts > 0) return INTERRUPTED;
    printNote("The prompt was withdrawn, or the session closed, before its turn began.");
    return 1;
  }

  #note(event: SessionEvent, prompt: string): void {
    switch (event.type) {
      case "prompt.dispatched":
        if (event.message === prompt) this.#begin(event.turn);
        return;
      case "prompt.returned":
        if (event.message === prompt) this.#turn = undefined;
        return;
      case "ask.opened":
        this.#ask(event);
        return;
      case "ask.answered":
      case "ask.closed":
        this.#asks.get(event.ask)?.abort();
        return;
    }
  }

  /** A stop that came while the prompt was on its way is meant for its turn. */
  #begin(turn: string): void {
    this.#turn = turn;
    if (this.#interrupts > 0) this.#stop();
  }

  #ask(ask: Ask): void {
    const taken = new AbortController();
    this.#asks.set(ask.ask, taken);
    const signal = AbortSignal.any([taken.signal, this.#leave.signal]);
    this.#answer(ask, signal).catch((error) => signal.aborted || this.#leave.abort(error));
  }

  async #answer(ask: Ask, signal: AbortSignal): Promise<void> {
    const reply = await this.#answerer(ask, signal);
    if (reply === undefined) {
      this.#unanswered = ask;
      return this.#leave.abort(NOT_ANSWERED);
    }
    await this.#session.reply(ask.ask, reply).catch((error) => {
      // Somebody else was faster.
      if (!InterlinguaError.is(error, "ask_answered") && !InterlinguaError.is(error, "ask_closed"))
        throw error;
    });
  }

  /** The first Ctrl-C stops the turn, and only this one; a second one leaves it. */
  #interrupt(): void {
    this.#interrupts += 1;
    if (this.#interrupts > 1) return this.#leave.abort(INTERRUPTED);
    this.#printer.note("Stopping. Ctrl-C again leaves at once.");
    this.#stop();
  }

  #stop(): void {
    const stopped = this.#turn === undefined ? this.#prompt?.withdraw() : this.#session.interrupt(this.#turn);
    stopped?.catch((error) => this.#leave.abort(error));
  }

  #left(reason: unknown): number {
    if (typeof reason !== "number") throw reason;
    const { id } = this.#session;
    printNote(
      reason === NOT_ANSWERED && this.#unanswered
        ? `The agent waits for an answer. ${howToAnswer(id, this.#unanswered)}`
        : `The turn goes on without you. See it with: interlingua tail ${id}`,
    );
    return reason;
  }
}

function howToAnswer(session: string, { ask, kind, title, questions = [] }: AskShown): string {
  const reply = `interlingua asks reply ${session} ${ask}`;
  const answers = questions.map(({ id }) => `--answer ${id}=TEXT`).join(" ");
  const words = kind === "question" && answers !== "" ? answers : "once";
  return `${harmless(title)}: answer with ${reply} ${words}`;
}

type AskShown = Pick<Ask, "ask" | "kind" | "title" | "questions">;

function answererOf(yes: boolean, deny: boolean, printer: TurnPrinter): Answerer {
  if (deny) return denyAll;
  const person = process.stdin.isTTY && process.stderr.isTTY ? askPerson(printer) : nobody;
  if (!yes) return person;
  return async (ask, signal) => (await allowAll(ask, signal)) ?? person(ask, signal);
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
