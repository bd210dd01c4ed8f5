/** What a statement failed with: whether it may have been carried out all the same, and whether it may succeed later. */
import { StoreWriteError } from "../store-write-error.ts";

/** SQLSTATE classes and codes after which the same statement cannot succeed: our data or our SQL is wrong. */
const PERMANENT = [/^22/, /^23/, /^42(?!501)/, /^54/, /^XX00[12]/, /^0A/];

/** The server ends the connection, or it does not know itself: 08, 57P0x, 40003. */
const UNKNOWN = [/^08/, /^57P0[1-5]/, /^40003/];

/** Read-only: it may be a standby that was the primary, and another connection leads to the one that is. */
const ELSEWHERE = /^25006/;

const DAMAGED = /^XX00[12]/;

/** The server is starting, stopping or full; the network does not lead to it. */
const AWAY_STATES = /^(08|57P0[123]|53300)/;
const AWAY_CODES =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN)$/;
/** Messages of `pg` itself, which have no code. */
const AWAY_TEXTS = /^(Connection terminated|timeout (expired|exceeded))/;

/** Codes of OpenSSL for a certificate without a known issuer. */
const UNTRUSTED = /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)/;

const ADVICE: Readonly<Record<string, string>> = {
  "25006":
    "It is read-only: a standby, or set so. Name the primary in INTERLINGUA_STORE, or make it writable.",
  "42501": "Give the role of INTERLINGUA_STORE the right to it.",
  "53100": "Make room on the disk of PostgreSQL.",
  "53300": "It has too many connections: raise max_connections.",
  "28P01": "Check the password in INTERLINGUA_STORE.",
  // The message says what to do: that depends on who has the lock.
  "55006": "",
  "3D000": "Create the database, or name another in INTERLINGUA_STORE.",
};

const TRUST_IT =
  "Name the certificate of its authority, or a self-signed one itself, in the address of INTERLINGUA_STORE: ?sslmode=verify-full&sslrootcert=/path/to/ca.crt";

export class PostgresFailure extends Error {
  /** PostgreSQL's code; absent where the connection failed. */
  readonly sqlState?: string;
  /** The statement may have been carried out. */
  readonly isUnknown: boolean;
  /** The connection cannot be used any more. */
  readonly isBroken: boolean;
  readonly isPermanent: boolean;

  /** @param wasSent Whether the statement left us. */
  constructor(cause: unknown, wasSent: boolean) {
    const { message, code } = cause as Error & { code?: string };
    const sqlState = /^[0-9A-Z]{5}$/.test(code ?? "") ? code : undefined;
    // Node gives several addresses that refused as one error without a text.
    super(message || code || "the connection failed", { cause });
    this.name = "PostgresFailure";
    this.sqlState = sqlState;
    const isCutOff = sqlState === undefined || UNKNOWN.some((shape) => shape.test(sqlState));
    this.isBroken = isCutOff || ELSEWHERE.test(sqlState);
    this.isUnknown = wasSent && isCutOff;
    this.isPermanent = sqlState !== undefined && PERMANENT.some((shape) => shape.test(sqlState));
  }

  /** It cannot be reached now, and may be later. */
  get isAway(): boolean {
    if (this.sqlState !== undefined) return AWAY_STATES.test(this.sqlState);
    // A missing socket appears with its server. Other missing files are named in the address.
    const { syscall } = this.cause as { syscall?: string };
    const isSocket = this.#code === "ENOENT" && syscall === "connect";
    return isSocket || AWAY_CODES.test(this.#code) || AWAY_TEXTS.test(this.message);
  }

  /** PostgreSQL found that its own data is damaged. */
  get isDamage(): boolean {
    return DAMAGED.test(this.sqlState ?? "");
  }

  get #code(): string {
    return (this.cause as { code?: string }).code ?? "";
  }

  /** What to do, as a sentence. */
  get advice(): string {
    if (UNTRUSTED.test(this.#code)) return TRUST_IT;
    if (this.#code === "ERR_TLS_CERT_ALTNAME_INVALID")
      return "Name the server in INTERLINGUA_STORE as its certificate does, or check only who issued that with sslmode=verify-ca&uselibpqcompat=true.";
    if ((this.cause as { syscall?: string }).syscall === "open")
      return "Check the files that the address in INTERLINGUA_STORE names.";
    if (this.sqlState === undefined) return "Check that PostgreSQL runs and can be reached.";
    return ADVICE[this.sqlState] ?? "See the log of PostgreSQL.";
  }
}

/** Turns a failure of PostgreSQL into a `StoreWriteError`; returns any other error as it is. */
export function toWriteError(error: unknown): unknown {
  if (!(error instanceof PostgresFailure)) return error;
  const message = `The log could not be written: ${error.message.replace(/\.$/, "")}. ${error.advice}`.trim();
  return new StoreWriteError(message, { cause: error, retryable: !error.isPermanent });
}
