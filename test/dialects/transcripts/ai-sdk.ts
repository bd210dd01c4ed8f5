/** How clients of the AI SDK read a conversation: one message as it comes, with the real readers, and the stored ones. */
import { foldMessages } from "../../../src/core/fold-messages.ts";
import type { UIMessageChunk } from "../../../src/dialects/ai-sdk/chunk.ts";
import { readResponse, type SdkVersion, VERSIONS } from "../../../src/dialects/ai-sdk/sdk.test-support.ts";
import { splitSegments } from "../../../src/dialects/ai-sdk/segments.ts";
import { toUIMessage } from "../../../src/dialects/ai-sdk/to-ui-message.ts";
import {
  isToolPart,
  type ToolPart,
  type UIMessage,
  type UIMessagePart,
} from "../../../src/dialects/ai-sdk/ui-message.ts";
import type { Frame } from "../../../src/dialects/dialect.ts";
import { joinTexts, omit } from "../../../src/testkit/dialect-contract/drops.ts";
import type {
  CallPart,
  CallResult,
  PartOrigin,
  Transcript,
  TranscriptContract,
  TranscriptMessage,
  TranscriptPart,
} from "../../../src/testkit/dialect-contract/index.ts";
import { AI_SDK_HISTORY_DROPS, AI_SDK_STREAM_DROPS, sorted } from "./ai-sdk-drops.ts";
import { dataOf } from "./data-of.ts";

export const aiSdkStreams: readonly TranscriptContract[] = VERSIONS.map((version) => ({
  name: `stream, read by ${version}`,
  fold: (frames) => foldFrames(version, frames),
  drops: AI_SDK_STREAM_DROPS,
}));

export const aiSdkHistory: TranscriptContract<readonly UIMessage[]> = {
  name: "history",
  fold: (messages) => foldUIMessages(messages),
  drops: AI_SDK_HISTORY_DROPS,
  *stories(log) {
    const messages = foldMessages(log).map((record) => toUIMessage(record));
    yield { shown: JSON.parse(JSON.stringify(messages)), log };
  },
};

async function foldFrames(version: SdkVersion, frames: readonly Frame[]): Promise<Transcript> {
  const chunks = frames.map(({ text }) => JSON.parse(dataOf(text)) as UIMessageChunk);
  let message: UIMessage | undefined;
  for (const segment of splitSegments(chunks))
    message = (await readResponse(version, segment, message)).message;
  return message ? foldUIMessages([message]) : [];
}

export function foldUIMessages(messages: readonly UIMessage[]): Transcript {
  return joinTexts(messages.map(foldUIMessage));
}

function foldUIMessage({ id, role, metadata = {}, parts }: UIMessage): TranscriptMessage {
  const {
    turn,
    replyTo,
    agent,
    model,
    createdAt: at,
    outcome,
    error,
    delivery,
    usage,
    cost,
    durationMs,
    waitedMs,
  } = metadata;
  const about = {
    turn,
    replyTo,
    agent,
    model,
    at,
    outcome,
    error,
    delivery,
    usage,
    cost,
    durationMs,
    waitedMs,
  };
  if (role !== "assistant") return { id, role, ...about, content: parts as TranscriptPart[] };
  return { id, role, ...about, content: foldParts(parts) };
}

function foldParts(parts: readonly UIMessagePart[]): TranscriptPart[] {
  const carriers = new Set<string>();
  const later = new Map<string, object>();
  const results = new Map<string, object>();
  const discarded = new Set<string>();
  for (const part of parts) {
    if (part.type === "data-ask") carriers.add(`${part.data.kind}_${part.data.ask}`);
    if (part.type === "data-tool-update") later.set(part.data.call, omit(part.data, ["call"]));
    if (part.type === "data-tool-result") {
      const { call, running, unfinished, ...result } = part.data;
      results.set(call, {
        ...result,
        ...(running && { isRunning: true }),
        ...(unfinished && { state: "abandoned" }),
      });
    }
    if (part.type === "data-discarded")
      for (const id of [...part.data.parts, ...part.data.calls]) discarded.add(id);
  }
  const own: TranscriptPart[] = [];
  const asks: TranscriptPart[] = [];
  const ofSubagents: TranscriptPart[] = [];
  const add = (part: UIMessagePart, origin: PartOrigin, to: TranscriptPart[]) => {
    const folded = foldPart(part, origin);
    if (!folded) return;
    const id =
      folded.type === "call"
        ? folded.call
        : folded.type === "text" || folded.type === "reasoning"
          ? folded.part
          : undefined;
    to.push(
      id !== undefined && discarded.has(id) ? ({ ...folded, isDiscarded: true } as TranscriptPart) : folded,
    );
  };
  const addDetails = ({ toolCallId }: ToolPart, to: TranscriptPart[]) => {
    const call = to.at(-1) as CallPart;
    const result = call.result && { ...call.result, ...results.get(toolCallId) };
    to[to.length - 1] = { ...call, ...later.get(toolCallId), ...(result && { result }) };
  };
  for (const part of parts) {
    if (part.type === "data-ask") {
      const { state, ...ask } = part.data;
      asks.push({ type: "ask", ...ask, state });
    } else if (part.type === "data-subagent") {
      const { parent, task } = part.data;
      add(
        part.data.part,
        { ...(parent !== undefined && { parent }), ...(task !== undefined && { task }) },
        ofSubagents,
      );
      if (isToolPart(part.data.part)) addDetails(part.data.part, ofSubagents);
    } else if (isToolPart(part)) {
      if (carriers.has(part.toolCallId)) continue;
      add(part, {}, own);
      addDetails(part, own);
    } else add(part, {}, own);
  }
  return [...own, ...sorted(ofSubagents), ...sorted(asks)];
}

function foldPart(part: UIMessagePart, origin: PartOrigin): TranscriptPart | undefined {
  if (isToolPart(part)) return { ...foldCall(part), ...origin };
  switch (part.type) {
    case "text":
    case "reasoning": {
      const { part: id, purpose } = (part.providerMetadata?.interlingua ?? {}) as {
        part?: string;
        purpose?: string;
      };
      const isOpen = part.state === "streaming" ? true : undefined;
      const { type, text } = part;
      return {
        type,
        ...(id !== undefined && { part: id }),
        ...(purpose && { purpose }),
        text,
        ...(isOpen && { isOpen }),
        ...origin,
      };
    }
    case "file": {
      const filename = part.providerMetadata?.interlingua?.filename as string | undefined;
      const { url, mediaType } = part;
      return { type: "file", url, mediaType, ...(filename !== undefined && { filename }), ...origin };
    }
    case "source-url": {
      const { sourceId: id, url, title } = part;
      return { type: "source", id, url, title, ...origin };
    }
    case "source-document": {
      const { sourceId: id, mediaType, title, filename } = part;
      return { type: "source", id, mediaType, title, filename, ...origin };
    }
    case "data-file-edit":
      return { type: "file_edit", ...part.data };
    case "data-notice":
      return { type: "notice", ...omit(part.data, ["data"]) };
    case "data-plan":
      return { type: "plan", ...part.data };
    case "data-tool-summary":
      return { type: "summary", ...part.data };
    case "data-compaction":
      return { type: "compaction", ...part.data };
    default:
      return undefined;
  }
}

function foldCall(part: ToolPart): CallPart {
  const { toolCallId: call, title, input } = part;
  const { kind, locations, edited } = (part.callProviderMetadata?.interlingua ?? {}) as Pick<
    CallPart,
    "kind" | "locations" | "edited"
  >;
  const name = part.toolName ?? part.type.slice("tool-".length);
  const result = resultOf(part);
  return { type: "call", call, name, title, kind, locations, input, edited, ...(result && { result }) };
}

function resultOf({ state, output, errorText, preliminary }: ToolPart): CallResult | undefined {
  switch (state) {
    case "output-available":
      return preliminary ? undefined : { state: "done", output };
    case "output-error":
      return { state: "failed", error: errorText };
    case "output-denied":
      return { state: "denied" };
    default:
      return undefined;
  }
}
