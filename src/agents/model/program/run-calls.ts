/** Runs the calls of one answer: all at once, but for edits, which keep their place, and asks, which come one by one. */
import type { ToolModelMessage } from "ai";
import type { WireEvent } from "../wire.ts";
import type { Answer } from "./asks.ts";
import { CallOrder } from "./call-order.ts";
import { isOffered, type LoopTool } from "./loop-tool.ts";
import type { ModelCall } from "./request-model.ts";
import { SerialQueue } from "./serial-queue.ts";
import type { ModelSession } from "./session.ts";
import { type FileChange, type ToolContext, ToolFailure, type ToolResult } from "./tools/tool.ts";

type ToolAnswer = Extract<ToolModelMessage["content"][number], { type: "tool-result" }>;
type Output = ToolAnswer["output"];

const INTERRUPTED: Output = { type: "error-text", value: "It was interrupted by the user." };

const PLAN_MODE =
  "The permission mode is plan: nothing may be changed or run. Look around, then propose a plan with propose_plan.";

const NO_JSON = "The arguments are not valid JSON. Make the call again with a JSON object.";

export interface CallSurroundings {
  readonly session: ModelSession;
  readonly signal: AbortSignal;
  readonly tools: readonly LoopTool[];
  ask(request: Omit<Extract<WireEvent, { event: "ask" }>, "event" | "ask">): Promise<Answer>;
}

/** Never rejects: also a call that was interrupted has an answer. */
export function runCalls(surroundings: CallSurroundings, calls: readonly ModelCall[]): Promise<ToolAnswer[]> {
  const order = new CallOrder();
  const asks = new SerialQueue();
  return Promise.all(
    calls.map(async (call): Promise<ToolAnswer> => {
      const output = await new Call(surroundings, call, { order, asks }).run();
      return { type: "tool-result", toolCallId: call.id, toolName: call.name, output };
    }),
  );
}

class Call {
  readonly #around: CallSurroundings;
  readonly #call: ModelCall;
  readonly #queues: { order: CallOrder; asks: SerialQueue };

  constructor(around: CallSurroundings, call: ModelCall, queues: { order: CallOrder; asks: SerialQueue }) {
    this.#around = around;
    this.#call = call;
    this.#queues = queues;
  }

  async run(): Promise<Output> {
    const { name } = this.#call;
    const tool = this.#around.tools.find((known) => known.name === name);
    const place = this.#queues.order.enter(tool?.permission === "edit");
    try {
      if (!tool) throw new ToolFailure("not_found", this.#unknownTool);
      if (tool.unavailable !== undefined) throw new ToolFailure("not_configured", tool.unavailable);
      if (this.#call.isInvalid) throw new ToolFailure("invalid_argument", NO_JSON);
      const input = tool.parse(this.#call.input);
      await this.#emit({
        event: "call_described",
        call: this.#call.id,
        tool: name,
        title: titleOf(tool, input),
      });
      await place.isNext;
      this.#around.signal.throwIfAborted();
      return await this.#permitAndRun(tool, input);
    } catch (error) {
      return this.#fail(error);
    } finally {
      place.leave();
    }
  }

  async #permitAndRun(tool: LoopTool, input: unknown): Promise<Output> {
    const permitted = await this.#permit(tool, input);
    if ("denied" in permitted) return permitted.denied;
    const { session, signal } = this.#around;
    signal.throwIfAborted();
    const { result, changes = [] } = await tool.run(permitted.input, this.#context(), this.#call.id);
    for (const change of changes) await this.#emit(fileChanged(this.#call.id, change));
    await this.#emit({ event: "call_output", call: this.#call.id, output: result, ...exitCodeOf(result) });
    const shown = await session.means.results.put(this.#call.id, tool.name, permitted.input, result);
    return { type: "json", value: shown as never };
  }

  async #permit(tool: LoopTool, input: unknown): Promise<{ input: unknown } | { denied: Output }> {
    const { session } = this.#around;
    const judge = () => session.means.permissions.judge(session.configuration.permissions, tool, input);
    const verdict = judge();
    if (verdict === "allowed") return { input };
    if (verdict === "refused") return this.#deny(PLAN_MODE);
    // A call that cannot work is not worth a question.
    const changes = await tool.preview?.(input, this.#context());
    return this.#queues.asks.add(async () => {
      // An answer to another call, or another mode, may have settled this one.
      const settled = judge();
      if (settled === "allowed") return { input };
      if (settled === "refused") return this.#deny(PLAN_MODE);
      const options = session.means.permissions.optionsFor(tool, input);
      const answer = await this.#around.ask({
        kind: "permission",
        call: this.#call.id,
        title: titleOf(tool, input),
        ...(changes && { changes: [...changes] }),
        options,
        editable: true,
      });
      if (answer.effect === "reject") return this.#deny(answer.note ?? "The user declined it.");
      // Nobody has allowed for good what was changed before it was allowed.
      if (answer.input !== undefined) return { input: tool.parse(answer.input) };
      if (answer.effect === "always") {
        const rules = options.flatMap(({ covers = [] }) => covers);
        session.means.permissions.add(rules);
        session.means.conversation.allow(rules);
      }
      return { input };
    });
  }

  async #deny(note: string): Promise<{ denied: Output }> {
    await this.#emit({ event: "call_denied", call: this.#call.id, note });
    return { denied: { type: "execution-denied", reason: note } };
  }

  async #fail(error: unknown): Promise<Output> {
    // What the interrupted turn leaves open is closed with it.
    if (this.#around.signal.aborted) return INTERRUPTED;
    const { id, name } = this.#call;
    const failure =
      error instanceof ToolFailure
        ? error
        : new ToolFailure("exception", error instanceof Error ? error.message : String(error));
    const result = failure.toResult(name);
    await this.#emit({
      event: "call_failed",
      call: id,
      error: failure.message,
      output: result,
      ...exitCodeOf(result),
    });
    const shown = await this.#around.session.means.results.put(id, name, this.#call.input, result);
    return { type: "error-json", value: shown as never };
  }

  #context(): ToolContext {
    const { session, signal } = this.#around;
    const { cwd, commandEnvironment: environment, results, web } = session.means;
    return {
      cwd,
      signal,
      environment,
      results,
      web,
      onOutput: (text) => void this.#emit({ event: "call_output_delta", call: this.#call.id, text }),
      setTitle: (title) => void this.#emit({ event: "title", title }),
      setPlan: (items) => void this.#emit({ event: "plan", items }),
    };
  }

  get #unknownTool(): string {
    const names = this.#around.tools
      .filter(isOffered)
      .map((tool) => tool.name)
      .join(", ");
    return `There is no tool ${JSON.stringify(this.#call.name)}, only ${names}.`;
  }

  #emit(event: WireEvent): Promise<void> {
    return this.#around.session.means.output.send(event);
  }
}

/** A title is no reason for a call to fail. */
function titleOf(tool: LoopTool, input: unknown): string {
  try {
    return tool.title(input);
  } catch {
    return tool.name;
  }
}

function fileChanged(call: string, { path, change, diff }: FileChange): WireEvent {
  return { event: "file_changed", call, path, change, diff };
}

function exitCodeOf({ exit_code: exitCode }: ToolResult): { exitCode?: number } {
  return typeof exitCode === "number" ? { exitCode } : {};
}
