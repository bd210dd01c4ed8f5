/** Reads values an agent may have shaped otherwise than the schema says. What is not as expected counts as absent. */
import { isRecord } from "../../core/is-record.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = {};

/** The object, or one without fields. */
export function objectOf(value: unknown): JsonObject {
  return isRecord(value) ? value : NOTHING;
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A string that says something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
}

/** Neither absent nor an object or list without content. */
export function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
