/**
 * Keeps what an agent says within bounds before it becomes events: every field of every draft, by one table
 * (draft-limits.ts). What is cut is marked; the raw record keeps all of it. Pure, for the live session and for replay.
 */
import { boundValue, cutText, isWithin, sizeOf } from "./bound-value.ts";
import type { Draft } from "./draft.ts";
import {
  EXACT_FIELDS,
  FREE_LIMITS,
  ID_FIELDS,
  ID_LIST_FIELDS,
  LIST_SIZE,
  MAX_EXACT_LENGTH,
  MAX_FILE_URL_LENGTH,
  MAX_LIST_LENGTH,
  SHORT_TEXT,
  TEXT_LIMITS,
} from "./draft-limits.ts";
import { MAX_ID_LENGTH, shortId } from "./short-id.ts";
import { truncateOutput } from "./truncate-output.ts";

type FileDraft = Extract<Draft, { type: "file" }>;

/** Lists in lists: the options of a question of an ask, the choices of a setting. */
const DEEPEST_LIST = 4;

/** The drafts to apply instead: mostly the draft itself. */
export function boundDraft(draft: Draft, maxToolOutputBytes: number): readonly Draft[] {
  return isWithinBounds(draft, maxToolOutputBytes) ? [draft] : cutDraft(draft, maxToolOutputBytes);
}

/** A cheap check that nearly all drafts pass: the length of each text. False means that a closer look is needed. */
export function isWithinBounds(draft: Draft, maxToolOutputBytes: number): boolean {
  for (const field in draft) {
    const value = (draft as Record<string, unknown>)[field];
    if (typeof value === "string") {
      if (value.length > textLimit(draft, field, maxToolOutputBytes)) return false;
    } else if (typeof value === "object" && value !== null) {
      const limit = field === "output" ? maxToolOutputBytes : FREE_LIMITS[field];
      if (limit === undefined ? !isSmallStructure(value) : !isWithin(value, limit)) return false;
    }
  }
  return true;
}

function textLimit(draft: Draft, field: string, maxToolOutputBytes: number): number {
  if (field === "output") return maxToolOutputBytes;
  if (field === "url" && draft.type === "file") return MAX_FILE_URL_LENGTH;
  return FREE_LIMITS[field] ?? limitOf(field);
}

function limitOf(field: string): number {
  if (ID_FIELDS.has(field)) return MAX_ID_LENGTH;
  return EXACT_FIELDS.has(field) ? MAX_EXACT_LENGTH : (TEXT_LIMITS[field] ?? SHORT_TEXT);
}

/** Whether a structured value is so short that it cannot exceed the limit of any field. */
function isSmallStructure(value: object): boolean {
  let size = 0;
  const isSmall = (item: unknown, depth: number): boolean => {
    if (typeof item === "string") {
      size += item.length;
      return item.length <= MAX_ID_LENGTH;
    }
    if (typeof item !== "object" || item === null) return true;
    size += 8;
    if (size > LIST_SIZE || depth > DEEPEST_LIST) return false;
    if (!Array.isArray(item)) return Object.values(item).every((one) => isSmall(one, depth + 1));
    return item.length <= MAX_LIST_LENGTH && item.every((one) => isSmall(one, depth + 1));
  };
  return isSmall(value, 0) && size <= LIST_SIZE;
}

function cutDraft(draft: Draft, maxToolOutputBytes: number): readonly Draft[] {
  if (draft.type === "file" && draft.url.length > MAX_FILE_URL_LENGTH) return [fileTooLarge(draft)];
  let dropped = 0;
  const bounded: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(draft)) {
    if (field === "output") Object.assign(bounded, outputOf(draft, value, maxToolOutputBytes));
    else if (field in FREE_LIMITS) {
      bounded[field] = boundValue(value, FREE_LIMITS[field]!);
      if (draft.type === "tool.input" && field === "input" && bounded[field] !== value)
        bounded.truncatedFrom = sizeOf(value);
    } else if (field === "id" && typeof value === "string") bounded[field] = shortId(value);
    else if (field === "delta" || (field === "url" && draft.type === "file")) bounded[field] = value;
    else {
      // Each field has its own limit: large changes must not cost an ask its options.
      const cut = new StructureCut();
      bounded[field] = cut.field(field, value, 0);
      dropped += cut.dropped;
    }
  }
  const { delta } = bounded;
  const pieces =
    typeof delta === "string" ? split(delta).map((piece) => ({ ...bounded, delta: piece })) : [bounded];
  return [...(pieces as Draft[]), ...(dropped > 0 ? [entriesLeftOut(draft, dropped)] : [])];
}

/** A failure has no field that tells how long its output was; the mark in it does. */
function outputOf(draft: Draft, output: unknown, limit: number): object {
  const truncated = truncateOutput(output, limit);
  return draft.type === "tool.output" || draft.type === "tool.amended"
    ? truncated
    : { output: truncated.output };
}

/** Nothing of a text is lost: it becomes several pieces. */
function split(delta: string): string[] {
  const size = TEXT_LIMITS.delta!;
  const pieces: string[] = [];
  for (let at = 0; at < delta.length || at === 0; at += size) pieces.push(delta.slice(at, at + size));
  return pieces;
}

/** What has a shape of ours: texts are cut by their fields, entries of lists that have no room are left out. */
class StructureCut {
  dropped = 0;
  #left = LIST_SIZE;

  /** Undefined for what is left out. */
  field(name: string, value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.#text(name, value);
    if (Array.isArray(value)) return this.#list(name, value, depth);
    return typeof value === "object" && value !== null ? this.#object(value, depth) : value;
  }

  #text(name: string, text: string): string | undefined {
    const limit = limitOf(name);
    this.#left -= Math.min(text.length, limit);
    if (text.length <= limit) return text;
    if (ID_FIELDS.has(name)) return shortId(text);
    return EXACT_FIELDS.has(name) ? undefined : cutText(text, limit);
  }

  #list(name: string, list: readonly unknown[], depth: number): unknown[] {
    const kept: unknown[] = [];
    const most = depth > DEEPEST_LIST ? 0 : MAX_LIST_LENGTH;
    for (const item of list) {
      if (kept.length >= most || this.#left <= 0) break;
      this.#left -= 8;
      const entry = ID_LIST_FIELDS.has(name) ? shortId(String(item)) : this.field(name, item, depth + 1);
      if (entry !== undefined) kept.push(entry);
    }
    this.dropped += list.length - kept.length;
    return kept;
  }

  /** Undefined where what has to be exact is too long: without it an entry means nothing. */
  #object(object: object, depth: number): object | undefined {
    const kept: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(object)) {
      kept[name] = this.field(name, value, depth + 1);
      if (kept[name] === undefined && value !== undefined && EXACT_FIELDS.has(name)) return undefined;
    }
    return kept;
  }
}

function fileTooLarge({ url, filename, parent, task }: FileDraft): Draft {
  const name = filename === undefined ? "A file" : `The file ${cutText(filename, 200)}`;
  const text = `${name} of ${url.length} characters is too large for the log; the raw record has it.`;
  return { type: "notice", level: "warning", code: "cut", text, parent, task };
}

function entriesLeftOut({ type }: Draft, count: number): Draft {
  const text = `${type}: ${count} entries are left out, the lists were too long. The raw record has them.`;
  return { type: "notice", level: "warning", code: "cut", text };
}
