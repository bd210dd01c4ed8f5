/**
 * Tells what is wrong with a value that should be a UnifiedMessage. For values from others, whatever they are: it looks at
 * a bounded part of them, calls nothing of theirs but getters, and never throws.
 */
import { isRecord } from "../core/is-record.ts";
import { UNIFIED_MESSAGE_TYPES, UNIFIED_ROLES } from "./unified-message.ts";

/** Limits of one message. Whoever carries messages may have lower ones. */
export const UNIFIED_LIMITS = {
  /** Of `id`, `parentId` and ids of calls, in characters. */
  MAX_ID_LENGTH: 512,
  MAX_BLOCKS: 10_000,
  /** Keys of `metadata`, not counting what is inside of their values. */
  MAX_METADATA_KEYS: 1000,
  /** Of the values in `metadata` and in the input of a call. */
  MAX_DEPTH: 200,
  /** Objects, lists and values in them, of the whole message. */
  MAX_VALUES: 1_000_000,
  /** Of all texts of the message together, in characters. */
  MAX_CHARACTERS: 64 * 1024 * 1024,
} as const;

/** The first thing that is wrong. */
export interface UnifiedMessageProblem {
  /** The field: `content.0.text`. Empty for the value itself. */
  readonly path: string;
  /** What it has to be. */
  readonly message: string;
}

const TYPES: ReadonlySet<unknown> = new Set(UNIFIED_MESSAGE_TYPES);
const ROLES: ReadonlySet<unknown> = new Set(UNIFIED_ROLES);

/**
 * The first problem, or undefined where there is none.
 *
 * @example
 * checkUnifiedMessage({ id: "1", timestamp: "now" })?.path; // => "timestamp"
 */
export function checkUnifiedMessage(value: unknown): UnifiedMessageProblem | undefined {
  try {
    new MessageCheck().message(value);
    return undefined;
  } catch (problem) {
    if (problem instanceof Problem) return { path: problem.path, message: problem.message };
    // A getter or a proxy of a hostile value threw.
    return { path: "", message: "must be a plain object" };
  }
}

class Problem {
  readonly path: string;
  readonly message: string;
  constructor(path: string, message: string) {
    this.path = path;
    this.message = message;
  }
}

function expect(holds: boolean, path: string, message: string): asserts holds {
  if (!holds) throw new Problem(path, message);
}

type Fields = Record<string, unknown>;

class MessageCheck {
  #values = 0;
  #characters = 0;

  message(value: unknown): void {
    const message = this.#object(value, "");
    this.#id(message, "id", "");
    expect(Number.isFinite(message.timestamp), "timestamp", "must be milliseconds since the epoch");
    expect(TYPES.has(message.type), "type", `must be one of ${UNIFIED_MESSAGE_TYPES.join(", ")}`);
    expect(ROLES.has(message.role), "role", `must be one of ${UNIFIED_ROLES.join(", ")}`);
    const { content } = message;
    expect(Array.isArray(content), "content", "must be a list of content blocks");
    expect(
      content.length <= UNIFIED_LIMITS.MAX_BLOCKS,
      "content",
      `must have at most ${UNIFIED_LIMITS.MAX_BLOCKS} blocks`,
    );
    for (let at = 0; at < content.length; at += 1) this.#block(content[at], `content.${at}`);
    const metadata = this.#object(message.metadata, "metadata");
    expect(
      Object.keys(metadata).length <= UNIFIED_LIMITS.MAX_METADATA_KEYS,
      "metadata",
      `must have at most ${UNIFIED_LIMITS.MAX_METADATA_KEYS} keys`,
    );
    this.#json(metadata, "metadata", 0);
    if (message.parentId !== undefined) this.#id(message, "parentId", "");
  }

  #block(value: unknown, path: string): void {
    const block = this.#object(value, path);
    switch (block.type) {
      case "text":
        return this.#text(block, "text", path);
      case "thinking":
        this.#text(block, "thinking", path);
        return expect(
          block.budget_tokens === undefined || Number.isFinite(block.budget_tokens),
          `${path}.budget_tokens`,
          "must be a number",
        );
      case "tool_use":
        this.#id(block, "id", path);
        this.#text(block, "name", path);
        return this.#json(this.#object(block.input, `${path}.input`), `${path}.input`, 0);
      case "tool_result":
        this.#id(block, "tool_use_id", path);
        this.#text(block, "content", path);
        return expect(
          block.is_error === undefined || typeof block.is_error === "boolean",
          `${path}.is_error`,
          "must be true or false",
        );
      case "image": {
        const source = this.#object(block.source, `${path}.source`);
        expect(source.type === "base64", `${path}.source.type`, 'must be "base64"');
        this.#text(source, "media_type", `${path}.source`);
        return this.#text(source, "data", `${path}.source`);
      }
      case "code":
        this.#text(block, "language", path);
        return this.#text(block, "code", path);
      case "refusal":
        return this.#text(block, "refusal", path);
      default:
        throw new Problem(
          `${path}.type`,
          "must be text, thinking, tool_use, tool_result, image, code or refusal",
        );
    }
  }

  #object(value: unknown, path: string): Fields {
    expect(isRecord(value), path, path === "" ? "must be a UnifiedMessage" : "must be an object");
    return value as Fields;
  }

  #id(of: Fields, name: string, path: string): void {
    const id = of[name];
    const holds = typeof id === "string" && id.length > 0 && id.length <= UNIFIED_LIMITS.MAX_ID_LENGTH;
    expect(holds, join(path, name), `must be a text of 1 to ${UNIFIED_LIMITS.MAX_ID_LENGTH} characters`);
  }

  #text(of: Fields, name: string, path: string): void {
    const text = of[name];
    expect(typeof text === "string", join(path, name), "must be a text");
    this.#count(text.length, join(path, name));
  }

  #count(characters: number, path: string): void {
    this.#characters += characters;
    expect(this.#characters <= UNIFIED_LIMITS.MAX_CHARACTERS, path, "is too long");
    this.#values += 1;
    expect(this.#values <= UNIFIED_LIMITS.MAX_VALUES, path, "has too many values");
  }

  /** What JSON can say, so neither cycles nor functions nor infinite numbers. */
  #json(value: unknown, path: string, depth: number): void {
    switch (typeof value) {
      case "string":
        return this.#count(value.length, path);
      case "number":
        this.#count(0, path);
        return expect(Number.isFinite(value), path, "must be a finite number");
      case "boolean":
      case "undefined":
        return this.#count(0, path);
      case "object": {
        this.#count(0, path);
        if (value === null) return;
        expect(depth < UNIFIED_LIMITS.MAX_DEPTH, path, "is too deep, or contains itself");
        if (Array.isArray(value)) {
          expect(value.length <= UNIFIED_LIMITS.MAX_VALUES, path, "has too many values");
          for (let at = 0; at < value.length; at += 1) this.#json(value[at], path, depth + 1);
          return;
        }
        for (const key of Object.keys(value)) {
          this.#count(key.length, path);
          // Only the first level is named: the paths of deep values cost more than they tell.
          this.#json((value as Fields)[key], depth === 0 ? join(path, key.slice(0, 64)) : path, depth + 1);
        }
        return;
      }
      default:
        throw new Problem(path, "must be something that JSON can say");
    }
  }
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
