/** What a copy of a store reads besides what everybody can: all rows, in the order in which they were first stored. */
import type { AskRow, ClientKey, MessageRow, SearchText } from "../core/store.ts";
import type { ReadableStore } from "./readable-store.ts";

/** Something that has a place among its like of all sessions. */
export interface Numbered {
  number: number;
  session: string;
}

/** The daemon that has the files of a session. */
export interface SessionHome {
  session: string;
  home: string;
}

export interface CopySource extends ReadableStore {
  /** Up to `limit` ids, in the order the store first saw them. */
  sessionsAfter(number: number, limit: number): Promise<{ number: number; id: string }[]>;
  /** All that the session ever had, in the order the store first saw them. */
  allAsks(session: string): Promise<AskRow[]>;
  /** Of all sessions, waiting, withdrawn and rewound ones too, with their records of any version. */
  messagesAfter(
    number: number,
    limit: number,
  ): Promise<(Numbered & { row: MessageRow; text?: Omit<SearchText, "message"> })[]>;
  /** Of sessions whose home is known, in that order too. Absent where there are no nodes. */
  homesAfter?(number: number, limit: number): Promise<(Numbered & SessionHome)[]>;
  keysAfter(number: number, limit: number): Promise<(Numbered & { key: ClientKey })[]>;
}
