/** The records of messages as both stores on disk have them: packed, beside their rows. */
import { MESSAGE_FOLD_VERSION, type MessageRecord } from "../../core/message-record.ts";
import { DamagedDataError, isDamage, parseStored } from "../damaged-data.ts";
import type { Checksum } from "./checksum.ts";
import { unpackContent } from "./packed-content.ts";

/** All three are null for a message without a record. */
export interface StoredRecord {
  codec: number | null;
  record: Uint8Array | null;
  checksum: Checksum;
}

export interface ReadRecord {
  value: MessageRecord;
  text: string;
}

/** Called if a record is damaged. Nothing is lost: the message is folded from the log again. */
export type OnDamagedRecord = (error: unknown) => void;

/** A record of another fold version, or one that is damaged, is left out, so that the caller folds it again. */
export async function readRecord(
  session: number,
  { id, fold_version }: { id: string; fold_version: number | null },
  stored: StoredRecord,
  onDamagedRecord: OnDamagedRecord,
): Promise<ReadRecord | undefined> {
  if (fold_version !== MESSAGE_FOLD_VERSION) return undefined;
  try {
    return await unpackRecord(session, id, stored);
  } catch (error) {
    if (!isDamage(error)) throw error;
    onDamagedRecord(error);
    return undefined;
  }
}

/** Undefined where there is none. Throws when it is not what was stored. */
export async function unpackRecord(
  session: number,
  id: string,
  { codec, record, checksum }: StoredRecord,
): Promise<ReadRecord | undefined> {
  if (record === null && codec === null && checksum === null) return undefined;
  const what = `the record of message "${id}"`;
  if (record === null || codec === null) throw new DamagedDataError(`${what} is not what was stored`);
  const text = await unpackContent({ codec, data: record, checksum }, what, [session, id]);
  return { text, value: parseStored(text, what) };
}
