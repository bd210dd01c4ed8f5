/** What `append` and `deleteSession` throw if the database could not be written. Nothing was written then. */

/** SQLite's transient result codes, including a full disk. */
const RETRYABLE_CODES = new Set([
  5, // SQLITE_BUSY: another program holds the write lock
  10, // SQLITE_IOERR
  13, // SQLITE_FULL
  14, // SQLITE_CANTOPEN
]);

export class StoreWriteError extends Error {
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;

  constructor(message: string, options: { cause: unknown; retryable: boolean }) {
    super(message, { cause: options.cause });
    this.name = "StoreWriteError";
    this.retryable = options.retryable;
  }
}

/** Turns an error of SQLite into a `StoreWriteError`; returns any other error as it is. */
export function toStoreWriteError(error: unknown): unknown {
  if (!isSqliteError(error)) return error;
  // The low byte is the primary code, the rest says more about it.
  const retryable = RETRYABLE_CODES.has(error.errcode & 0xff);
  const advice = retryable ? "Check the disk and its free space." : "Run `interlingua db check`.";
  return new StoreWriteError(`The log could not be written: ${error.message}. ${advice}`, {
    cause: error,
    retryable,
  });
}

export function isSqliteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}
