/** One turn: it asks the model, runs what the model wants, and asks again, until the model has nothing more to do. */
import type { COMMANDS } from "../manifest.ts";
import type { PromptParams, TurnEnding, WireError, WireEventOf } from "../wire.ts";
import type { Answer } from "./asks.ts";
import { compactIfNeeded, type Trigger } from "./compaction.ts";
import { type ChosenModel, createModel } from "./create-model.ts";
import { instructionsFor } from "./instructions.ts";
import type { LoopTool } from "./loop-tool.ts";
import { promptMessage } from "./prompt-message.ts";
import { BrokenAnswer, type ModelAnswer, requestModel } from "./request-model.ts";
import { runCalls } from "./run-calls.ts";
import type { ModelSession } from "./session.ts";
import { TurnFailure } from "./turn-failure.ts";
import { untilAborted } from "./until-aborted.ts";
import { withRetries } from "./with-retries.ts";

const DEFAULT_MAX_STEPS = 100;
const DEFAULT_MAX_RETRIES = 4;

export const STOPPED = "[The turn was stopped by the user.]";

interface Ending {
  readonly reason: TurnEnding;
  readonly error?: WireError;
}

export class Turn {
  readonly #session: ModelSession;
  readonly #prompt: PromptParams;
  readonly #id: string;
  readonly #abort = new AbortController();
  readonly #steering: PromptParams[] = [];
  #isEnding = false;
  #model: ChosenModel | undefined;

  constructor(session: ModelSession, prompt: PromptParams) {
    this.#session = session;
    this.#prompt = prompt;
    this.#id = session.nextId("turn");
  }

  interrupt(): void {
    this.#abort.abort(new Error("interrupted"));
  }

  /** False when the turn takes up nothing more. */
  steer(prompt: PromptParams): boolean {
    if (this.#isEnding) return false;
    this.#steering.push(prompt);
    return true;
  }

  async run(): Promise<void> {
    const { asks, means } = this.#session;
    const { output } = means;
    await output.send({ event: "turn_started", turn: this.#id, prompt: this.#prompt.prompt });
    const ending = await this.#play();
    this.#isEnding = true;
    for (const { prompt } of this.#steering.splice(0)) {
      const reason = "the turn ended before it was taken up";
      await output.send({ event: "steering_returned", prompt, reason });
    }
    for (const ask of asks.withdrawAll()) await output.send({ event: "ask_withdrawn", ask });
    await output.send({ event: "turn_finished", turn: this.#id, ...ending });
  }

  async #play(): Promise<Ending> {
    const { conversation } = this.#session.means;
    try {
      if (this.#isCommand("compact")) {
        await this.#compact("manual");
        return { reason: "done" };
      }
      await this.#say(this.#prompt);
      return await this.#loop();
    } catch (error) {
      if (this.#signal.aborted) {
        conversation.add({ role: "user", content: STOPPED });
        return { reason: "cancelled" };
      }
      if (error instanceof TurnFailure)
        return { reason: "failed", error: { code: error.code, message: error.message } };
      const message = error instanceof Error ? error.message : String(error);
      return { reason: "failed", error: { code: "model_error", message } };
    }
  }

  async #loop(): Promise<Ending> {
    const { output, conversation, limits } = this.#session.means;
    const maxSteps = limits.maxSteps ?? DEFAULT_MAX_STEPS;
    for (let step = 1; step <= maxSteps; step += 1) {
      await this.#compact("limit");
      await output.send({ event: "step_started", step });
      const tools = await this.#session.tools(this.#ask, this.#signal);
      const answer = await this.#request(tools);
      await this.#take(answer, tools);
      await output.send({ event: "step_finished", step });
      this.#signal.throwIfAborted();
      if (await this.#takeSteering()) continue;
      if (answer.finishReason === "content-filter") return { reason: "refused" };
      if (answer.finishReason === "length") return { reason: "limit" };
      if (answer.calls.length === 0 && conversation.lastRole !== "tool") return { reason: "done" };
    }
    const text = `The turn was ended after ${maxSteps} requests to the model. Send another prompt to go on, or raise \`maxSteps\`.`;
    await output.send({ event: "remark", level: "warning", code: "max-steps", text });
    return { reason: "limit" };
  }

  /** Adds an answer to the conversation with the results of its calls, whatever happens to them. */
  async #take({ messages, calls, tokens }: ModelAnswer, tools: readonly LoopTool[]): Promise<void> {
    const { conversation } = this.#session.means;
    // The library has answered calls that cannot be understood.
    const answered = messages.flatMap((message) => (message.role === "tool" ? message.content : []));
    for (const message of messages) if (message.role !== "tool") conversation.add(message);
    conversation.count(tokens);
    const session = this.#session;
    const ask = this.#ask;
    const results = await runCalls({ session, signal: this.#signal, tools, ask }, calls);
    if (answered.length + results.length > 0)
      conversation.add({ role: "tool", content: [...answered, ...results] });
  }

  async #request(tools: readonly LoopTool[]): Promise<ModelAnswer> {
    const { configuration, means } = this.#session;
    const { output, limits, conversation } = means;
    const model = await this.#chosenModel();
    const emit = output.send.bind(output);
    let number = 0;
    try {
      return await withRetries(
        {
          model,
          signal: this.#signal,
          maxRetries: limits.maxRetries ?? DEFAULT_MAX_RETRIES,
          emit,
          discard: (error) => this.#discard(error, number),
        },
        () => {
          number = this.#session.nextRequest();
          return requestModel({
            model,
            number,
            tools,
            instructions: instructionsFor({ ...means, configuration, today: this.#session.today }),
            messages: conversation.messages,
            effort: configuration.effort,
            signal: this.#signal,
            emit,
          });
        },
      );
    } catch (error) {
      // What was said before an interruption was heard.
      if (this.#signal.aborted && error instanceof BrokenAnswer && error.heard.text !== "")
        conversation.add({ role: "assistant", content: error.heard.text });
      throw error;
    }
  }

  async #discard(error: unknown, request: number): Promise<void> {
    if (!(error instanceof BrokenAnswer)) return;
    const { parts, calls } = error.heard;
    if (parts.length + calls.length === 0) return;
    const reason = "The answer broke off.";
    await this.#session.means.output.send({
      event: "discarded",
      request,
      parts: [...parts],
      calls: [...calls],
      reason,
    });
  }

  async #compact(trigger: Trigger): Promise<void> {
    const { output, conversation, limits } = this.#session.means;
    await compactIfNeeded(
      {
        conversation,
        model: await this.#chosenModel(),
        compactAt: limits.compactAt,
        keepMessages: limits.keepMessages,
        signal: this.#signal,
        request: () => this.#session.nextRequest(),
        emit: output.send.bind(output),
      },
      trigger,
    );
  }

  /** The model may be changed between two requests. */
  async #chosenModel(): Promise<ChosenModel> {
    const { configuration, means } = this.#session;
    if (this.#model?.name !== configuration.model)
      this.#model = await createModel(configuration.model, means.offer.providers, means.environment);
    return this.#model;
  }

  async #takeSteering(): Promise<boolean> {
    const taken = this.#steering.splice(0);
    for (const prompt of taken) {
      await this.#session.means.output.send({ event: "steering_taken", prompt: prompt.prompt });
      await this.#say(prompt);
    }
    return taken.length > 0;
  }

  async #say({ prompt, text, files }: PromptParams): Promise<void> {
    this.#session.means.conversation.add(await promptMessage(text, files), prompt);
  }

  readonly #ask = async (request: Omit<WireEventOf<"ask">, "event" | "ask">): Promise<Answer> => {
    this.#signal.throwIfAborted();
    const ask: WireEventOf<"ask"> = { event: "ask", ask: this.#session.nextId("ask"), ...request };
    const answered = this.#session.asks.open(ask);
    await this.#session.means.output.send(ask);
    return untilAborted(answered, this.#signal);
  };

  get #signal(): AbortSignal {
    return this.#abort.signal;
  }

  #isCommand(name: (typeof COMMANDS)[number]["name"]): boolean {
    return this.#prompt.text.trim() === `/${name}`;
  }
}
