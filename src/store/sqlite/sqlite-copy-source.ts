/** A data directory as the source of a copy. */
import type { AskRow } from "../../core/store.ts";
import type { CopySource } from "../copy-source.ts";
import { toAskRow } from "../format/ask-columns.ts";
import { assertAsk, SELECT_ASKS, type StoredAsk } from "./asks.ts";
import { assertText, SELECT_TEXT, type StoredText } from "./message-texts.ts";
import { assertMessage, type NumberedMessage, readWholeMessage, SELECT_MESSAGES_AFTER } from "./messages.ts";
import { findLog, findLogByNumber } from "./session-row.ts";
import { SqliteReader } from "./sqlite-reader.ts";

interface StoredKey {
  number: number;
  session: string;
  dialect: string;
  key: string;
  seq: number;
}

const SELECT_KEYS = `SELECT client_key.id AS number, session.key AS session, client_key.dialect, client_key.key, client_key.seq
  FROM client_key JOIN session ON session.id = client_key.session WHERE client_key.id > ? ORDER BY client_key.id LIMIT ?`;

export class SqliteCopySource extends SqliteReader implements CopySource {
  /** Throws while texts of older messages are still being added: they would be missing in the copy. */
  assertComplete(): void {
    if (this.connection.get("SELECT 1 FROM text_backlog") === undefined) return;
    throw new Error(
      "Texts of older messages are still being added for the search. Start the daemon, let it run for some minutes, stop it, and copy again.",
    );
  }

  async sessionsAfter(number: number, limit: number): Promise<{ number: number; id: string }[]> {
    const sql =
      "SELECT id AS number, key AS id FROM session WHERE session.id > ? ORDER BY session.id LIMIT ?";
    return this.connection.all<{ number: number; id: string }>(sql, number, limit);
  }

  async allAsks(session: string): Promise<AskRow[]> {
    const log = findLog(this.connection, session);
    if (!log) return [];
    const asks = this.connection.all<StoredAsk>(`${SELECT_ASKS} ORDER BY ask.id`, log.id);
    for (const ask of asks) assertAsk(log.id, ask);
    return asks.map(toAskRow);
  }

  async messagesAfter(number: number, limit: number) {
    const messages = this.connection.all<NumberedMessage>(SELECT_MESSAGES_AFTER, number, limit);
    const found = [];
    for (const message of messages) {
      assertMessage(message.session, message);
      const text = this.connection.get<StoredText>(SELECT_TEXT, message.number);
      if (text) assertText(text);
      found.push({
        number: message.number,
        session: findLogByNumber(this.connection, message.session)!.key,
        row: await readWholeMessage(this.connection, message.session, message),
        ...(text && { text: { at: text.at, text: text.text } }),
      });
    }
    return found;
  }

  async keysAfter(number: number, limit: number) {
    const keys = this.connection.all<StoredKey>(SELECT_KEYS, number, limit);
    return keys.map(({ number, session, ...key }) => ({ number, session, key }));
  }
}
