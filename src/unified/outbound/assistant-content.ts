/**
 * The content of a message that is being written, for the `assistant` message at its end. Holds at most
 * `MAX_ASSISTANT_CHARACTERS`, those of sub-agents included: what is beyond was streamed, and is left out with a mark. Pure.
 */
import type { EventOf, SessionEvent } from "../../core/event.ts";
import type { UnifiedContent } from "../unified-message.ts";
import { imageBlock, inputOf, textOf } from "./content-blocks.ts";

/** Of all texts, inputs and results of one `assistant` message. */
export const MAX_ASSISTANT_CHARACTERS = 4 * 1024 * 1024;
const MAX_ASSISTANT_BLOCKS = 5000;

/** What a message and its sub-agents may still take, all together. */
export interface Room {
  characters: number;
  blocks: number;
}

export function newRoom(): Room {
  return { characters: MAX_ASSISTANT_CHARACTERS, blocks: MAX_ASSISTANT_BLOCKS };
}

type Result = EventOf<"tool.output" | "tool.failed" | "tool.denied" | "tool.abandoned" | "tool.amended">;

/** A text is kept as its deltas until somebody wants it: joining at each delta would copy it each time. */
interface Writing {
  kind: "text" | "thinking";
  pieces: string[];
}

export class AssistantContent {
  readonly #blocks = new Map<string, UnifiedContent | Writing>();
  readonly #room: Room;
  #files = 0;
  isCut = false;

  constructor(room: Room) {
    this.#room = room;
  }

  get isEmpty(): boolean {
    return this.#blocks.size === 0;
  }

  add(event: SessionEvent): void {
    switch (event.type) {
      case "text.start":
      case "reasoning.start":
        return this.#set(event.part, { kind: event.type === "text.start" ? "text" : "thinking", pieces: [] });
      case "text.delta":
      case "reasoning.delta": {
        const block = this.#blocks.get(event.part);
        if (block && "pieces" in block && this.#takes(event.delta.length)) block.pieces.push(event.delta);
        return;
      }
      case "tool.start":
        return this.#set(event.call, { type: "tool_use", id: event.call, name: event.name, input: {} });
      case "tool.updated": {
        const block = this.#toolUse(event.call);
        if (block && event.name !== undefined) block.name = event.name;
        return;
      }
      case "tool.input": {
        const block = this.#toolUse(event.call);
        if (block && this.#takes(sizeOf(event.input))) block.input = inputOf(event.input);
        return;
      }
      case "tool.output":
        return event.preliminary ? undefined : this.#settle(event);
      case "tool.failed":
      case "tool.denied":
      case "tool.abandoned":
      case "tool.amended":
        return this.#settle(event);
      case "file": {
        const block = imageBlock(event.url);
        if (!block || !this.#takes(event.url.length)) return;
        this.#files += 1;
        return this.#set(`file ${this.#files}`, block);
      }
      case "content.discarded":
        for (const id of [...event.parts, ...event.calls]) this.#blocks.delete(id);
        for (const call of event.calls) this.#blocks.delete(resultKey(call));
    }
  }

  /** In the order in which they began. */
  blocks(): UnifiedContent[] {
    const blocks: UnifiedContent[] = [];
    for (const block of this.#blocks.values()) {
      if (!("pieces" in block)) blocks.push(block);
      else if (block.kind === "text") blocks.push({ type: "text", text: block.pieces.join("") });
      else blocks.push({ type: "thinking", thinking: block.pieces.join("") });
    }
    return blocks;
  }

  #toolUse(call: string) {
    const block = this.#blocks.get(call);
    return block && "type" in block && block.type === "tool_use" ? block : undefined;
  }

  #settle(event: Result): void {
    // Of a call that began in another message: that one has ended, and this event tells of it.
    if (!this.#toolUse(event.call)) return;
    const { content, isError } = resultText(event);
    this.#set(resultKey(event.call), {
      type: "tool_result",
      tool_use_id: event.call,
      content: this.#takes(content.length)
        ? content
        : "… [left out here: the result was sent when the call ended]",
      ...(isError && { is_error: true }),
    });
  }

  #set(key: string, block: UnifiedContent | Writing): void {
    if (!this.#blocks.has(key) && this.#room.blocks <= 0) {
      this.isCut = true;
      return;
    }
    if (!this.#blocks.has(key)) this.#room.blocks -= 1;
    this.#blocks.set(key, block);
  }

  #takes(characters: number): boolean {
    if (characters <= this.#room.characters) {
      this.#room.characters -= characters;
      return true;
    }
    this.isCut = true;
    return false;
  }
}

function resultKey(call: string): string {
  return `result ${call}`;
}

function sizeOf(value: unknown): number {
  return typeof value === "string" ? value.length : textOf(value).length;
}

/** What a result says to whoever reads only texts. */
export function resultText(event: Result): { content: string; isError: boolean } {
  switch (event.type) {
    case "tool.output":
      return { content: textOf(event.output), isError: false };
    case "tool.amended":
      return { content: event.error ?? textOf(event.output), isError: event.error !== undefined };
    case "tool.failed":
      return { content: event.error, isError: true };
    case "tool.denied":
    case "tool.abandoned":
      return { content: event.reason ?? "", isError: true };
  }
}
