/**
 * What an append changes of messages besides the rows it gives: those that leave the history, and those with late
 * content. A statement can change a row only once, so this is worked out before.
 */
import type { MessageRow, SessionAppend } from "../../core/store.ts";
import type { PackedMessage } from "../format/pack-messages.ts";
import type { RunStatement } from "./connection.ts";
import { IN_HISTORY } from "./schema.ts";
import { decodeText, encodeText } from "./stored-text.ts";

/** A change of a message that has no new row in the append. */
export interface MessageChange {
  id: string;
  rewoundAt?: number;
  /** Its last event; its record is dropped. */
  amendedSeq?: number;
}

type Place = Pick<MessageRow, "id" | "position">;

const SELECT_POSITION = "SELECT position FROM message WHERE session = $1 AND id = $2";
const SELECT_FROM = `SELECT id, position FROM message
  WHERE session = $1 AND position >= $2 AND position < $3 AND ${IN_HISTORY}`;

/** Nobody else writes the session meanwhile; the statement would not be accepted. */
export async function findMessageChanges(
  run: RunStatement,
  session: number,
  append: SessionAppend,
  messages: PackedMessage[],
): Promise<MessageChange[]> {
  const changes = new Map<string, MessageChange>();
  const given = new Map(messages.map((message) => [message.row.id, message]));
  for (const { before, seq } of append.rewound ?? []) {
    const start = given.has(before)
      ? given.get(before)!.row.position
      : await positionOf(run, session, before);
    if (start === undefined) continue;
    for (const { row } of given.values())
      if (isInHistory(row) && row.position! >= start && row.position! < seq) row.rewoundAt = seq;
    const stored = await run<Place>(SELECT_FROM, [session, start, seq]);
    for (const { id } of stored) {
      const name = decodeText(id);
      if (given.has(name) || changes.get(name)?.rewoundAt !== undefined) continue;
      changes.set(name, { ...changes.get(name), id: name, rewoundAt: seq });
    }
  }
  for (const { message, seq } of append.amended ?? []) {
    const fresh = given.get(message);
    if (fresh) {
      fresh.row = { ...fresh.row, lastSeq: seq, foldVersion: undefined };
      fresh.record = null;
    } else changes.set(message, { ...changes.get(message), id: message, amendedSeq: seq });
  }
  return [...changes.values()];
}

async function positionOf(run: RunStatement, session: number, id: string): Promise<number | undefined> {
  const [found] = await run<{ position: number | null }>(SELECT_POSITION, [session, encodeText(id)]);
  return found?.position ?? undefined;
}

function isInHistory({ state, position, rewoundAt }: MessageRow): boolean {
  return (state === "streaming" || state === "done") && position !== undefined && rewoundAt === undefined;
}
