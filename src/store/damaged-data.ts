/** Damaged data: what cannot be read or is not what was written, and how to recognise it in an error. */

/** The message is part of a sentence: what is wrong, without a full stop. */
export class DamagedDataError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = "DamagedDataError";
  }
}

/** SQLite's result codes for a file that cannot be read, or not be understood. */
const IOERR = 10;
const CORRUPT = 11;
const NOTADB = 26;

/** IOERR codes of reads only: READ, SHORT_READ, DATA, CORRUPTFS. */
const IOERR_OF_READS = new Set([266, 522, 8202, 8458]);

/** Transient codes: NOMEM, LOCK, SHMOPEN, SHMLOCK, SHMMAP. They say nothing about the stored data. */
const PASSING_IOERR = new Set([3082, 3850, 4618, 5130, 5386]);

/** Whether an error means that stored data is damaged. For a read any other IOERR does, too. */
export function isDamage(error: unknown, during: "read" | "write" = "read"): boolean {
  if (error instanceof DamagedDataError) return true;
  if (!(error instanceof Error)) return false;
  // A number that none of ours can be.
  if ("code" in error && error.code === "ERR_OUT_OF_RANGE") return true;
  if (!("errcode" in error) || typeof error.errcode !== "number") return false;
  const primary = error.errcode & 0xff;
  if (primary === IOERR)
    return during === "read" ? !PASSING_IOERR.has(error.errcode) : IOERR_OF_READS.has(error.errcode);
  return primary === CORRUPT || primary === NOTADB;
}

/** Parses JSON of ours. `what` is the subject of the sentence when it is none. */
export function parseStored<Value>(json: string, what: string): Value {
  try {
    return JSON.parse(json) as Value;
  } catch (error) {
    throw new DamagedDataError(`${what} is not valid JSON (${(error as Error).message})`, { cause: error });
  }
}
