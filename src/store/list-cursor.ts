/** Cursors of lists: the position of the last entry shown, in an opaque form. */
import { InterlinguaError } from "../core/error.ts";

/** Sessions are listed by their last change, newest first, then by when the store first saw them. */
export interface ListPosition {
  updatedAt: number;
  ordinal: number;
}

export function encodeListCursor(position: ListPosition): string {
  return Buffer.from(`${position.updatedAt}.${position.ordinal}`).toString("base64url");
}

export function decodeListCursor(cursor: string): ListPosition {
  const [, updatedAt, ordinal] = decode(cursor, /^(-?\d{1,15})\.(\d{1,15})$/);
  return { updatedAt: Number(updatedAt), ordinal: Number(ordinal) };
}

/** Open asks are listed by when they were opened, then by when the store first saw them. */
export interface AskPosition {
  openedAt: number;
  ordinal: number;
}

/** Sorts before every ask. */
export const FIRST_ASK: AskPosition = { openedAt: Number.MIN_SAFE_INTEGER, ordinal: 0 };

export function encodeAskCursor({ openedAt, ordinal }: AskPosition): string {
  return Buffer.from(`ask.${openedAt}.${ordinal}`).toString("base64url");
}

export function decodeAskCursor(cursor: string): AskPosition {
  const [, openedAt, ordinal] = decode(cursor, /^ask\.(-?\d{1,15})\.(\d{1,15})$/);
  return { openedAt: Number(openedAt), ordinal: Number(ordinal) };
}

/** Usage is read session by session, in the order the store first saw them, day by day, and model by model. */
export interface UsagePosition {
  ordinal: number;
  day: string;
  /** Empty for the unknown one. */
  model: string;
}

export function encodeUsageCursor({ ordinal, day, model }: UsagePosition): string {
  return Buffer.from(`${ordinal}.${day}.${model}`).toString("base64url");
}

export function decodeUsageCursor(cursor: string): UsagePosition {
  const [, ordinal, day, model] = decode(cursor, /^(\d{1,15})\.(\d{4}-\d{2}-\d{2})\.(.*)$/s);
  return { ordinal: Number(ordinal), day: day!, model: model! };
}

/** Messages that were found are listed by when the store first saw them, newest first. */
export function encodeSearchCursor(ordinal: number): string {
  return Buffer.from(`text.${ordinal}`).toString("base64url");
}

export function decodeSearchCursor(cursor: string): number {
  const [, ordinal] = decode(cursor, /^text\.(\d{1,15})$/);
  return Number(ordinal);
}

export function isDay(text: unknown): boolean {
  return typeof text === "string" && /^\d{4}-\d{2}-\d{2}$/.test(text);
}

function decode(cursor: string, shape: RegExp): RegExpExecArray {
  const match = shape.exec(Buffer.from(cursor, "base64url").toString());
  if (match) return match;
  throw new InterlinguaError(
    "invalid_request",
    "The cursor is not one that a former page gave. Leave it out to begin with the first page.",
    { errors: [{ path: "cursor", message: "is not one that a former page gave" }] },
  );
}
