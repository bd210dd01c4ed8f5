/** One connection to a database file: cached statements, transactions, and a count of the rows read for tests. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

export type RowObserver = (table: string, count: number) => void;

export interface ConnectionOptions {
  readOnly?: boolean;
  /** Called with the number of rows of each query. */
  onRows?: RowObserver;
}

interface CachedStatement {
  statement: StatementSync;
  /** The first table it names. */
  table: string;
}

/** A write finds a lock only if another program opened the file; waiting would block the whole daemon. */
const WRITER_TIMEOUT_MS = 250;
/** A reader may have to wait while the daemon opens or closes the file. */
const READER_TIMEOUT_MS = 5000;

export class Connection {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, CachedStatement>();
  readonly #onRows: RowObserver | undefined;

  constructor(path: string, options: ConnectionOptions = {}) {
    this.path = path;
    this.#onRows = options.onRows;
    this.#database = new DatabaseSync(path, {
      readOnly: options.readOnly ?? false,
      timeout: options.readOnly ? READER_TIMEOUT_MS : WRITER_TIMEOUT_MS,
      // Rows are removed in one place (delete-session.ts); foreign key checks on every insert would cost more than they
      // find.
      enableForeignKeyConstraints: false,
    });
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).statement.run(...values).changes);
  }

  /** Runs an insert and returns the new row's id. */
  insert(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).statement.run(...values).lastInsertRowid);
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    const { statement, table } = this.#prepare(sql);
    const row = statement.get(...values) as Row | undefined;
    if (row) this.#onRows?.(table, 1);
    return row;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    const { statement, table } = this.#prepare(sql);
    const rows = statement.all(...values) as Row[];
    this.#onRows?.(table, rows.length);
    return rows;
  }

  /** Reads only as many rows as are taken. The same statement may not run again before the loop has ended. */
  *iterate<Row>(sql: string, ...values: SQLInputValue[]): Generator<Row, void> {
    const { statement, table } = this.#prepare(sql);
    for (const row of statement.iterate(...values)) {
      this.#onRows?.(table, 1);
      yield row as Row;
    }
  }

  /** Runs `action` in a transaction. The connection stays usable if it throws. */
  transaction<Result>(action: () => Result): Result {
    return this.#within("BEGIN IMMEDIATE", action);
  }

  /** Runs `action` in one snapshot, whatever another process writes meanwhile. */
  snapshot<Result>(action: () => Result): Result {
    return this.#within("BEGIN", action);
  }

  #within<Result>(begin: string, action: () => Result): Result {
    this.run(begin);
    try {
      const result = action();
      this.run("COMMIT");
      return result;
    } catch (error) {
      // A full disk makes SQLite roll back by itself.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): CachedStatement {
    let cached = this.#statements.get(sql);
    if (!cached) {
      if (!this.#database.isOpen) throw new Error("The store is closed.");
      cached = { statement: this.#database.prepare(sql), table: tableOf(sql) };
      this.#statements.set(sql, cached);
    }
    return cached;
  }
}

function tableOf(sql: string): string {
  return /\b(?:FROM|INTO|UPDATE)\s+(\w+)/.exec(sql)?.[1] ?? "";
}
