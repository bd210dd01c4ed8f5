/** What is to be known about an agent's own messages beside their meaning, which its translator knows. */
import type { RecordInput } from "../agents/transport/translator.ts";
import type { PromptPart } from "../core/prompt-part.ts";

/** A message as an object. */
export type Fields = Readonly<Record<string, unknown>>;

export interface NativeRecord {
  readonly direction: RecordInput["direction"];
  readonly data: RecordInput["data"];
  /**
   * Nobody gave it: it must have been said, or what was given could not have followed. The translator needs it; for
   * the conversation it means nothing.
   */
  readonly isAssumed?: true;
  /** A turn runs, whoever began it: what the agent says next belongs to one. */
  readonly isInTurn?: true;
}

/** Knows one conversation, from its beginning. */
export interface NativeReader {
  /** The records a message makes. `isSent`: it went to the agent. */
  read(message: Fields, isSent: boolean): readonly NativeRecord[];
  /** What was held back to see what follows. */
  flush?(): readonly NativeRecord[];
  /** What is to be added where nothing follows. */
  end?(): readonly NativeRecord[];
}

export interface NativeForm {
  createReader(): NativeReader;
  /** The agent's own id of a whole message. */
  idOf(message: Fields): string | undefined;
  /** What a person wrote, as the agent takes it. Throws `unsupported` for a file it has no place for. */
  toInput(parts: readonly PromptPart[]): unknown;
}

export function heard(message: unknown): NativeRecord {
  return { direction: "in", data: JSON.stringify(message) };
}

export function sent(message: unknown): NativeRecord {
  return { direction: "out", data: JSON.stringify(message) };
}

export function assumed(...records: readonly NativeRecord[]): NativeRecord[] {
  return records.map((record) => ({ ...record, isAssumed: true }));
}

export function inTurn(record: NativeRecord): NativeRecord {
  return { ...record, isInTurn: true };
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
