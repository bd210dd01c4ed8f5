/** What the AI SDK's messages do not say of a conversation. */
import {
  amend,
  isSaid,
  joinTexts,
  mapContent,
  mapMessages,
  mapParts,
  omit,
  withoutFields,
  withoutMessageFields,
  withoutParts,
} from "../../../src/testkit/dialect-contract/drops.ts";
import type {
  CallPart,
  Transcript,
  TranscriptPart,
} from "../../../src/testkit/dialect-contract/transcript.ts";
import type { Drop } from "../../../src/testkit/dialect-contract/transcript-contract.ts";

/** The call as the client has it. */
function findCall(read: Transcript, call: string | undefined): CallPart | undefined {
  for (const { content } of read)
    for (const part of content) if (part.type === "call" && part.call === call) return part;
  return undefined;
}

/** Of a live message and of a stored one. */
const OF_BOTH: readonly Drop[] = [
  {
    what: "what came between two pieces of one text",
    why: "a text is one part, where it began, or one for each step, all with its id",
    apply: joinTexts,
  },
  {
    what: "when the input of a call was complete, and when an ask was answered",
    why: "a call and an ask are one part each, where they began",
    apply: withoutParts("called", "answered"),
  },
  {
    what: "kind and places of a call that became known after its step",
    why: "a tool part takes nothing in a later step; name, title and input are in `data-tool-update`",
    apply: (transcript, read) =>
      mapParts("call", (part) => {
        if (!part.isUpdated) return part;
        const { kind, locations } = findCall(read, part.call) ?? {};
        return { ...omit(part, ["isUpdated"]), kind, locations };
      })(transcript),
  },
  {
    what: "that the input of a call never came",
    why: "a result needs an input before it: as much as was streamed is shown, or what the ask tells, or `{}`",
    apply: (transcript, read) =>
      mapParts("call", (part) => {
        if (part.input !== undefined && part.input !== null) return part;
        const shown = findCall(read, part.call);
        // One that is open may still get it.
        return { ...part, input: shown?.input ?? (part.result || part.parent ? {} : undefined) };
      })(transcript),
  },
  {
    what: "whether a call was denied",
    why: "`output-denied` is for an approval on the same part; any other denial is `output-error` with the reason",
    apply: (transcript, read) =>
      mapParts("call", (part) => {
        const { result } = part;
        if (result?.state !== "denied") return part;
        if (findCall(read, part.call)?.result?.state === "denied")
          return { ...part, result: omit(result, ["error"]) };
        const error = result.error ?? "The call was denied.";
        return { ...part, result: { ...result, state: "failed", error } };
      })(transcript),
  },
  {
    what: "what an agent tells of a result besides its output, and that there was none",
    why: "there is no field; exit code and size of a cut output are in `data-tool-result`",
    apply: (transcript, read) =>
      mapParts("call", (part) => {
        if (!part.result) return part;
        const result = omit(part.result, ["metadata"]);
        if (result.state === "done") return { ...part, result: { ...result, output: result.output ?? null } };
        // The end of what it had said until then.
        const output = result.output ?? findCall(read, part.call)?.result?.output;
        return { ...part, result: { ...result, ...(output !== undefined && { output }) } };
      })(transcript),
  },
  {
    what: "type and name of a source with an address, and that a document has no type or title",
    why: "`source-url` has no fields for them, `source-document` needs them",
    apply: mapParts("source", (part) => {
      if (part.url !== undefined) return omit(part, ["mediaType", "filename"]);
      const { id, mediaType = "application/octet-stream", filename } = part;
      return { ...part, mediaType, title: part.title ?? filename ?? id };
    }),
  },
  {
    what: "where among its message something of a sub-agent or of a task began, what has not ended of it, and exit codes there",
    why: "`data-subagent` has it in one piece when it has ended",
    apply: mapContent((content) => [
      ...content.filter((part) => !isInSubagent(part)),
      ...sorted(content.filter((part) => isInSubagent(part) && !isUnfinished(part)).map(resultOnly)),
    ]),
  },
  {
    what: "where among its message an ask was opened, and that an answer is not delivered yet",
    why: "it waits for the input of other calls, which could not be given after it; `data-ask` changes when it is closed",
    apply: (transcript) =>
      mapContent((content) => [
        ...content.filter(({ type }) => type !== "ask"),
        ...sorted(content.filter(({ type }) => type === "ask")),
      ])(
        mapParts("ask", (part) =>
          part.state === "answered" && part.delivered === undefined
            ? { ...omit(part, ["answer", "isBeside"]), state: "open" }
            : omit(part, ["isBeside"]),
        )(transcript),
      ),
  },
  {
    what: "a compaction that was not needed, and what triggered one that has ended",
    why: "there is nothing to show; `data-compaction` tells how it ended",
    apply: mapContent((content) =>
      content.flatMap((part): TranscriptPart[] => {
        if (part.type !== "compaction" || part.state !== "ended") return [part];
        if (part.skipped !== undefined && !("trigger" in part)) return [];
        return [omit(part, ["trigger"])];
      }),
    ),
  },
];

/** The answer to a prompt while it comes. */
export const AI_SDK_STREAM_DROPS: readonly Drop[] = [
  {
    what: "prompts, and what made the agent begin by itself",
    why: "a stream is one answer; the stored messages have all",
    apply: (transcript) => transcript.filter(({ role }) => role === "assistant"),
  },
  {
    what: "a result that changed after the call had ended",
    why: "a settled part cannot be settled again; the stored message has it",
    apply: withoutFields("call", "amended"),
  },
  ...OF_BOTH,
];

/** The stored messages. */
export const AI_SDK_HISTORY_DROPS: readonly Drop[] = [
  {
    what: "what a person looked at, beside a prompt",
    why: "stock clients have no place for it, and would send it back as words of the person",
    apply: mapMessages((message) =>
      message.role === "user"
        ? { ...message, content: message.content.filter(({ type }) => type !== "context") }
        : message,
    ),
  },
  {
    what: "the checkpoint before a prompt",
    why: "`/v1` has it",
    apply: withoutMessageFields("checkpoint"),
  },
  {
    what: "the result of a call as it was before the agent changed it",
    why: "the stored message is what stands",
    apply: amend,
  },
  ...OF_BOTH,
];

function isInSubagent(part: TranscriptPart): boolean {
  const isContent = isSaid(part) || ["call", "file", "source"].includes(part.type);
  return isContent && ("parent" in part || "task" in part);
}

function isUnfinished(part: TranscriptPart): boolean {
  return isSaid(part) ? part.isOpen === true : part.type === "call" && part.result === undefined;
}

/** Inside of `data-subagent` nothing stands beside the part. */
function resultOnly(part: TranscriptPart): TranscriptPart {
  if (part.type !== "call" || !part.result) return part;
  const { state, output, error } = part.result;
  return { ...part, result: state === "done" ? { state, output } : { state, error } };
}

/** In an order that both sides have. */
export function sorted(parts: readonly TranscriptPart[]): TranscriptPart[] {
  const key = (part: TranscriptPart) => JSON.stringify(part, Object.keys(part).sort());
  return parts.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
