/**
 * `stream_event` → drafts of texts, thoughts and calls. Reads blocks of content, and the stream events of Claude in
 * `metadata.event`, which adapters pass on as they are. Where a message has both, they say the same.
 */
import type { Draft } from "../../core/draft.ts";
import { isRecord } from "../../core/is-record.ts";
import { parseJson } from "../../core/parse-json.ts";
import { withoutUndefined } from "../../core/without-undefined.ts";
import type { UnifiedContent, UnifiedMessage } from "../unified-message.ts";
import { blockText } from "./block-text.ts";
import type { KnownCalls, Origin } from "./known-calls.ts";
import { type Metadata, numberIn, ownIn, recordIn, textIn } from "./metadata.ts";
import type { StreamedContent, TextKind } from "./streamed-content.ts";

const KINDS = { text: "text", thinking: "reasoning" } as const satisfies Record<
  TextKind,
  "text" | "reasoning"
>;
const MAX_OPEN_BLOCKS = 1000;
const MAX_INPUT_CHARACTERS = 1024 * 1024;

interface OpenBlock {
  kind: TextKind | "tool_use";
  /** Of the part, or of the call. */
  id: string;
  /** Input of a call so far. */
  json: string;
}

export class StreamReader {
  readonly #calls: KnownCalls;
  /** Blocks of Claude's stream events, by message and index. */
  readonly #blocks = new Map<string, OpenBlock>();
  /** The message that streams, where its events do not name it. */
  #message = "";

  constructor(calls: KnownCalls) {
    this.#calls = calls;
  }

  read(message: UnifiedMessage, origin: Origin, streamed: StreamedContent): Draft[] {
    const { metadata, content } = message;
    const event = recordIn(metadata, "event");
    const type = event && textIn(event, "type");
    const part = textIn(metadata, "part_id");
    if (type === "message_start") return this.#startMessage(metadata, event!);
    const kind = textIn(metadata, "kind");
    if (kind === "source" || (kind === "file" && content.length === 0))
      return attachment(kind, recordIn(metadata, kind), origin);
    const drafts: Draft[] = [];
    if (event && type?.startsWith("content_block_"))
      drafts.push(...this.#readBlock({ type, event, metadata, part, origin, streamed, content }));
    else drafts.push(...this.#readContent(message, part, origin, streamed));
    return drafts;
  }

  #startMessage(metadata: Metadata, event: Metadata): Draft[] {
    const message = recordIn(event, "message");
    this.#message = (message && textIn(message, "id")) ?? textIn(metadata, "message_id") ?? "";
    this.#blocks.clear();
    const answered = textIn(metadata, "inResponseTo");
    return answered === undefined ? [] : [{ type: "prompt.taken", message: answered }];
  }

  /** Blocks without an event of the stream are what is new. */
  #readContent(
    { content, metadata }: UnifiedMessage,
    part: string | undefined,
    origin: Origin,
    streamed: StreamedContent,
  ): Draft[] {
    return content.flatMap((block) => this.#readDelta(block, metadata, part, origin, streamed));
  }

  #readDelta(
    block: UnifiedContent,
    metadata: Metadata,
    part: string | undefined,
    origin: Origin,
    streamed: StreamedContent,
  ): Draft[] {
    switch (block.type) {
      case "text":
        return delta("text", block.text, part, origin, streamed);
      case "thinking":
        return delta("thinking", block.thinking, part, origin, streamed);
      case "refusal":
      case "code":
        return delta("text", blockText(block), part, origin, streamed);
      case "tool_use":
        return [
          ...this.#calls.start(block.id, block.name, origin),
          ...this.#calls.input(block.id, block.input, origin),
        ];
      case "image": {
        streamed.addImage(block.source.data);
        const file = recordIn(metadata, "file") ?? {};
        return [imageFile(block, textIn(file, "filename"), origin)];
      }
      case "tool_result":
        return [];
    }
  }

  #readBlock(given: {
    type: string;
    event: Metadata;
    metadata: Metadata;
    part: string | undefined;
    origin: Origin;
    streamed: StreamedContent;
    content: readonly UnifiedContent[];
  }): Draft[] {
    const { type, event, metadata, part, origin, streamed, content } = given;
    const message = textIn(metadata, "message_id") ?? this.#message;
    const key = `${origin.parent ?? ""} ${message} ${numberIn(event, "index") ?? ""}`;
    const open = this.#blocks.get(key);
    if (type === "content_block_start") {
      const block = recordIn(event, "content_block") ?? {};
      const kind = textIn(block, "type");
      if (kind === "tool_use") return this.#startCall(key, block, metadata, origin);
      if (kind !== "text" && kind !== "thinking") return [];
      const id = part ?? key;
      this.#open(key, { kind, id, json: "" });
      streamed.cut(kind, id);
      const purpose = purposeIn(metadata);
      const first = textIn(block, kind) ?? "";
      const start = { type: `${KINDS[kind]}.start`, part: id, ...origin } as const;
      return [
        kind === "text" && purpose ? { ...start, type: "text.start", purpose } : start,
        ...delta(kind, first, id, origin, streamed),
      ];
    }
    if (type === "content_block_stop") {
      this.#blocks.delete(key);
      const complete = content.flatMap((block) => this.#readDelta(block, metadata, part, origin, streamed));
      if (open?.kind === "tool_use") {
        if (this.#calls.hasInput(open.id)) return complete;
        return [...complete, ...this.#calls.input(open.id, asInput(open.json), origin)];
      }
      if (!open) return complete;
      streamed.cut(open.kind, open.id);
      return [...complete, { type: `${KINDS[open.kind]}.end`, part: open.id, ...origin }];
    }
    const change = recordIn(event, "delta") ?? {};
    switch (textIn(change, "type")) {
      case "text_delta":
        return delta("text", textIn(change, "text") ?? textOf(content), part ?? open?.id, origin, streamed);
      case "thinking_delta":
        return delta(
          "thinking",
          textIn(change, "thinking") ?? textOf(content),
          part ?? open?.id,
          origin,
          streamed,
        );
      case "input_json_delta": {
        const call = textIn(metadata, "tool_use_id") ?? (open?.kind === "tool_use" ? open.id : undefined);
        const json = textIn(change, "partial_json") ?? "";
        if (call === undefined || this.#calls.hasInput(call)) return [];
        if (open && open.json.length < MAX_INPUT_CHARACTERS) open.json += json;
        return [
          ...this.#calls.start(call, undefined, origin),
          { type: "tool.input.delta", call, delta: json, ...origin },
        ];
      }
      default:
        return [];
    }
  }

  #startCall(key: string, block: Metadata, metadata: Metadata, origin: Origin): Draft[] {
    const call = textIn(metadata, "tool_use_id") ?? textIn(block, "id");
    if (call === undefined) return [];
    this.#open(key, { kind: "tool_use", id: call, json: "" });
    const [start] = this.#calls.start(call, textIn(block, "name"), origin);
    if (start?.type !== "tool.start") return [];
    const locations = ownIn(metadata, "locations");
    return [
      withoutUndefined({
        ...start,
        title: textIn(metadata, "title"),
        kind: textIn(metadata, "tool_kind"),
        ...(Array.isArray(locations) && { locations }),
      }),
    ];
  }

  #open(key: string, block: OpenBlock): void {
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size >= MAX_OPEN_BLOCKS) this.#blocks.delete(oldest!);
    this.#blocks.set(key, block);
  }
}

function delta(
  kind: TextKind,
  text: string,
  part: string | undefined,
  origin: Origin,
  streamed: StreamedContent,
): Draft[] {
  if (text === "") return [];
  streamed.add(kind, text, part);
  const named = part === undefined ? {} : { part };
  return [{ type: `${KINDS[kind]}.delta`, ...named, delta: text, ...origin }];
}

function textOf(content: readonly UnifiedContent[]): string {
  return content
    .map((block) => (block.type === "text" ? block.text : block.type === "thinking" ? block.thinking : ""))
    .join("");
}

function purposeIn(metadata: Metadata): "commentary" | "answer" | "plan" | undefined {
  const purpose = textIn(metadata, "purpose");
  return purpose === "commentary" || purpose === "answer" || purpose === "plan" ? purpose : undefined;
}

/** An input that was only streamed. Nothing at all is an empty one. */
function asInput(json: string): Metadata | undefined {
  if (json.trim() === "") return {};
  try {
    const value = parseJson(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function imageFile(
  { source }: Extract<UnifiedContent, { type: "image" }>,
  filename: string | undefined,
  origin: Origin,
): Draft {
  const url = `data:${source.media_type};base64,${source.data}`;
  return withoutUndefined({ type: "file", url, mediaType: source.media_type, filename, ...origin } as const);
}

function attachment(kind: "source" | "file", given: Metadata | undefined, origin: Origin): Draft[] {
  if (!given) return [];
  const url = textIn(given, "url");
  const mediaType = textIn(given, "mediaType", "media_type");
  const filename = textIn(given, "filename");
  if (kind === "file") {
    if (url === undefined) return [];
    return [
      withoutUndefined({
        type: "file",
        url,
        mediaType: mediaType ?? "application/octet-stream",
        filename,
        ...origin,
      } as const),
    ];
  }
  const id = textIn(given, "id") ?? url;
  if (id === undefined) return [];
  return [
    withoutUndefined({
      type: "source",
      id,
      url,
      title: textIn(given, "title"),
      mediaType,
      filename,
      ...origin,
    } as const),
  ];
}
