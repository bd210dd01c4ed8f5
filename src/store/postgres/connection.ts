/**
 * Connections to PostgreSQL: some for reads, and one for all writes, which also holds the lock of the daemons that may
 * write. A connection that failed is replaced at the next statement; after a failed attempt the next one waits a moment.
 */
import { randomUUID } from "node:crypto";
import type { ClientBase, Pool, PoolClient, PoolConfig } from "pg";
import { isLoopback } from "../../core/is-loopback.ts";
import { DamagedDataError } from "../damaged-data.ts";
import { PostgresFailure } from "./postgres-failure.ts";
import { LOCKS, SCHEMA_NAME } from "./schema.ts";

export interface ConnectionTimeouts {
  /** For a connection to be made, or to become free. */
  connectMs: number;
  /** For one statement. PostgreSQL ends it then; we stop waiting somewhat later. */
  statementMs: number;
}

export interface ConnectionOptions {
  /** With the password, if there is one. */
  url: string;
  /** Who else may write: nobody, or other nodes of a cluster. Absent for a connection that only reads. */
  writer?: "alone" | "beside others";
  /** How many connections there are for reads. */
  reads?: number;
  timeouts?: Partial<ConnectionTimeouts>;
}

/** A statement that is prepared once for each connection, by its name. */
export interface Statement {
  name: string;
  text: string;
}

export type RunStatement = <Row>(statement: Statement | string, values?: readonly Value[]) => Promise<Row[]>;

export type Value = string | number | boolean | null | Buffer | readonly (string | number | null)[];

const DEFAULT_TIMEOUTS: ConnectionTimeouts = { connectMs: 5000, statementMs: 30_000 };

/** PostgreSQL ends a statement that takes too long itself; then its outcome is known. */
const ANSWER_MARGIN_MS = 5000;

const READ_CONNECTIONS = 4;

/** Between attempts to connect, while they fail. */
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2000;

/** While another daemon has the lock. SQLSTATE of `object_in_use`. */
export const LOCKED = "55006";

/**
 * Where PostgreSQL gives up waiting for a standby, with a warning and a success: the commit is in its own log, and perhaps
 * nowhere else. That is an unknown outcome. The warning has no code of its own, and its text may be translated.
 */
const WAIT_FOR_STANDBY = "SyncRepWaitForLSN";

/** By the numbers that PostgreSQL has for its types; all others are text. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [16, (text) => text === "t"],
  [17, (text) => Buffer.from(text.slice(2), "hex")],
  ...[20, 21, 23, 26, 701].map((type) => [type, Number] as const),
]);

export class PostgresConnection {
  /** For messages; without the password. */
  readonly name: string;
  readonly #reads: Pool;
  readonly #writes: Pool;
  /** Connections that have carried something out. */
  readonly #proven = new WeakSet<ClientBase>();
  #failed: { failure: PostgresFailure; pauseMs: number; until: number } | undefined;

  private constructor(name: string, reads: Pool, writes: Pool) {
    this.name = name;
    this.#reads = reads;
    this.#writes = writes;
  }

  /** Connects to nothing yet. */
  static async open({ url, writer, reads: max, timeouts }: ConnectionOptions): Promise<PostgresConnection> {
    // Only who has a store on PostgreSQL needs it.
    const { default: pg } = await import("pg");
    const { connectMs, statementMs } = { ...DEFAULT_TIMEOUTS, ...timeouts };
    const config: PoolConfig = {
      connectionString: url,
      application_name: `interlingua ${randomUUID()}`,
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
      query_timeout: statementMs + Math.min(statementMs, ANSWER_MARGIN_MS),
      idle_in_transaction_session_timeout: statementMs,
      keepAlive: true,
      idleTimeoutMillis: 0,
      types: { getTypeParser: ((type: number) => PARSERS.get(type) ?? String) as never },
    };
    const reads = new pg.Pool({ ...config, max: max ?? READ_CONNECTIONS, onConnect: prepare });
    const onConnect = async (client: ClientBase) => {
      await prepare(client);
      if (writer) await takeWriterLock(client, writer, config.application_name!);
    };
    const writes = new pg.Pool({ ...config, max: 1, onConnect });
    for (const pool of [reads, writes]) {
      // A connection that breaks fails the statement it has, or is noticed by the next one.
      pool.on("error", () => {});
      pool.on("connect", (client) => client.on("error", () => {}));
    }
    return new PostgresConnection(nameOf(url), reads, writes);
  }

  /** On any connection. */
  query<Row>(statement: Statement | string, values: readonly Value[] = []): Promise<Row[]> {
    return this.#read((client) => this.#runOn<Row>(client, statement, values), isRead(statement));
  }

  /** On the one connection that writes, after what was given to it before. */
  write<Row>(statement: Statement | string, values: readonly Value[] = []): Promise<Row[]> {
    return this.#run<Row>(this.#writes, statement, values);
  }

  /** Reads that see one state of the database. */
  async snapshot<Result>(act: (run: RunStatement) => Promise<Result>): Promise<Result> {
    const begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    return this.#commit(await this.#read((client) => this.#begin(client, begin), true), act);
  }

  /** Statements that take effect together, or not at all. Others wait meanwhile. */
  async transaction<Result>(act: (run: RunStatement) => Promise<Result>): Promise<Result> {
    return this.#commit(await this.#begin(await this.#connect(this.#writes), "BEGIN"), act);
  }

  /**
   * On any connection. That one broke while nobody used it is noticed by its next statement: where that can be repeated, it
   * is tried again with the next connection, up to the first that was made for it.
   */
  async #read<Result>(act: (client: PoolClient) => Promise<Result>, canRepeat: boolean): Promise<Result> {
    for (let left = canRepeat ? this.#reads.options.max : 0; ; left -= 1) {
      const client = await this.#connect(this.#reads);
      const wasIdle = this.#proven.has(client);
      try {
        return await act(client);
      } catch (error) {
        if (left <= 0 || !wasIdle || !isCutOff(error)) throw error;
      }
    }
  }

  async #begin(client: PoolClient, statement: string): Promise<PoolClient> {
    try {
      await query(client, statement, []);
      this.#proven.add(client);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async #commit<Result>(client: PoolClient, act: (run: RunStatement) => Promise<Result>): Promise<Result> {
    const run = <Row>(statement: Statement | string, values: readonly Value[] = []) =>
      query<Row>(client, statement, values);
    try {
      const result = await act(run);
      await run("COMMIT");
      client.release();
      return result;
    } catch (error) {
      // A connection that ends rolls back.
      client.release(true);
      throw error;
    }
  }

  /** Why the last attempt to connect failed; undefined since one succeeded. */
  get failure(): PostgresFailure | undefined {
    return this.#failed?.failure;
  }

  /** Connects again where that is needed. Never rejects. */
  async probe(): Promise<void> {
    await this.write("SELECT 1").catch(() => {});
  }

  /** Waits for statements under way. Idempotent. */
  async close(): Promise<void> {
    await Promise.all([this.#reads, this.#writes].map((pool) => (pool.ended ? undefined : pool.end())));
  }

  async #run<Row>(pool: Pool, statement: Statement | string, values: readonly Value[]): Promise<Row[]> {
    return this.#runOn<Row>(await this.#connect(pool), statement, values);
  }

  async #runOn<Row>(
    client: PoolClient,
    statement: Statement | string,
    values: readonly Value[],
  ): Promise<Row[]> {
    try {
      const rows = await query<Row>(client, statement, values);
      this.#proven.add(client);
      client.release();
      return rows;
    } catch (error) {
      client.release(error instanceof PostgresFailure && error.isBroken);
      throw error;
    }
  }

  async #connect(pool: Pool) {
    if (this.#failed && performance.now() < this.#failed.until && pool.idleCount === 0)
      throw this.#failed.failure;
    try {
      const client = await pool.connect();
      this.#failed = undefined;
      return client;
    } catch (error) {
      const failure = new PostgresFailure(error, false);
      const pauseMs = Math.min(2 * (this.#failed?.pauseMs ?? FIRST_PAUSE_MS / 2), MAX_PAUSE_MS);
      this.#failed = { failure, pauseMs, until: performance.now() + pauseMs };
      throw failure;
    }
  }
}

/** Whether it changes nothing, so that it may be carried out twice. */
function isRead(statement: Statement | string): boolean {
  return /^\s*SELECT\b/i.test(typeof statement === "string" ? statement : statement.text);
}

/** The connection is gone. One that only takes too long is not asked again. */
function isCutOff(error: unknown): boolean {
  if (!(error instanceof PostgresFailure) || !error.isBroken) return false;
  const { code, message } = error.cause as Error & { code?: string };
  return /^(ECONNRESET|EPIPE|ETIMEDOUT|57P0[12])$/.test(code ?? "") || /^Connection terminated/.test(message);
}

/** Whether others can read the traffic: the database is on another machine, and neither address nor variables ask for TLS. */
export async function crossesNetworkInPlain(url: string): Promise<boolean> {
  const { default: pg } = await import("pg");
  try {
    // A client that is not connected has read the address and the variables.
    const { host, ssl } = new pg.Client({ connectionString: url });
    return !ssl && !host.startsWith("/") && !isLoopback(host);
  } catch {
    // The address names a file that cannot be read. Connecting fails with that error.
    return false;
  }
}

/** Without the password and without parameters, for messages. */
export function nameOf(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url);
    return `${protocol}//${username && `${username}@`}${host}${pathname}`;
  } catch {
    return "postgres://…";
  }
}

async function query<Row>(
  client: ClientBase,
  statement: Statement | string,
  values: readonly Value[],
): Promise<Row[]> {
  const config = typeof statement === "string" ? { text: statement } : statement;
  let isUnconfirmed = false;
  const onNotice = ({ routine }: { routine?: string | undefined }) => {
    isUnconfirmed ||= routine === WAIT_FOR_STANDBY;
  };
  client.on("notice", onNotice);
  try {
    const { rows } = await client.query({ ...config, values: values as unknown[] });
    if (isUnconfirmed) throw new Error("the wait for a standby was cut off");
    return rows as Row[];
  } catch (error) {
    const failure = new PostgresFailure(error, true);
    throw failure.isDamage ? new DamagedDataError(failure.message, { cause: failure }) : failure;
  } finally {
    client.off("notice", onNotice);
  }
}

async function prepare(client: ClientBase): Promise<void> {
  await client.query(`SET search_path TO ${SCHEMA_NAME}`);
}

/**
 * One daemon writes alone, or nodes of a cluster beside each other; never both. What fences a session against a writer that
 * does not know that it lost are its epoch and its head, compared with every append; this lock only keeps a daemon from
 * starting. A connection of ours that PostgreSQL still believes in is ended first.
 */
async function takeWriterLock(client: ClientBase, writer: Writer, applicationName: string): Promise<void> {
  const take = writer === "alone" ? "pg_try_advisory_lock" : "pg_try_advisory_lock_shared";
  const isTaken = async () => {
    const { rows } = await client.query(`SELECT ${take}(${LOCKS.writer}) AS taken`);
    return rows[0]?.taken === true;
  };
  if (await isTaken()) return;
  const END_FORMER = `SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
    WHERE application_name = $1 AND pid <> pg_backend_pid()
      AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`;
  await client.query(END_FORMER, [applicationName]);
  if (await isTaken()) return;
  const { rows } = await client.query(SELECT_HOLDERS);
  const message = rows.some(({ mode }) => mode === "ShareLock") ? BESIDE_NODES : BESIDE_DAEMON;
  throw Object.assign(new Error(message[writer]), { code: LOCKED });
}

/** The holders of the writer lock. Nodes share it, a daemon alone does not. */
const SELECT_HOLDERS = `SELECT mode FROM pg_locks WHERE locktype = 'advisory' AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND classid = ${LOCKS.writer.split(", ")[0]} AND objid = ${LOCKS.writer.split(", ")[1]}`;

type Writer = NonNullable<ConnectionOptions["writer"]>;

const BESIDE_DAEMON: Record<Writer, string> = {
  alone:
    "another daemon works with this database. Stop that daemon, name another database in INTERLINGUA_STORE, or give both the same INTERLINGUA_CLUSTER_SECRET to make them nodes.",
  "beside others":
    "another daemon works with this database, without INTERLINGUA_CLUSTER_SECRET. Start that daemon with the secret of this one, or name another database in INTERLINGUA_STORE.",
};

const BESIDE_NODES: Record<Writer, string> = {
  alone:
    "nodes work with this database, and this daemon has no INTERLINGUA_CLUSTER_SECRET. Give it the secret of the nodes, stop all of them, or name another database in INTERLINGUA_STORE.",
  // The daemon alone was gone a moment later.
  "beside others": "another daemon worked with this database a moment ago. Start this one again.",
};
