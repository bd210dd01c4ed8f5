/** A session at the terminal: what happens in it, whoever did it, and a line to type at. */

import { setTimeout as sleep } from "node:timers/promises";
import { updateAsk } from "../../core/ask-update.ts";
import { errorText } from "../../core/error-text.ts";
import { suggestWord } from "../../core/suggest-word.ts";
import type { Client } from "../../sdk/client.ts";
import type { Prompt, Session, SessionDetails, SessionEvent, StreamState } from "../../sdk/index.ts";
import type { Flags } from "../command.ts";
import { daemonFlags } from "../daemon-flags.ts";
import { INTERRUPTED, TERMINATED } from "../exit-codes.ts";
import type { ExplainFailure } from "../explain-daemon-lacks.ts";
import { type Ask, askPerson } from "../run/answer-asks.ts";
import { answererOf } from "../run/answerer-of.ts";
import { connectionNotes } from "../run/connection-notes.ts";
import { OpenAsks } from "../run/open-asks.ts";
import { TurnPrinter } from "../run/print-turn.ts";
import { StartingNote } from "../run/starting-note.ts";
import { harmless, stylist } from "../run/style.ts";
import { TerminalLine } from "../run/terminal-line.ts";
import { TerminalOutput } from "../run/terminal-output.ts";
import { commandNames, completeLine } from "./complete-line.ts";
import { CurrentTurn } from "./current-turn.ts";
import { promptWithMentions } from "./mentioned-files.ts";
import type { PromptHistory } from "./prompt-history.ts";
import { PROMPT, SessionPrompts } from "./session-prompts.ts";
import { type ChatControl, findSlashCommand } from "./slash-commands.ts";

const note = stylist(process.stderr);
const ERASE_LINE = "\r\u001b[K";
/** How long a prompt that is on its way keeps us from leaving. */
const SENDING_MS = 3_000;

export interface ChatOptions {
  readonly client: Client;
  readonly session: Session;
  readonly details: SessionDetails;
  readonly flags: Flags;
  readonly history: PromptHistory | undefined;
  readonly explainFailure: ExplainFailure;
}

export class Chat implements ChatControl {
  readonly client: Client;
  readonly session: Session;
  readonly #isJson: boolean;
  readonly #output = new TerminalOutput();
  readonly #printer = new TurnPrinter(this.#output);
  readonly #line: TerminalLine;
  readonly #asks: OpenAsks;
  readonly #connectionNotes = connectionNotes((text) => this.note(text));
  /** Aborted with the exit code, or with what went wrong. */
  readonly #leave = new AbortController();
  /** Aborted when prompts that are on their way are given up. */
  readonly #giveUp = new AbortController();
  #details: SessionDetails;
  /** Where the log ended when we came. */
  readonly #head: number;
  /** Whether everything that happened before is printed. */
  #isLive = false;
  /** The prompt with which what is shown begins; undefined once it came. */
  #firstShown: string | undefined;
  /** Of what happened before: asks that may still be open. */
  readonly #earlierAsks = new Map<string, Ask>();
  #isLeaving = false;
  readonly #prompts = new SessionPrompts();
  readonly #turn: CurrentTurn;
  readonly #starting: StartingNote;
  readonly #explainFailure: ChatOptions["explainFailure"];
  /** What was said of a failure is not said of the next. */
  #isExplained = false;

  /** The flags that lead to the daemon. */
  readonly #there: string;

  constructor({ client, session, details, flags, history, explainFailure }: ChatOptions) {
    this.client = client;
    this.session = session;
    this.#details = details;
    this.#printer.agent = details.agent;
    this.#head = details.head;
    this.#isJson = flags.on("json");
    this.#there = daemonFlags(flags);
    this.#explainFailure = explainFailure;
    this.#turn = new CurrentTurn(session, this.#prompts, (error) => this.#complain(error));
    this.#line = new TerminalLine({
      prompt: PROMPT,
      history: history?.read() ?? [],
      completer: (line) => completeLine(line, this.#details),
      onText: (text) => this.#take(text),
      onHistory: (prompt) => history?.add(prompt),
      onInterrupt: () => this.#pressedInterrupt(),
      onEnd: () => this.leave(),
    });
    this.#output.showLine(this.#line);
    this.#asks = new OpenAsks(session, {
      answerer: answererOf(
        flags,
        askPerson(this.#printer, this.#line, {
          command: (text) => this.#runAtAsk(text),
          otherwise: AT_ASK,
        }),
      ),
      isPerson: !flags.on("yes") && !flags.on("deny"),
      signal: this.#leave.signal,
      note: (text) => this.note(text),
      onUnanswered: () => {},
      onError: (error) => this.#leave.abort(error),
    });
    this.#starting = new StartingNote(!this.#isJson, () =>
      this.note(note("dim", harmless(`${this.#details.agent} starts…`))),
    );
  }

  /** Resolves with the exit code. */
  async run(): Promise<number> {
    const interrupt = () => this.#pressedInterrupt();
    const terminate = () => this.#leave.abort(TERMINATED);
    process.on("SIGINT", interrupt).on("SIGTERM", terminate);
    try {
      return await this.#run();
    } finally {
      process.off("SIGINT", interrupt).off("SIGTERM", terminate);
      this.#output.closeLine();
    }
  }

  async #run(): Promise<number> {
    this.#greet();
    const after = await this.#beginning();
    const { signal } = this.#leave;
    for await (const event of this.session.events({
      after,
      signal,
      onState: (state) => this.#streamIs(state),
    }))
      this.#see(event);
    if (!signal.aborted) {
      this.#line.want(false);
      this.note("The session was closed.");
      return 0;
    }
    if (typeof signal.reason !== "number") throw signal.reason;
    await this.#sendRest();
    this.#sayGoodbye();
    return signal.reason;
  }

  #greet(): void {
    // What was typed before there was a line stands here, and will stand in the line.
    process.stderr.write(ERASE_LINE);
    const { agent, model, mode, cwd, title } = this.#details;
    const facts = [title, agent, model, mode, cwd].filter((fact) => fact !== undefined);
    this.note(note("dim", harmless(facts.join(" · "))));
    this.note(note("dim", `Session ${this.session.id}. /help lists the commands, Ctrl-D leaves.`));
  }

  /** At the first prompt of the last turn: what it asks and that it runs must be known, also after a steered prompt. */
  async #beginning(): Promise<number> {
    const { messages } = await this.session.messages();
    const prompts = messages.filter(({ role }) => role === "user");
    const last = prompts.at(-1);
    const turn = last?.metadata.turn;
    const first = turn === undefined ? last : prompts.find(({ metadata }) => metadata.turn === turn);
    this.#firstShown = first?.id;
    for (const ask of await this.session.asks())
      if (ask.state === "open") this.#earlierAsks.set(ask.ask, { ...ask, type: "ask.opened" });
    return first ? Math.min(first.firstSeq - 1, this.#head) : this.#head;
  }

  /** What was typed just before is said all the same. */
  async #sendRest(): Promise<void> {
    const rest = Promise.allSettled(this.#prompts.sent.map(({ accepted }) => accepted));
    await Promise.race([rest, sleep(SENDING_MS, undefined, { ref: false })]);
    this.#giveUp.abort();
  }

  #sayGoodbye(): void {
    this.#line.want(false);
    if (this.#turn.isBusy) this.note("The turn goes on without you.");
    this.note(`Come back with: interlingua join${this.#there} ${this.session.id}`);
  }

  note = (text: string): void => this.#printer.note(text);

  leave(): void {
    this.#leave.abort(0);
  }

  async steer(text: string): Promise<void> {
    if (text === "") return this.note("Say what: /steer TEXT");
    if (!this.#turn.isBusy) this.note(note("dim", "(Nothing runs, so this begins a turn.)"));
    await this.#send(text, "steer");
  }

  interrupt(): void {
    if (!this.#turn.isBusy) return this.note("Nothing runs.");
    if (this.#turn.stopping) return this.#leave.abort(INTERRUPTED);
    this.#asks.pause();
    this.note("Stopping. Ctrl-C again leaves at once.");
    void this.#turn.stop().then(() => this.#asks.resume());
  }

  #pressedInterrupt(): void {
    if (this.#turn.isBusy) return this.interrupt();
    if (this.#line.clear()) return;
    if (this.#isLeaving) return this.leave();
    this.#isLeaving = true;
    this.note("Ctrl-C again leaves, as Ctrl-D and /exit do.");
  }

  #streamIs(stream: StreamState): void {
    this.#connectionNotes(stream);
    if (stream.state !== "live" || this.#isLive) return;
    this.#isLive = true;
    this.#firstShown = undefined;
    // The agent may have started since the details were read.
    this.#refresh();
    for (const ask of this.#earlierAsks.values()) this.#asks.see(ask);
    this.#line.want(!this.#turn.isBusy);
  }

  #see(event: SessionEvent): void {
    if (this.#isJson) this.#writeJson(event);
    else if (this.#firstShown === undefined) this.#printer.print(event, this.#isLive);
    this.#follow(event);
    if (this.#isLive) {
      this.#asks.see(event);
      this.#line.want(!this.#turn.isBusy);
    } else if (event.type === "ask.opened") this.#earlierAsks.set(event.ask, event);
    else if (event.type === "ask.answered" || event.type === "ask.closed")
      this.#earlierAsks.delete(event.ask);
    else if (event.type === "ask.updated") {
      const ask = this.#earlierAsks.get(event.ask);
      if (ask) this.#earlierAsks.set(event.ask, updateAsk(ask, event));
    }
  }

  /** Programs get what happens from now on. */
  #writeJson(event: SessionEvent): void {
    if (event.seq > this.#head) this.#output.write(process.stdout, `${JSON.stringify(event)}\n`);
  }

  #follow(event: SessionEvent): void {
    const line = this.#prompts.see(event, this.#isLive);
    if (event.type === "prompt.dispatched" && event.message === this.#firstShown)
      this.#firstShown = undefined;
    if (line !== undefined && !this.#isJson && this.#firstShown === undefined) this.note(line);
    this.#turn.see(event);
    if (this.#turn.hasBegun || !this.#turn.isBusy) this.#starting.end();
    if (event.type === "session.updated" && event.queueHeld && this.#isLive)
      this.note(note("dim", "(What waits is held. /continue lets it run; what you say now comes first.)"));
    if (event.type === "conversation.rewound")
      this.note(note("dim", "(The conversation was taken back to an earlier point.)"));
    if (event.type === "turn.ended" && event.outcome === "failed" && this.#isLive)
      void this.#explain(event.error?.code);
    const isNewOffer = event.type === "session.attached" || event.type === "session.updated";
    if (isNewOffer && this.#isLive) this.#refresh();
  }

  async #explain(code: string | undefined): Promise<void> {
    if (this.#isJson || this.#isExplained) return;
    const reason = await this.#explainFailure(code);
    if (reason === undefined || this.#isExplained || this.#leave.signal.aborted) return;
    this.#isExplained = true;
    this.note(note("yellow", harmless(reason)));
  }

  #refresh(): void {
    this.session.details().then(
      (details) => {
        // Answers may overtake each other.
        if (details.head >= this.#details.head) this.#details = details;
      },
      // The next change tells.
      () => {},
    );
  }

  #take(typed: string): void {
    const text = typed.trim();
    this.#isLeaving = false;
    if (text === "") return;
    const found = findSlashCommand(text);
    if (found) return void this.#try(() => found.command.run(this, found.argument));
    const name = commandName(text);
    if (name !== undefined) return void this.#try(() => this.#sendCommand(name, text));
    void this.#send(text.startsWith("//") ? text.slice(1) : text, "queue");
  }

  /** A command at an ask, which is shown again afterwards, unless the turn stops. */
  #runAtAsk(typed: string): Promise<void> | undefined {
    const text = typed.trim();
    const found = findSlashCommand(text);
    const name = commandName(text);
    if (name === undefined) return undefined;
    return this.#try(async () => {
      if (found) await found.command.run(this, found.argument);
      else if (await this.#isOfAgent(name))
        this.note(harmless(`/${name} is the agent's: it can be given when this is answered.`));
      else this.#sayThatThereIsNone(name, "an answer that begins with a slash is given with two");
      await this.#turn.stopping;
    });
  }

  async #try(act: () => Promise<void> | void): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#complain(error);
    }
  }

  /** A command of the agent. Until it has told its own, any may be one; then a mistyped one is no prompt. */
  async #sendCommand(name: string, text: string): Promise<void> {
    const isTheirs = await this.#isOfAgent(name);
    if (isTheirs ?? true) void this.#send(text, "queue");
    else this.#sayThatThereIsNone(name, `/${text} says it anyway`);
  }

  /** Undefined until the agent has told its commands. */
  async #isOfAgent(name: string): Promise<boolean | undefined> {
    this.#details = await this.session.details();
    return this.#details.commands?.some((command) => command.name.replace(/^\//, "") === name);
  }

  #sayThatThereIsNone(name: string, wayOut: string): void {
    const meant = suggestWord(`/${name}`, commandNames(this.#details));
    const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
    this.note(harmless(`There is no /${name}.${hint} /help lists what there is; ${wayOut}.`));
  }

  /** Resolves when it is told what becomes of it. */
  async #send(text: string, whenBusy: "queue" | "steer"): Promise<void> {
    let prompt: Prompt;
    try {
      const { input, missing } = promptWithMentions(text, this.#details.cwd);
      for (const name of missing)
        this.note(
          note("dim", harmless(`(There is no file ${name} in ${this.#details.cwd}: only the name is sent.)`)),
        );
      prompt = this.session.prompt(input, { whenBusy, signal: this.#giveUp.signal });
    } catch (error) {
      return this.#complain(error);
    }
    this.#prompts.add(prompt);
    this.#line.want(false);
    if (!this.#turn.hasBegun) this.#starting.begin();
    try {
      const { state } = await prompt.accepted;
      if (state !== "started") this.note(note("dim", RECEIPTS[state]));
    } catch (error) {
      this.#starting.end();
      this.#prompts.remove(prompt);
      this.#complain(error);
      this.#line.want(!this.#turn.isBusy);
    }
  }

  #complain(error: unknown): void {
    if (this.#leave.signal.aborted) return;
    this.note(note("red", harmless(errorText(error))));
  }
}

/** The name after the slash; undefined where it is none, such as in a path. */
function commandName(text: string): string | undefined {
  return /^\/([^\s/]+)(?:\s|$)/.exec(text)?.[1];
}

const AT_ASK =
  "/steer TEXT says it to the running turn, /help lists what else works here, Ctrl-C stops the turn.";

const RECEIPTS = {
  queued: "(Waits until the turn has ended. /steer TEXT says it to the running turn.)",
  steered: "(Goes to the running turn.)",
};
