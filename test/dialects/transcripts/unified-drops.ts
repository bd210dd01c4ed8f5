/** What UnifiedMessages do not say of a conversation. */
import {
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
  CallResult,
  Transcript,
  TranscriptMessage,
  TranscriptPart,
} from "../../../src/testkit/dialect-contract/transcript.ts";
import type { Drop } from "../../../src/testkit/dialect-contract/transcript-contract.ts";

const INPUTS: Drop = {
  what: "inputs of calls that are no object",
  why: "the block `tool_use` has an object: any other value is its `value`",
  apply: (transcript) =>
    mapParts("call", ({ edited, ...part }) => ({
      ...part,
      ...("input" in part && { input: inputOf(part.input) }),
      ...(edited && { edited: { ...edited, proposed: inputOf(edited.proposed) } }),
    }))(
      mapParts("called", (part) => ("input" in part ? { ...part, input: inputOf(part.input) } : part))(
        transcript,
      ),
    ),
};

/** Everything that is sent. */
export const UNIFIED_STREAM_DROPS: readonly Drop[] = [
  {
    what: "where in a prompt a file or a context stands that is no block",
    why: "only texts, pictures and code are blocks; the others are in `attachments`",
    apply: mapMessages((message) =>
      message.role === "user" ? { ...message, content: attachmentsLast(message.content) } : message,
    ),
  },
  INPUTS,
  {
    what: "whether a result is empty or absent, and whether a reason is",
    why: "the block `tool_result` has a text in any case",
    apply: mapParts("call", ({ result, amended, ...part }) => ({
      ...part,
      ...(result && { result: withText(result) }),
      ...(amended && { amended: withText(amended) }),
    })),
  },
  {
    what: "how many tokens there were around a compaction that failed or was not needed",
    why: "`session_compacted` is for one that was made",
    apply: mapParts("compaction", (part) =>
      part.skipped === undefined && part.error === undefined
        ? part
        : omit(part, ["tokensBefore", "tokensAfter"]),
    ),
  },
];

/** For consumers that read only `assistant`: whole answers. */
export const UNIFIED_ASSISTANT_DROPS: readonly Drop[] = [
  {
    what: "prompts, and what made the agent begin by itself",
    why: "`user_message` and `status_change` have them",
    apply: (transcript) => transcript.filter(({ role }) => role === "assistant"),
  },
  {
    what: "what sub-agents and tasks say and do",
    why: "a sub-agent has an `assistant` message of its own, with `parent_tool_use_id`; tasks are streamed only",
    apply: mapContent((content) => content.filter((part) => !("parent" in part) && !("task" in part))),
  },
  {
    what: "what the agent took back",
    why: "the message is what stands when it ends",
    apply: mapContent((content) => content.filter((part) => !("isDiscarded" in part))),
  },
  {
    what: "what came between two pieces of one text, its id and what it is for",
    why: "a text is one block, where it began",
    apply: (transcript) => {
      const bare = (type: "text" | "reasoning") => withoutFields(type, "part", "purpose", "isOpen");
      return bare("text")(bare("reasoning")(joinTexts(transcript)));
    },
  },
  {
    what: "asks, sources, files but pictures, edits, notices, plans, summaries and compactions",
    why: "each has a message of its own",
    apply: mapContent((content) =>
      content.filter((part) => isSaid(part) || part.type === "call" || isPicture(part)),
    ),
  },
  INPUTS,
  {
    what: "title, kind and places of a call, and what a result is besides its text",
    why: "the blocks `tool_use` and `tool_result` have no fields for them; `tool_use_summary` has",
    apply: (transcript, read) =>
      mapContent((content, message) =>
        content.map((part): TranscriptPart => {
          if (part.type === "file") return { type: "file", url: part.url, mediaType: mediaTypeOf(part.url) };
          if (part.type !== "call") return part;
          const { type, call, name, input, result, amended } = part;
          // One that changed before its message had ended.
          const shown = amended && findResult(read, message.id, call);
          const text = shown ?? (result && textResult(result));
          return { type, call, name, input: input ?? {}, ...(text && { result: text }) };
        }),
      )(transcript),
  },
  {
    what: "when and how a turn ended, and what it cost",
    why: "`result` has it",
    apply: withoutMessageFields(
      "at",
      "turn",
      "agent",
      "outcome",
      "error",
      "delivery",
      "usage",
      "cost",
      "durationMs",
      "waitedMs",
    ),
  },
  {
    what: "answers without content",
    why: "there is nothing to send",
    apply: (transcript) =>
      withoutParts("called", "answered")(transcript).filter(({ content }) => content.length > 0),
  },
];

function attachmentsLast(content: TranscriptMessage["content"]): TranscriptPart[] {
  const isBlock = (part: TranscriptPart) =>
    part.type === "text" || isPicture(part) || (part.type === "context" && part.content !== undefined);
  return [...content.filter(isBlock), ...content.filter((part) => !isBlock(part))];
}

function isPicture(part: TranscriptPart): boolean {
  return part.type === "file" && /^data:image\/[^;,]+;base64,/.test(part.url);
}

function mediaTypeOf(url: string): string {
  return /^data:([^;,]+);/.exec(url)?.[1] ?? "";
}

function inputOf(input: unknown): unknown {
  if (input === undefined || input === null) return {};
  return typeof input === "object" && !Array.isArray(input) ? input : { value: input };
}

function withText(result: CallResult): CallResult {
  if (result.state === "done") return { ...result, output: result.output ?? "" };
  return { ...result, error: result.error ?? "" };
}

function textResult({ state, output, error }: CallResult): CallResult {
  if (state !== "done") return { state: "failed", error: error ?? "" };
  const isText = typeof output === "string";
  return {
    state,
    output: output === undefined || output === null ? "" : isText ? output : JSON.stringify(output),
  };
}

function findResult(
  read: Transcript,
  id: string | undefined,
  call: string | undefined,
): CallResult | undefined {
  const part = read
    .find((message) => message.id === id)
    ?.content.find((other) => other.type === "call" && other.call === call);
  return part?.type === "call" ? part.result : undefined;
}
