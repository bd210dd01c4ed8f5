/** What has to hold of the AI SDK view of any log, whatever is in it. */
import { expect } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import { foldMessages } from "../../core/fold-messages.ts";
import { MessageIndex } from "../../core/message-index.ts";
import type { UIMessageChunk } from "./chunk.ts";
import { foldChunks } from "./fold-chunks.ts";
import { createMessageEncoder, type MessageEncoderOptions } from "./outbound.ts";
import {
  chunkProblem,
  plain,
  readResponse,
  SDKS,
  type SdkVersion,
  unsafeFields,
  VERSIONS,
} from "./sdk.test-support.ts";
import { askOf, joinSegments, splitSegments, untilOpenAsk } from "./segments.ts";
import { applyAskUpdates } from "./stored/apply-ask-updates.ts";
import { messageChunks, toUIMessage } from "./to-ui-message.ts";
import { isToolPart, type UIMessage } from "./ui-message.ts";

export function assistantMessages(log: readonly SessionEvent[]): string[] {
  return log.flatMap((event) => (event.type === "message.started" ? [event.message] : []));
}

/** The chunks of a message as they are streamed while the log grows. */
export function liveChunks(
  log: readonly SessionEvent[],
  message: string,
  options: MessageEncoderOptions = {},
): UIMessageChunk[] {
  const encoder = createMessageEncoder(options);
  const start = log.findIndex((event) => event.type === "message.started" && event.message === message);
  return log.slice(start).flatMap((event) => encoder.encode(event));
}

export async function expectConsistent(
  log: readonly SessionEvent[],
  options: MessageEncoderOptions = {},
): Promise<void> {
  for (const message of assistantMessages(log)) {
    const chunks = liveChunks(log, message, options);
    await expectSafe(chunks);
    expectOrder(chunks);
    expectText(log, message, chunks);
    for (const version of VERSIONS) {
      const live = await expectReadable(version, chunks);
      expect(plain(foldChunks(plain(joinSegments(splitSegments(chunks)))))).toEqual(live);
      expect(withoutDecisions(toUIMessage(recordAtEnd(log, message), options))).toEqual(
        withoutDecisions(live),
      );
    }
    await expectStored(log, message, chunks, options);
  }
}

async function expectSafe(chunks: readonly UIMessageChunk[]): Promise<void> {
  for (const chunk of chunks) {
    expect(unsafeFields(chunk), chunk.type).toEqual([]);
    for (const version of VERSIONS) expect(await chunkProblem(version, plain(chunk))).toBeUndefined();
  }
}

/** Segments begin with `start` and end with `finish`; steps do not overlap; input comes in its own step. */
function expectOrder(chunks: readonly UIMessageChunk[]): void {
  const announced = new Set<string>();
  for (const segment of splitSegments(chunks)) {
    const types = segment.map((chunk) => chunk.type);
    expect(types.lastIndexOf("start")).toBe(0);
    const finish = types.indexOf("finish");
    expect(finish === -1 ? types.length : finish + 1).toBe(types.length);
    const steps = types.filter((type) => type.endsWith("-step"));
    expect(steps.every((type, index) => type === (index % 2 === 0 ? "start-step" : "finish-step"))).toBe(
      true,
    );
  }
  for (const chunk of chunks) {
    if (chunk.type !== "tool-input-start") continue;
    expect(announced.has(chunk.toolCallId)).toBe(false);
    announced.add(chunk.toolCallId);
  }
}

/** Nothing that was said is lost or doubled, whatever steps and segments it was cut into. */
function expectText(log: readonly SessionEvent[], message: string, chunks: readonly UIMessageChunk[]): void {
  const said = new Map<string, string>();
  for (const event of log) {
    if (event.type !== "text.delta" && event.type !== "reasoning.delta") continue;
    if (event.message !== message || event.parent !== undefined || event.task !== undefined) continue;
    said.set(event.part, (said.get(event.part) ?? "") + event.delta);
  }
  const shown = new Map<string, string>();
  for (const part of foldChunks(joinSegments(splitSegments(chunks))).parts) {
    if (part.type !== "text" && part.type !== "reasoning") continue;
    expect(part.state).toBe("done");
    const id = part.providerMetadata?.interlingua?.part as string;
    if (part.text !== "") shown.set(id, (shown.get(id) ?? "") + part.text);
  }
  expect(shown).toEqual(said);
}

/** The real reader takes every segment onto the message so far; at a seam a stock client would send the answer. */
async function expectReadable(version: SdkVersion, chunks: readonly UIMessageChunk[]): Promise<UIMessage> {
  let message: UIMessage | undefined;
  let clicked: UIMessage | undefined;
  const segments = splitSegments(chunks);
  for (const segment of segments) {
    const read = await readResponse(version, segment, message);
    expect(read.errors).toEqual(
      segment.flatMap((chunk) => (chunk.type === "error" ? [chunk.errorText] : [])),
    );
    message = read.message;
    clicked = (await readResponse(version, segment, clicked)).message;
    if (askOf(segment) !== undefined) {
      expect(wouldSend(version, clicked)).toBe(false);
      click(clicked);
      expect(wouldSend(version, clicked)).toBe(true);
    }
  }
  const hasEnded = segments.at(-1)?.at(-1)?.type === "finish";
  if (hasEnded && askOf(segments.at(-1)!) === undefined) expect(wouldSend(version, clicked!)).toBe(false);
  return message!;
}

/** What a person does in a stock client: answers everything that is asked in the last step. */
function click(message: UIMessage): void {
  const step = message.parts.findLastIndex((part) => part.type === "step-start");
  for (const part of message.parts.slice(step + 1)) {
    if (!isToolPart(part)) continue;
    if (part.state === "approval-requested") {
      part.state = "approval-responded";
      part.approval = { ...part.approval!, approved: true };
    } else if (part.state === "input-available" && !part.providerExecuted) {
      part.state = "output-available";
      part.output = "an answer";
    }
  }
}

function wouldSend(version: SdkVersion, message: UIMessage): boolean {
  const chat = { messages: [message] };
  return (
    SDKS[version].lastAssistantMessageIsCompleteWithApprovalResponses(chat) ||
    SDKS[version].lastAssistantMessageIsCompleteWithToolCalls(chat)
  );
}

/** The record of a message as it was at its end, before anything was added to it. */
function recordAtEnd(log: readonly SessionEvent[], message: string) {
  const start = log.findIndex((event) => event.type === "message.started" && event.message === message);
  const length = log
    .slice(start + 1)
    .findIndex((event) => event.type === "turn.ended" || event.type === "message.started");
  const until = length === -1 ? log.length : start + length + 2;
  const events = log.slice(0, until).filter((event) => event.type !== "tool.amended");
  return foldMessages(events).find((record) => record.id === message)!;
}

async function expectStored(
  log: readonly SessionEvent[],
  message: string,
  chunks: readonly UIMessageChunk[],
  options: MessageEncoderOptions,
): Promise<void> {
  const index = new MessageIndex();
  const own = log.filter((event) => index.messageOf(event) === message);
  const record = foldMessages(log).find((candidate) => candidate.id === message) ?? {
    id: message,
    role: "assistant" as const,
    at: 0,
    events: own,
  };
  const stored = toUIMessage(record, options);
  for (const version of VERSIONS) {
    const { error } = await SDKS[version].safeValidateUIMessages({ messages: [plain(stored)] });
    expect(error).toBeUndefined();
  }
  // A steered-away message has no end of its own in its record; else a replay is what was streamed.
  const whole = joinSegments(splitSegments(chunks));
  const replay = messageChunks({ ...record, events: own }, options);
  if (own.some((event) => event.type === "turn.ended")) expect(plain(replay)).toEqual(plain(whole));
}

/**
 * What a client has that watched a message from its beginning, and stands where a person is to answer, with what
 * became known of the ask since.
 */
export function liveMessage(log: readonly SessionEvent[], message: string): UIMessage {
  const open = new Set<string>();
  for (const event of log) {
    if (event.type === "ask.opened") open.add(event.ask);
    if (event.type === "ask.answered" || event.type === "ask.closed") open.delete(event.ask);
  }
  const segments = splitSegments(liveChunks(log, message, { lateContent: true }));
  const live = foldChunks(joinSegments(untilOpenAsk(segments, (ask) => open.has(ask))));
  const index = new MessageIndex();
  applyAskUpdates(
    live,
    log.filter((event) => index.messageOf(event) === message),
  );
  return live;
}

/** A record does not keep what was shown of an output once it has the output. */
export function withoutPreviews(message: UIMessage): UIMessage {
  const copy = plain(message);
  for (const part of copy.parts) {
    if (!isToolPart(part) || !part.preliminary) continue;
    part.state = "input-available";
    delete part.output;
    delete part.preliminary;
  }
  return copy;
}

/** The reader of a stream does not know what a person decided. */
export function withoutDecisions(message: UIMessage): UIMessage {
  const copy = plain(message);
  for (const part of copy.parts) {
    if (part.type === "data-ask")
      part.data = { ...part.data, state: "open", answer: undefined, delivered: undefined };
    if (!isToolPart(part)) continue;
    delete part.approval;
    if (part.state === "approval-responded") part.state = "approval-requested";
  }
  return copy;
}
