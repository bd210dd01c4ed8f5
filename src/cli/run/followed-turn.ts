/** One prompt from the command line, until its turn has ended or we leave it. */
import type { EventOf, Me, Prompt, PromptInput, Session, SessionEvent } from "../../sdk/index.ts";
import type { Flags } from "../command.ts";
import { daemonFlags } from "../daemon-flags.ts";
import { exitCodeOf, INTERRUPTED, NOT_ANSWERED, TERMINATED, TIMED_OUT } from "../exit-codes.ts";
import type { ExplainFailure } from "../explain-daemon-lacks.ts";
import { print, printNote } from "../output.ts";
import { type Ask, askAtOwnLine } from "./answer-asks.ts";
import { answererOf, isAtTerminal } from "./answerer-of.ts";
import { connectionNotes } from "./connection-notes.ts";
import { howToAnswer } from "./how-to-answer.ts";
import { InterruptPresses } from "./interrupt-presses.ts";
import { OpenAsks } from "./open-asks.ts";
import { TurnPrinter } from "./print-turn.ts";
import { StartingNote } from "./starting-note.ts";
import { harmless, stylist } from "./style.ts";
import { TerminalOutput } from "./terminal-output.ts";

const note = stylist(process.stderr);

/** Why no agent took the prompt up. */
const FAILED_STARTS: ReadonlySet<string | undefined> = new Set([
  "agent_failed",
  "agent_not_found",
  "agent_not_installed",
  "agent_not_signed_in",
  "agent_timeout",
  "agent_version",
  "install_failed",
  "resume_failed",
]);

export interface FollowedTurnOptions {
  readonly explainFailure: ExplainFailure;
  /** Whose token it is. */
  me(): Promise<Me>;
  /** After this long the turn is stopped. Never when absent. */
  readonly timeoutMs?: number;
  /** Called right before the prompt is sent. */
  onSend?(): void;
}

/** A daemon that cannot be reached stops no turn, and a timeout must end all the same. */
export const STOP_MS = 30_000;

export class FollowedTurn {
  readonly #session: Session;
  readonly #isJson: boolean;
  readonly #output = new TerminalOutput();
  readonly #printer = new TurnPrinter(this.#output);
  readonly #asks: OpenAsks;
  /** Aborted with the exit code, or with what went wrong. */
  readonly #leave = new AbortController();
  #unanswered: Ask | undefined;
  #prompt: Prompt | undefined;
  #turn: string | undefined;
  readonly #presses = new InterruptPresses();
  /** The exit code of a turn that was stopped from here. */
  #stopCode: number | undefined;
  readonly #timeoutMs: number | undefined;
  readonly #onSend: () => void;
  #timer: NodeJS.Timeout | undefined;
  readonly #starting: StartingNote;
  readonly #explainFailure: ExplainFailure;

  readonly #me: () => Promise<Me>;
  /** The flags that lead to the daemon. */
  readonly #there: string;

  constructor(
    session: Session,
    flags: Flags,
    { explainFailure, me, timeoutMs, onSend = () => {} }: FollowedTurnOptions,
  ) {
    this.#session = session;
    this.#explainFailure = explainFailure;
    this.#me = me;
    this.#timeoutMs = timeoutMs;
    this.#onSend = onSend;
    this.#there = daemonFlags(flags);
    this.#isJson = flags.on("json");
    this.#asks = new OpenAsks(session, {
      answerer: answererOf(flags, askAtOwnLine(this.#printer, this.#output)),
      isPerson: isAtTerminal() && !flags.on("deny") && !flags.on("yes"),
      signal: this.#leave.signal,
      note: (text) => this.#printer.note(text),
      onError: (error) => this.#leave.abort(error),
      onUnanswered: (ask) => {
        this.#unanswered = ask;
        this.#leave.abort(NOT_ANSWERED);
      },
    });
    this.#starting = new StartingNote(process.stderr.isTTY && !this.#isJson, () =>
      // Whether the daemon is there is told by the turn itself.
      this.#sayThatItStarts().catch(() => {}),
    );
  }

  /** Resolves with the exit code. */
  async follow(input: PromptInput): Promise<number> {
    const [open] = await this.#session.asks();
    // Who may not prompt at all is told that, by the daemon.
    if (open && (await this.#me()).rights.includes("session.prompt")) {
      printNote(`${this.#session.id} waits for an answer. ${await this.#howToAnswer(open)}`);
      return NOT_ANSWERED;
    }
    const interrupt = () => this.#interrupt(INTERRUPTED);
    const terminate = () => this.#interrupt(TERMINATED);
    process.on("SIGINT", interrupt).on("SIGTERM", terminate);
    this.#onSend();
    if (this.#timeoutMs !== undefined) this.#timer = setTimeout(() => this.#timeOut(), this.#timeoutMs);
    try {
      return await this.#follow(input);
    } catch (error) {
      if (!this.#leave.signal.aborted) throw error;
      return await this.#left(this.#leave.signal.reason);
    } finally {
      this.#starting.end();
      clearTimeout(this.#timer);
      process.off("SIGINT", interrupt).off("SIGTERM", terminate);
    }
  }

  async #follow(input: PromptInput): Promise<number> {
    const prompt = this.#session.prompt(input, {
      signal: this.#leave.signal,
      onState: connectionNotes((text) => this.#printer.note(text)),
    });
    this.#prompt = prompt;
    const receipt = await prompt.accepted;
    if (receipt.state === "started") this.#starting.begin();
    if (receipt.state === "queued" && !this.#isJson)
      this.#printer.note(`${this.#session.id} is busy: this waits until its turn has ended.`);
    for await (const event of prompt) {
      if (event.type === "turn.ended" && event.cost !== undefined && !this.#isJson) await this.#findAgent();
      if (this.#isJson) print(JSON.stringify(event));
      else this.#printer.print(event);
      this.#see(event, prompt.id);
      if (event.type === "turn.ended") return this.#end(event);
    }
    if (this.#stopCode !== undefined) return this.#stopCode;
    printNote("The prompt was withdrawn, or the session closed, before its turn began.");
    return 1;
  }

  /** What the turn says it cost depends on it. The turn is printed without it, too. */
  async #findAgent(): Promise<void> {
    const details = await this.#session.details().catch(() => undefined);
    this.#printer.agent = details?.agent;
  }

  #see(event: SessionEvent, prompt: string): void {
    if (event.type === "prompt.dispatched" && event.message === prompt) this.#begin(event.turn);
    else if (event.type === "prompt.returned" && event.message === prompt) this.#turn = undefined;
    else this.#asks.see(event);
  }

  async #end({ outcome, error }: EventOf<"turn.ended">): Promise<number> {
    // With an agent that did not start there is no conversation to go on with.
    if (process.stderr.isTTY && !this.#isJson && !FAILED_STARTS.has(error?.code))
      this.#printer.note(note("dim", `Go on with: interlingua join${this.#there} ${this.#session.id}`));
    // For somebody who reads it, not for a program that waits.
    const reason =
      outcome === "failed" && !this.#isJson ? await this.#explainFailure(error?.code) : undefined;
    if (reason !== undefined) printNote(reason);
    return outcome === "completed" ? 0 : (this.#stopCode ?? exitCodeOf(outcome));
  }

  async #sayThatItStarts(): Promise<void> {
    const { agent } = await this.#session.details();
    if (this.#turn === undefined) this.#printer.note(note("dim", harmless(`${agent} starts…`)));
  }

  /** A stop that came while the prompt was on its way is meant for its turn. */
  #begin(turn: string): void {
    this.#turn = turn;
    this.#starting.end();
    if (this.#stopCode !== undefined) this.#stop();
  }

  /** The first signal stops the turn, and only this one; a second one leaves it. */
  #interrupt(code: number): void {
    const meaning = this.#presses.press(performance.now());
    if (meaning === "leave") this.#leave.abort(code);
    if (meaning !== "stop" || this.#stopCode !== undefined) return;
    const again = code === INTERRUPTED ? "Ctrl-C again" : "Another signal";
    this.#stopFrom(code, `Stopping. ${again} leaves at once.`);
  }

  #timeOut(): void {
    if (this.#stopCode === undefined) this.#stopFrom(TIMED_OUT, "The time of --timeout is over. Stopping.");
    this.#timer = setTimeout(() => this.#leave.abort(this.#stopCode), STOP_MS);
  }

  #stopFrom(code: number, text: string): void {
    this.#stopCode = code;
    this.#asks.pause();
    this.#printer.note(text);
    this.#stop();
  }

  #stop(): void {
    const stopped = this.#turn === undefined ? this.#prompt?.withdraw() : this.#session.interrupt(this.#turn);
    stopped?.catch((error) => this.#leave.abort(error));
  }

  async #howToAnswer(ask: Parameters<typeof howToAnswer>[1]): Promise<string> {
    return howToAnswer(this.#session.id, ask, { me: await this.#me(), there: this.#there });
  }

  async #left(reason: unknown): Promise<number> {
    if (typeof reason !== "number") throw reason;
    const { id } = this.#session;
    this.#printer.endLine();
    printNote(
      reason === NOT_ANSWERED && this.#unanswered
        ? `The agent waits for an answer. ${await this.#howToAnswer(this.#unanswered)}`
        : `The turn goes on without you.\nCome back with: interlingua join${this.#there} ${id}`,
    );
    return reason;
  }
}
