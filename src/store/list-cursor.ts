/** The cursor of the session list: the place of the last session shown, in an opaque form. */
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
  const match = /^(-?\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString());
  if (!match) {
    throw new InterlinguaError(
      "invalid_request",
      "The cursor is not one that a former page gave. Leave it out to begin with the first page.",
    );
  }
  return { updatedAt: Number(match[1]), ordinal: Number(match[2]) };
}
