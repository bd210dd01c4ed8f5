/** One conversation of the mock while its process runs: it answers requests and plays one turn after the other. */
import { withoutPreface } from "../../../core/prompt-preface.ts";
import { RequestError } from "../../transport/request-error.ts";
import type { PromptParams, PromptResult, WireConfiguration, WireRequest } from "../wire.ts";
import { Asks } from "./asks.ts";
import type { Call } from "./call.ts";
import { changeConfiguration } from "./configuration.ts";
import type { Conversation } from "./conversation.ts";
import { findScenario } from "./find-scenario.ts";
import type { Output } from "./output.ts";
import { type Cause, type OwnCause, runTurn } from "./run-turn.ts";
import type { Play } from "./scenario.ts";
import { demo } from "./scenarios/demo.ts";
import { Tasks } from "./tasks.ts";
import { Turn } from "./turn.ts";

export class MockSession {
  readonly output: Output;
  readonly conversation: Conversation;
  readonly asks = new Asks();
  readonly tasks = new Tasks();
  /** How long pauses are: 1 is human, 0 is none. */
  readonly pace: number;
  configuration: WireConfiguration;
  readonly #counters = new Map<string, number>();
  /** The turn that runs and those that wait for it. */
  readonly #turns: Turn[] = [];
  #allPlayed: Promise<void> = Promise.resolve();

  constructor(output: Output, conversation: Conversation, configuration: WireConfiguration, pace: number) {
    this.output = output;
    this.conversation = conversation;
    this.configuration = configuration;
    this.pace = pace;
  }

  /** Counted, not random: two runs of a scenario give the same ids. */
  nextId(kind: string): string {
    const count = (this.#counters.get(kind) ?? 0) + 1;
    this.#counters.set(kind, count);
    return `${kind}-${count}`;
  }

  /** Gives the result of a request; throws `RequestError`. */
  handle(request: WireRequest): unknown {
    switch (request.method) {
      case "prompt":
        return this.#takePrompt(request.params);
      case "interrupt":
        for (const turn of this.#turns) turn.interrupt();
        return { interrupted: this.#turns.length > 0 };
      case "answer":
        if (this.asks.answer(request.params)) return {};
        throw new RequestError("ask_not_open", `The ask ${request.params.ask} is not open.`);
      case "configure":
        return this.configure(request.params);
      case "rewind":
        return this.#rewind(request.params.before);
      case "stop_task":
        if (this.tasks.stop(request.params.task)) return {};
        throw new RequestError("task_not_running", `The task ${request.params.task} does not run.`);
      case "open":
        throw new RequestError("already_open", "This process has a conversation already.");
      default:
        throw new RequestError("unknown_method", "There is no such method.");
    }
  }

  configure(change: Partial<WireConfiguration>): WireConfiguration {
    this.configuration = changeConfiguration(this.configuration, change);
    this.conversation.configure(this.configuration);
    void this.output.send({ event: "configuration", configuration: this.configuration });
    return this.configuration;
  }

  /** Whether a call needs no question. */
  isAllowed({ tool, description }: Call): boolean {
    const { permissions } = this.configuration;
    if (permissions === "allow-all" || this.conversation.isAllowed(tool)) return true;
    return permissions === "allow-edits" && description.kind === "edit";
  }

  /** A turn of the mock's own, after those that were asked for. */
  startOwnTurn(cause: OwnCause, play: Play): void {
    this.#enqueue({ prompt: "", text: "", files: [] }, cause, play);
  }

  /** Only the user's words count: what the daemon says before them is for agents that can read. */
  #takePrompt(given: PromptParams): PromptResult {
    const prompt = { ...given, text: withoutPreface(given.text) };
    this.conversation.addPrompt(prompt.prompt, prompt.text);
    const [running] = this.#turns;
    const isTaken = prompt.steer && running?.steer(prompt);
    if (!isTaken) this.#enqueue(prompt, { prompt: prompt.prompt }, findScenario(prompt.text) ?? demo);
    return { accepted: this.nextId("prompt") };
  }

  #rewind(before: string): object {
    if (this.#turns.length > 0) {
      throw new RequestError("busy", "The conversation cannot be rewound while a turn runs.");
    }
    if (this.conversation.forgetFrom(before)) return {};
    throw new RequestError("unknown_prompt", `The prompt ${before} is not part of this conversation.`);
  }

  #enqueue(prompt: PromptParams, cause: Cause, play: Play): void {
    const turn = new Turn(this, prompt);
    this.#turns.push(turn);
    this.#allPlayed = this.#allPlayed.then(async () => {
      await runTurn(turn, cause, play);
      this.#turns.shift();
      await turn.afterwards?.();
    });
  }
}
