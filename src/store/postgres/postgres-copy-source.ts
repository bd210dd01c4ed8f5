/** A PostgreSQL database as the source of a copy. */
import type { AskRow } from "../../core/store.ts";
import type { CopySource } from "../copy-source.ts";
import { type AskColumns, toAskRow } from "../format/ask-columns.ts";
import { toMessageRow } from "../format/message-columns.ts";
import { type StoredRecord, unpackRecord } from "../format/message-record.ts";
import { SELECTED_ASK } from "./asks.ts";
import { type NumberedMessage, SELECTED_MESSAGE } from "./messages.ts";
import { PostgresReader } from "./postgres-reader.ts";
import { KEPT_HOME } from "./schema.ts";
import { decodeText, decodeTexts, encodeText } from "./stored-text.ts";

type FoundMessage = NumberedMessage &
  StoredRecord & { session: number; key: string; at: number | null; text: string | null };

export class PostgresCopySource extends PostgresReader implements CopySource {
  async sessionsAfter(number: number, limit: number): Promise<{ number: number; id: string }[]> {
    const rows = await this.connection.query<{ number: number; id: string }>(
      "SELECT id AS number, key AS id FROM session WHERE session.id > $1 ORDER BY session.id LIMIT $2",
      [number, limit],
    );
    return rows.map((row) => ({ number: row.number, id: decodeText(row.id) }));
  }

  async allAsks(session: string): Promise<AskRow[]> {
    const asks = await this.connection.query<AskColumns>(
      `SELECT ${SELECTED_ASK} FROM ask JOIN session ON session.id = ask.session WHERE session.key = $1 ORDER BY ask.id`,
      [encodeText(session)],
    );
    return asks.map((ask) => toAskRow(decodeTexts(ask)));
  }

  async messagesAfter(number: number, limit: number) {
    const messages = await this.connection.query<FoundMessage>(
      `SELECT m.*, session.key, t.at, t.text FROM
        (SELECT ${SELECTED_MESSAGE}, session, codec, checksum, record FROM message WHERE number > $1 ORDER BY number LIMIT $2) m
        JOIN session ON session.id = m.session LEFT JOIN message_text t ON t.message = m.number ORDER BY m.number`,
      [number, limit],
    );
    return Promise.all(
      messages.map(async (message) => ({
        number: message.number,
        session: decodeText(message.key),
        row: toMessageRow(
          decodeTexts(message),
          await unpackRecord(message.session, decodeText(message.id), message),
        ),
        ...(message.text !== null && { text: { at: message.at!, text: message.text } }),
      })),
    );
  }

  async homesAfter(number: number, limit: number) {
    const homes = await this.connection.query<{ number: number; session: string; home: string }>(
      `SELECT session.id AS number, session.key AS session, ${KEPT_HOME} AS home
        FROM session JOIN log_head h ON h.session = session.id
        WHERE session.id > $1 AND ${KEPT_HOME} IS NOT NULL ORDER BY session.id LIMIT $2`,
      [number, limit],
    );
    return homes.map((row) => ({ ...row, session: decodeText(row.session) }));
  }

  async keysAfter(number: number, limit: number) {
    const keys = await this.connection.query<{
      number: number;
      session: string;
      dialect: string;
      key: string;
      seq: number;
    }>(
      `SELECT k.id AS number, session.key AS session, k.dialect, k.key, k.seq FROM client_key k
        JOIN session ON session.id = k.session WHERE k.id > $1 ORDER BY k.id LIMIT $2`,
      [number, limit],
    );
    return keys.map(({ number, session, dialect, key, seq }) => ({
      number,
      session: decodeText(session),
      key: { dialect: decodeText(dialect), key: decodeText(key), seq },
    }));
  }
}
