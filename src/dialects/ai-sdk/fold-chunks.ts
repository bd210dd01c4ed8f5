/**
 * Chunks → UIMessage, with the result that `readUIMessageStream` of the AI SDK has. Needs nothing but the language, so
 * that it also runs in a browser.
 */
import { isRecord } from "../../core/is-record.ts";
import type { TextChunk, ToolChunk, UIMessageChunk } from "./chunk.ts";
import type { DataChunk } from "./data-part.ts";
import { parsePartialJson } from "./partial-json.ts";
import {
  isToolPart,
  type MessageMetadata,
  type TextPart,
  type ToolPart,
  type UIMessage,
  type UIMessagePart,
} from "./ui-message.ts";

/**
 * Continues `message` if given, as a client does with the next segment. Mutates it.
 *
 * @example const message = foldChunks(messageChunks(record));
 */
export function foldChunks(chunks: Iterable<UIMessageChunk>, message?: UIMessage): UIMessage {
  const fold = new ChunkFold(message);
  for (const chunk of chunks) fold.add(chunk);
  return fold.message;
}

export class ChunkFold {
  readonly message: UIMessage;
  #steps = 0;
  /** Open text and reasoning. */
  readonly #texts = new Map<string, TextPart>();
  readonly #inputTexts = new Map<string, string>();
  /** The last part of each call, and the step it is in. */
  readonly #tools = new Map<string, { part: ToolPart; step: number }>();
  readonly #data = new Map<string, DataChunk>();

  constructor(message: UIMessage = { id: "", role: "assistant", parts: [] }) {
    this.message = message;
    for (const part of message.parts) this.#note(part);
  }

  add(chunk: UIMessageChunk): void {
    const { message } = this;
    switch (chunk.type) {
      case "start":
        message.id = chunk.messageId;
        return this.#addMetadata(chunk.messageMetadata);
      case "message-metadata":
      case "finish":
        return this.#addMetadata(chunk.messageMetadata);
      case "start-step":
        return this.#push({ type: "step-start" });
      case "finish-step":
      case "abort":
      case "error":
        return;
      case "text-start":
      case "reasoning-start":
      case "text-delta":
      case "reasoning-delta":
      case "text-end":
      case "reasoning-end":
        return this.#addText(chunk);
      case "file":
      case "source-url":
      case "source-document":
        return this.#push({ ...chunk });
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-input-available":
      case "tool-approval-request":
      case "tool-output-available":
      case "tool-output-error":
      case "tool-output-denied":
        return this.#addTool(chunk);
      default:
        return this.#addData(chunk);
    }
  }

  #push(part: UIMessagePart): void {
    this.message.parts.push(part);
    this.#note(part);
  }

  #note(part: UIMessagePart): void {
    if (part.type === "step-start") this.#steps += 1;
    else if (isToolPart(part)) this.#tools.set(part.toolCallId, { part, step: this.#steps });
    else if ("data" in part) this.#data.set(`${part.type} ${part.id}`, part);
  }

  /** Fields of the same name are replaced; what is an object in both is merged. */
  #addMetadata(metadata: MessageMetadata | undefined): void {
    if (metadata === undefined) return;
    this.message.metadata = merge(this.message.metadata ?? {}, metadata) as MessageMetadata;
  }

  #addText(chunk: TextChunk): void {
    const [kind] = chunk.type.split("-") as ["text" | "reasoning"];
    const key = `${kind} ${chunk.id}`;
    if (chunk.type === "text-start" || chunk.type === "reasoning-start") {
      const part: TextPart = {
        type: kind,
        ...(kind === "reasoning" && { id: chunk.id }),
        text: "",
        state: "streaming",
        ...(chunk.providerMetadata && { providerMetadata: chunk.providerMetadata }),
      };
      this.#texts.set(key, part);
      return this.#push(part);
    }
    const part = this.#texts.get(key);
    if (!part) throw new Error(`${chunk.type} without an open part ${chunk.id}`);
    if ("delta" in chunk) {
      part.text += chunk.delta;
    } else {
      part.state = "done";
      this.#texts.delete(key);
    }
  }

  #addTool(chunk: ToolChunk): void {
    switch (chunk.type) {
      case "tool-input-start":
        this.#inputTexts.set(chunk.toolCallId, "");
        return this.#setInput(chunk, { state: "input-streaming" });
      case "tool-input-delta":
        return this.#addInputDelta(chunk);
      case "tool-input-available":
        return this.#setInput(chunk, { state: "input-available", input: chunk.input });
      case "tool-approval-request": {
        const part = this.#toolPart(chunk.toolCallId);
        part.state = "approval-requested";
        part.approval = { id: chunk.approvalId };
        return;
      }
      case "tool-output-available": {
        const { output, preliminary } = chunk;
        return setState(this.#toolPart(chunk.toolCallId), {
          state: "output-available",
          output,
          ...(preliminary && { preliminary }),
        });
      }
      case "tool-output-error":
        return setState(this.#toolPart(chunk.toolCallId), {
          state: "output-error",
          errorText: chunk.errorText,
        });
      case "tool-output-denied":
        this.#toolPart(chunk.toolCallId).state = "output-denied";
    }
  }

  #addInputDelta(chunk: Extract<ToolChunk, { type: "tool-input-delta" }>): void {
    const text = this.#inputTexts.get(chunk.toolCallId);
    if (text === undefined) throw new Error(`tool-input-delta for the unknown call ${chunk.toolCallId}`);
    const rawInput = text + chunk.inputTextDelta;
    this.#inputTexts.set(chunk.toolCallId, rawInput);
    const part = this.#toolPart(chunk.toolCallId);
    delete part.input;
    const input = parsePartialJson(rawInput);
    setState(part, { state: "input-streaming", ...(input !== undefined && { input }), rawInput });
  }

  /** Input goes to the part of the current step, a new one if need be; results find their part in any step. */
  #setInput(
    chunk: Extract<ToolChunk, { toolName: string }>,
    change: Pick<ToolPart, "state" | "input">,
  ): void {
    const { toolCallId, toolName, dynamic, title, providerExecuted } = chunk;
    const known = this.#tools.get(toolCallId);
    const isInStep = known?.step === this.#steps;
    const part: ToolPart = isInStep ? known.part : { type: "dynamic-tool", toolCallId, state: change.state };
    if (dynamic) part.toolName = toolName;
    else part.type = `tool-${toolName}`;
    if (title !== undefined) part.title = title;
    if (providerExecuted !== undefined) part.providerExecuted = providerExecuted;
    if ("providerMetadata" in chunk && chunk.providerMetadata)
      part.callProviderMetadata = chunk.providerMetadata;
    delete part.input;
    setState(part, change);
    if (!isInStep) this.#push(part);
  }

  #toolPart(toolCallId: string): ToolPart {
    const known = this.#tools.get(toolCallId);
    if (!known) throw new Error(`no part for the call ${toolCallId}`);
    return known.part;
  }

  #addData(chunk: DataChunk): void {
    if (chunk.transient) return;
    const part = this.#data.get(`${chunk.type} ${chunk.id}`);
    if (part) part.data = chunk.data;
    else this.#push({ ...chunk });
  }
}

/** Removes everything of the former state but the input. */
function setState(part: ToolPart, change: Partial<ToolPart>): void {
  delete part.output;
  delete part.errorText;
  delete part.preliminary;
  delete part.rawInput;
  Object.assign(part, change);
}

function merge(base: object, changes: object): object {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(changes)) {
    const former = merged[name];
    merged[name] = isRecord(former) && isRecord(value) ? merge(former, value) : value;
  }
  return merged;
}
