/**
 * Prints a session's events from OpenCode's database, one line of JSON for each. A process of its own: opening a pipe, a view
 * without an end or a table without an index keeps SQLite busy for as long as the agent likes, and only a process can be
 * ended then.
 */
import { DatabaseSync } from "node:sqlite";
import { MAX_MEMORY_BYTES } from "../../../core/adapter-memory.ts";
import { TOO_LARGE } from "./exit-codes.ts";

const SELECT = `SELECT id, aggregate_id AS aggregateID, seq, type, data FROM event
  WHERE aggregate_id = ? AND seq > ? ORDER BY seq`;
/** Without reading the data. */
const SELECT_BYTES = "SELECT sum(octet_length(data)) AS bytes FROM event WHERE aggregate_id = ? AND seq > ?";
const SELECT_IDS = "SELECT id FROM event WHERE aggregate_id = ? ORDER BY seq";

/** How long it waits for the agent to finish writing. */
const BUSY_MS = 250;

const [what, path = "", session = "", after = "-1"] = process.argv.slice(2);

const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
if (what === "ids") printIds();
else printEvents(Number(after));
database.close();

function printIds(): void {
  for (const { id } of database.prepare(SELECT_IDS).iterate(session)) print(String(id));
}

function printEvents(from: number): void {
  const { bytes } = database.prepare(SELECT_BYTES).get(session, from) as { bytes: number | null };
  if ((bytes ?? 0) > MAX_MEMORY_BYTES) process.exit(TOO_LARGE);
  for (const { data, ...event } of database.prepare(SELECT).iterate(session, from)) {
    // It is JSON already, and most of the line.
    const json = String(data).includes("\n") ? JSON.stringify(JSON.parse(String(data))) : data;
    print(`${JSON.stringify(event).slice(0, -1)},"data":${json}}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
