/** Reads the metadata of messages that others made: what has the wrong type is as if it were absent. Pure. */
import { isRecord } from "../../core/is-record.ts";

export type Metadata = Readonly<Record<string, unknown>>;

/** The first of these keys that has a text. Only what the metadata itself has counts, not what objects inherit. */
export function textIn(metadata: Metadata, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = ownIn(metadata, key);
    if (typeof value === "string") return value;
  }
  return undefined;
}

export function numberIn(metadata: Metadata, ...keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const value = ownIn(metadata, key);
    if (typeof value === "number" && Number.isFinite(value)) return value;
  }
  return undefined;
}

export function recordIn(metadata: Metadata, key: string): Metadata | undefined {
  const value = ownIn(metadata, key);
  return isRecord(value) ? value : undefined;
}

export function textsIn(metadata: Metadata, key: string): string[] {
  const value = ownIn(metadata, key);
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}

/** Any value, where it is the metadata's own. */
export function ownIn(metadata: Metadata, key: string): unknown {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}
