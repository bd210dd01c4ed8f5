/** The real AI SDK, newest 7 and newest 6: its readers, its schemas, its helpers. */
import * as v7 from "ai";
import { importLocked } from "../../../test/locked-packages.ts";
import { errorText } from "../../core/error-text.ts";
import type { UIMessageChunk } from "./chunk.ts";
import type { UIMessage } from "./ui-message.ts";

interface Validation {
  success: boolean;
  error?: unknown;
}

/** What the tests use of a version; the versions' own types differ where it does not matter here. */
interface Sdk {
  AbstractChat: new (init: object) => object;
  uiMessageChunkSchema(): { validate?(value: unknown): Validation | PromiseLike<Validation> };
  readUIMessageStream(options: {
    message?: UIMessage;
    stream: ReadableStream<UIMessageChunk>;
    onError(error: unknown): void;
  }): AsyncIterable<UIMessage>;
  safeValidateUIMessages(options: { messages: unknown }): Promise<Validation>;
  lastAssistantMessageIsCompleteWithApprovalResponses(chat: { messages: UIMessage[] }): boolean;
  lastAssistantMessageIsCompleteWithToolCalls(chat: { messages: UIMessage[] }): boolean;
}

export const SDKS = { v6: await importLocked<Sdk>("clients", "ai-v6"), v7: v7 as unknown as Sdk };
export type SdkVersion = keyof typeof SDKS;
export const VERSIONS: readonly SdkVersion[] = ["v6", "v7"];

/** Reads one response onto the message so far, as a client does. */
export async function readResponse(
  version: SdkVersion,
  chunks: readonly UIMessageChunk[],
  message?: UIMessage,
): Promise<{ message: UIMessage; errors: string[] }> {
  const errors: string[] = [];
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(structuredClone(chunk));
      // Not every chunk gives a snapshot; this one does, and changes nothing.
      controller.enqueue({ type: "message-metadata", messageMetadata: {} });
      controller.close();
    },
  });
  let latest: UIMessage | undefined;
  for await (const snapshot of SDKS[version].readUIMessageStream({
    ...(message && { message: structuredClone(message) }),
    stream,
    onError: (error) => errors.push(errorText(error)),
  })) {
    latest = snapshot;
  }
  return { message: plain(latest!), errors };
}

export async function chunkProblem(version: SdkVersion, chunk: UIMessageChunk): Promise<unknown> {
  const result = await SDKS[version].uiMessageChunkSchema().validate?.(chunk);
  return result?.success ? undefined : (result?.error ?? "not validated");
}

/** As it is after a wire: without fields that are undefined. */
export function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/** The fields that every v6 and v7 accepts, strict ones included. */
const SAFE_FIELDS: Record<string, readonly string[]> = {
  start: ["messageId", "messageMetadata"],
  "start-step": [],
  "finish-step": [],
  "text-start": ["id", "providerMetadata"],
  "text-delta": ["id", "delta", "providerMetadata"],
  "text-end": ["id", "providerMetadata"],
  "reasoning-start": ["id", "providerMetadata"],
  "reasoning-delta": ["id", "delta", "providerMetadata"],
  "reasoning-end": ["id", "providerMetadata"],
  "tool-input-start": ["toolCallId", "toolName", "providerExecuted", "dynamic", "title"],
  "tool-input-delta": ["toolCallId", "inputTextDelta"],
  "tool-input-available": [
    "toolCallId",
    "toolName",
    "input",
    "providerExecuted",
    "providerMetadata",
    "dynamic",
    "title",
  ],
  "tool-approval-request": ["approvalId", "toolCallId"],
  "tool-output-available": ["toolCallId", "output", "providerExecuted", "dynamic", "preliminary"],
  "tool-output-error": ["toolCallId", "errorText", "providerExecuted", "dynamic"],
  "tool-output-denied": ["toolCallId"],
  "source-url": ["sourceId", "url", "title", "providerMetadata"],
  "source-document": ["sourceId", "mediaType", "title", "filename", "providerMetadata"],
  file: ["url", "mediaType", "providerMetadata"],
  "message-metadata": ["messageMetadata"],
  finish: ["finishReason", "messageMetadata"],
  abort: [],
  error: ["errorText"],
};

const DATA_FIELDS = ["id", "data", "transient"];

/** Fields, or a whole type, that some released client would reject. */
export function unsafeFields(chunk: UIMessageChunk): string[] {
  const safe = chunk.type.startsWith("data-") ? DATA_FIELDS : SAFE_FIELDS[chunk.type];
  if (!safe) return [chunk.type];
  return Object.keys(plain(chunk)).filter((field) => field !== "type" && !safe.includes(field));
}
