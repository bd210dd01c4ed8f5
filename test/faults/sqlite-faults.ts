/**
 * Makes statements of `node:sqlite` fail as they do when the disk does. It stands between the daemon and the module, so
 * the daemon knows nothing of it and no statement can pass it by. Faults belong to a directory: several daemons of one
 * process are told apart by where their databases lie.
 */
import { dirname } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";

export type StatementKind = "read" | "write" | "begin" | "commit" | "exec";

export interface StatementFault {
  kind: StatementKind;
  /** Which statement of the kind fails, counted from 1. */
  nth: number;
  /** How many fail from there on. */
  times: number;
  /** SQLite's result code. */
  errcode: number;
  /** The statement takes effect first, as when only the report of it is lost. */
  afterEffect?: boolean;
}

/** What a directory's statements meet. Without a fault it only counts. */
export class StatementFaults {
  readonly counts: Record<StatementKind, number> = { read: 0, write: 0, begin: 0, commit: 0, exec: 0 };
  fault: StatementFault | undefined;
  /** The statements that failed. */
  readonly fired: string[] = [];

  run<Result>(kind: StatementKind, sql: string, statement: () => Result): Result {
    this.counts[kind] += 1;
    const { fault } = this;
    const nth = this.counts[kind];
    if (fault?.kind !== kind || nth < fault.nth || nth >= fault.nth + fault.times) return statement();
    this.fired.push(sql);
    if (fault.afterEffect) statement();
    throw sqliteError(fault.errcode);
  }
}

/** The result codes that a failing machine gives. */
export const RESULT_CODES: Readonly<Record<number, string>> = {
  5: "database is locked",
  7: "out of memory",
  10: "disk I/O error",
  11: "database disk image is malformed",
  13: "database or disk is full",
  266: "disk I/O error", // IOERR_READ
  522: "disk I/O error", // IOERR_SHORT_READ
  778: "disk I/O error", // IOERR_WRITE
  1034: "disk I/O error", // IOERR_FSYNC
};

export function sqliteError(errcode: number): Error {
  const message = RESULT_CODES[errcode] ?? "unknown error";
  return Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode, errstr: message });
}

const byDirectory = new Map<string, StatementFaults>();
const databases = new WeakMap<StatementSync, DatabaseSync>();

/** From now on the statements of the databases in this directory pass through the result. */
export function watchStatements(directory: string): StatementFaults & Disposable {
  install();
  const faults = new StatementFaults();
  byDirectory.set(directory, faults);
  return Object.assign(faults, { [Symbol.dispose]: () => void byDirectory.delete(directory) });
}

let isInstalled = false;

function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  const { prepare, exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    databases.set(statement, this);
    return statement;
  };
  DatabaseSync.prototype.exec = function (sql) {
    return intercept(this, sql, () => exec.call(this, sql));
  };
  for (const name of ["run", "get", "all", "iterate"] as const) {
    const original = StatementSync.prototype[name] as (...values: unknown[]) => unknown;
    StatementSync.prototype[name] = function (this: StatementSync, ...values: unknown[]) {
      return intercept(databases.get(this), this.sourceSQL, () => original.apply(this, values));
    } as never;
  }
}

function intercept<Result>(database: DatabaseSync | undefined, sql: string, statement: () => Result): Result {
  const location = database?.location();
  const faults = location && byDirectory.get(dirname(location));
  // Nothing that was done is left half done: SQLite rolls back by itself when it must, whatever this would say.
  if (!faults || sql === "ROLLBACK") return statement();
  return faults.run(kindOf(sql), sql, statement);
}

function kindOf(sql: string): StatementKind {
  const [verb] = sql.trim().split(/\s/, 1) as [string];
  switch (verb.toUpperCase()) {
    case "SELECT":
    case "WITH":
      return "read";
    case "BEGIN":
      return "begin";
    case "COMMIT":
      return "commit";
    case "INSERT":
    case "UPDATE":
    case "DELETE":
    case "REPLACE":
      return "write";
    default:
      return "exec";
  }
}
