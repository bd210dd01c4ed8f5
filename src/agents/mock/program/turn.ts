/** One turn of the mock: what a scenario can do in it. */
import type { PromptParams, WireChange, WireEventOf, WireOption } from "../wire.ts";
import type { Answer } from "./asks.ts";
import type { Call, CallDescription } from "./call.ts";
import { price } from "./price.ts";
import type { Ending } from "./scenario.ts";
import type { MockSession } from "./session.ts";
import { Speaker } from "./speaker.ts";

export interface Verdict {
  readonly isAllowed: boolean;
  readonly note?: string;
  /** The input as the person changed it. */
  readonly input?: unknown;
}

/** Thrown at a pause when a person has steered the turn: the rest of the scenario is not played. */
export class Steered extends Error {}

export class Turn extends Speaker {
  readonly id: string;
  /** What is being answered: the prompt that began the turn, or the last one that steered it. */
  prompt: PromptParams;
  /** How the turn ends when its scenario is played to the end. */
  ending: Ending = { reason: "done" };
  /** Played after the turn has ended and before the next one begins. */
  afterwards: (() => Promise<void>) | undefined;
  readonly #abort: AbortController;
  readonly #calls: Call[] = [];
  readonly #steering: PromptParams[] = [];
  #isEnding = false;
  #step = 0;
  #isStepOpen = false;

  constructor(session: MockSession, prompt: PromptParams) {
    const abort = new AbortController();
    super(session, abort.signal);
    this.#abort = abort;
    this.id = session.nextId("turn");
    this.prompt = prompt;
  }

  interrupt(): void {
    this.#abort.abort();
  }

  /** False when the turn takes up nothing more. */
  steer(prompt: PromptParams): boolean {
    if (this.#isEnding) return false;
    this.#steering.push(prompt);
    return true;
  }

  /** Closes the turn to further steering and gives what was not taken up. */
  stopSteering(): PromptParams[] {
    this.#isEnding = true;
    return this.#steering.splice(0);
  }

  /** The next prompt that steers, which from then on is the one being answered. */
  takeSteering(): PromptParams | undefined {
    const next = this.#steering.shift();
    if (next) this.prompt = next;
    return next;
  }

  override async pause(milliseconds: number): Promise<void> {
    await super.pause(milliseconds);
    // Not in the middle of a call or of an ask, where nobody could follow.
    const isBusy = this.session.asks.size > 0 || this.#calls.some((call) => !call.isSettled);
    if (this.#steering.length > 0 && !isBusy) throw new Steered();
  }

  override async startCall(tool: string, description: CallDescription): Promise<Call> {
    const call = await super.startCall(tool, description);
    this.#calls.push(call);
    return call;
  }

  /** Ends the step before, if it is open, and begins the next. */
  async startStep(): Promise<void> {
    await this.finishStep();
    this.#step += 1;
    this.#isStepOpen = true;
    await this.session.output.send({ event: "step_started", step: this.#step });
  }

  /** Says what the step cost. Also an interrupted turn has to be paid. */
  async finishStep(): Promise<void> {
    if (!this.#isStepOpen) return;
    this.#isStepOpen = false;
    const { model } = this.session.configuration;
    await this.session.output.send(price(model, this.prompt.text, this.said, this.thought));
    await this.session.output.send({ event: "step_finished", step: this.#step });
    this.said = 0;
    this.thought = 0;
  }

  async ask(request: Omit<WireEventOf<"ask">, "event" | "ask">): Promise<Answer> {
    this.signal.throwIfAborted();
    const ask: WireEventOf<"ask"> = { event: "ask", ask: this.session.nextId("ask"), ...request };
    const answered = this.session.asks.open(ask);
    await this.emit(ask);
    return this.untilInterrupted(answered);
  }

  /** Asks whether a call may go on, unless that is settled. A call that may not is denied here. */
  async permit(call: Call, request: { details?: string; changes?: WireChange[] } = {}): Promise<Verdict> {
    if (this.session.isAllowed(call)) return { isAllowed: true };
    const { title } = call.description;
    const options: WireOption[] = [
      { id: "allow", label: "Allow", meaning: "allow" },
      { id: "allow-always", label: "Allow for this session", meaning: "allow-always", tools: [call.tool] },
      { id: "deny", label: "Deny", meaning: "deny" },
    ];
    const { meaning, note, input } = await this.ask({
      kind: "permission",
      call: call.id,
      title,
      options,
      editable: true,
      ...request,
    });
    if (meaning === "deny") {
      await call.deny(note);
      return { isAllowed: false, note };
    }
    if (meaning === "allow-always") this.session.conversation.allow(call.tool);
    return { isAllowed: true, note, input };
  }

  untilInterrupted<Value>(promise: Promise<Value>): Promise<Value> {
    const { promise: interrupted, reject } = Promise.withResolvers<never>();
    const stop = () => reject(this.signal.reason);
    if (this.signal.aborted) stop();
    this.signal.addEventListener("abort", stop, { once: true });
    return Promise.race([promise, interrupted]).finally(() => this.signal.removeEventListener("abort", stop));
  }
}
