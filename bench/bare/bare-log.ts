/** The least a durable log can be: one row of text per commit in SQLite, with the same guarantees as ours. */
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { SessionAppend } from "../../src/core/store.ts";

export interface BareRow {
  readonly last: number;
  readonly events: string;
  readonly raws: string;
}

/** What the same append is as bare text. */
export function toBareRow({ events, raws, row }: SessionAppend): BareRow {
  return {
    last: row.head,
    events: events.map(({ json }) => json).join("\n"),
    raws: raws.map((raw) => JSON.stringify(raw)).join("\n"),
  };
}

export class BareLog {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #insert: StatementSync;
  readonly #commit: StatementSync;

  constructor(directory: string) {
    this.#database = new DatabaseSync(join(directory, "bare.db"));
    this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    this.#database.exec(
      "CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, session TEXT, last INTEGER, events TEXT, raws TEXT)",
    );
    this.#begin = this.#database.prepare("BEGIN IMMEDIATE");
    this.#insert = this.#database.prepare(
      "INSERT INTO log (session, last, events, raws) VALUES (?, ?, ?, ?)",
    );
    this.#commit = this.#database.prepare("COMMIT");
  }

  append(session: string, row: BareRow): void {
    this.#begin.run();
    this.#insert.run(session, row.last, row.events, row.raws);
    this.#commit.run();
  }

  /** One commit for each row. */
  appendAll(session: string, rows: readonly BareRow[]): void {
    for (const row of rows) this.append(session, row);
  }

  /** Reads every event and gives how many there are. */
  readAll(session: string): number {
    const select = this.#database.prepare("SELECT events FROM log WHERE session = ? ORDER BY id");
    let count = 0;
    for (const row of select.iterate(session)) count += (row.events as string).split("\n").length;
    return count;
  }

  close(): void {
    this.#database.close();
  }
}
