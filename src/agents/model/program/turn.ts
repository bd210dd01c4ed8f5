/** One turn: it asks the model, runs what the model wants, and asks again, until the model has nothing more to do. */
import { untilAborted } from "../../../core/until-aborted.ts";
import type { PromptParams, TurnEnding, WireEffort, WireError, WireEventOf } from "../wire.ts";
import type { Answer } from "./asks.ts";
import { isCommand } from "./commands.ts";
import type { CompactionOptions } from "./compaction.ts";
import { type ChosenModel, createModel } from "./create-model.ts";
import { instructionsFor } from "./instructions.ts";
import type { LoopTool } from "./loop-tool.ts";
import { promptMessage } from "./prompt-message.ts";
import { BrokenAnswer, type ModelAnswer, requestModel } from "./request-model.ts";
import { runCalls } from "./run-calls.ts";
import { SerialQueue } from "./serial-queue.ts";
import type { ModelSession } from "./session.ts";
import { REFUSALS, TurnFailure } from "./turn-failure.ts";
import { STOPPED } from "./turn-notes.ts";
import { withRetries } from "./with-retries.ts";

const DEFAULT_MAX_STEPS = 100;
const DEFAULT_MAX_RETRIES = 4;
const CUT_OFF =
  "The answer was cut off: it reached the model's limit of output tokens. Send another prompt to go on.";
const LEFT_OUT = "What was new in it is left out of the conversation from now on.";

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
  /** A person is asked one thing at a time. */
  readonly #openAsks = new SerialQueue();
  #isEnding = false;
  #model: ChosenModel | undefined;
  /** As it was when the turn began: a round of calls is thought through from its start or not at all. */
  #effort: WireEffort = "default";

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
    conversation.beginTurn();
    this.#effort = this.#session.configuration.effort;
    try {
      if (isCommand(this.#prompt.text)) {
        await this.#session.compactor.compactNow(await this.#compaction());
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
    const { output, limits } = this.#session.means;
    const maxSteps = limits.maxSteps ?? DEFAULT_MAX_STEPS;
    for (let step = 1; step <= maxSteps; step += 1) {
      await this.#session.compactor.check(await this.#compaction(), { tellsSkip: step === 1 });
      await output.send({ event: "step_started", step });
      const tools = await this.#session.tools(this.#ask, this.#signal);
      const answer = await this.#requestThatFits(tools);
      const hasResults = await this.#take(answer, tools);
      await output.send({ event: "step_finished", step });
      this.#signal.throwIfAborted();
      if (await this.#takeSteering()) continue;
      if (answer.finishReason === "content-filter") return { reason: "refused" };
      if (answer.finishReason === "length") {
        await output.send({ event: "remark", level: "warning", code: "max-output", text: CUT_OFF });
        return { reason: "limit" };
      }
      if (!hasResults) return { reason: "done" };
    }
    const text = `The turn was ended after ${maxSteps} requests to the model. Send another prompt to go on, or raise \`maxSteps\`.`;
    await output.send({ event: "remark", level: "warning", code: "max-steps", text });
    return { reason: "limit" };
  }

  /** Adds an answer to the conversation with the results of its calls, whatever happens to them. True if there are any. */
  async #take({ messages, calls, tokens }: ModelAnswer, tools: readonly LoopTool[]): Promise<boolean> {
    const { conversation } = this.#session.means;
    for (const message of messages) conversation.add(message);
    conversation.count(tokens);
    conversation.accept();
    const session = this.#session;
    const ask = this.#ask;
    const results = await runCalls({ session, signal: this.#signal, tools, ask }, calls);
    if (results.length > 0) conversation.add({ role: "tool", content: results });
    return results.length > 0;
  }

  /** What the model has no room for is made to fit where it can be; what is refused is left out of later requests. */
  async #requestThatFits(tools: readonly LoopTool[]): Promise<ModelAnswer> {
    const { conversation } = this.#session.means;
    let hasMadeRoom = false;
    let hasLeftOut = false;
    for (;;) {
      try {
        return await this.#request(tools);
      } catch (error) {
        if (!(error instanceof TurnFailure) || !REFUSALS.has(error.code)) throw error;
        const isFull = error.code === "context_full";
        if (isFull && !hasMadeRoom) {
          hasMadeRoom = true;
          if (await this.#session.compactor.makeRoom(await this.#compaction())) continue;
        }
        // The model can do without a result that is too long, but not without what it is asked.
        const isOnlyResults = conversation.leaveOutRefused();
        if (isFull && isOnlyResults && !hasLeftOut) {
          hasLeftOut = true;
          continue;
        }
        throw new TurnFailure(error.code, `${error.message} ${LEFT_OUT}`, { cause: error });
      }
    }
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
            effort: this.#effort,
            signal: this.#signal,
            emit,
          });
        },
      );
    } catch (error) {
      // What was said before an interruption was heard.
      if (this.#signal.aborted && error instanceof BrokenAnswer && error.heard.text.trim() !== "")
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

  async #compaction(): Promise<CompactionOptions> {
    const { output, conversation, limits } = this.#session.means;
    return {
      conversation,
      model: await this.#chosenModel(),
      compactAt: limits.compactAt,
      keepMessages: limits.keepMessages,
      signal: this.#signal,
      request: () => this.#session.nextRequest(),
      emit: output.send.bind(output),
    };
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
    const { conversation, output } = this.#session.means;
    const { message, notSent } = await promptMessage(text, files);
    conversation.add(message, prompt);
    for (const sentence of notSent)
      await output.send({ event: "remark", level: "warning", code: "file", text: `${sentence}.` });
  }

  readonly #ask = (request: Omit<WireEventOf<"ask">, "event" | "ask">): Promise<Answer> =>
    this.#openAsks.add(async () => {
      this.#signal.throwIfAborted();
      const ask: WireEventOf<"ask"> = { event: "ask", ask: this.#session.nextId("ask"), ...request };
      const answered = this.#session.asks.open(ask);
      await this.#session.means.output.send(ask);
      return untilAborted(answered, this.#signal);
    });

  get #signal(): AbortSignal {
    return this.#abort.signal;
  }
}
