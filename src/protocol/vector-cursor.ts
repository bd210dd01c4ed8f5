/** The cursor of a stream over several sessions: `a:12,b:40`, in the order the client named them. */
import { sessionIdSchema } from "../core/identifier.ts";

export const MAX_VECTOR_SESSIONS = 50;

/** Throws an `Error` whose message says what is wrong with the text. */
export function parseVectorCursor(text: string): Map<string, number> {
  const vector = new Map<string, number>();
  for (const entry of text.split(",")) {
    const [session = "", seq = "", ...rest] = entry.trim().split(":");
    if (!sessionIdSchema.safeParse(session).success || !/^\d{1,15}$/.test(seq) || rest.length > 0)
      throw new Error(`"${entry}" is not a session id and a seq like a:12`);
    if (vector.has(session)) throw new Error(`session "${session}" is named twice`);
    vector.set(session, Number(seq));
  }
  if (vector.size > MAX_VECTOR_SESSIONS)
    throw new Error(`at most ${MAX_VECTOR_SESSIONS} sessions fit in one stream`);
  return vector;
}

export function formatVectorCursor(vector: ReadonlyMap<string, number>): string {
  let text = "";
  for (const [session, seq] of vector) text += `${text && ","}${session}:${seq}`;
  return text;
}
