/** The port to what translators leave unread. */
import type { RawRecord } from "./raw-record.ts";

/**
 * Names of the messages and fields of a record that its translator has no use for: `result.ttft_ms`. It gets the records of
 * a session in order, from the first of a process on where that is possible: what an answer means follows from the request.
 */
export type ReadUnread = (record: RawRecord) => readonly string[];

/** A new reader for a session of this agent. Undefined where nobody here understands its records. */
export type UnreadReaders = (agent: string) => ReadUnread | undefined;
