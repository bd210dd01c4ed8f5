/**
 * Keeps the events of all sessions in a SQLite database of its own, as a search index, a dashboard or an audit would. Each
 * event is stored once, however often this program and the daemon are stopped, killed and started again: an event and the
 * place where to go on are written in one transaction.
 *
 *   INTERLINGUA_TOKEN=… npx node examples/store-events.ts http://127.0.0.1:4111 events.db
 */
import { DatabaseSync } from "node:sqlite";
import { Interlingua, InterlinguaError, type SessionEvent } from "interlingua/sdk";

const [baseUrl, file] = process.argv.slice(2);
const token = process.env.INTERLINGUA_TOKEN;
if (!baseUrl || !file || !token) {
  console.error("usage: INTERLINGUA_TOKEN=… store-events.ts URL FILE");
  process.exit(2);
}

// Waits for other programs that have the file open, such as a dashboard that reads it.
const database = new DatabaseSync(file, { timeout: 5000 });
database.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS events (session TEXT, seq INTEGER, type TEXT, event TEXT, PRIMARY KEY (session, seq));
  CREATE TABLE IF NOT EXISTS cursors (session TEXT PRIMARY KEY, seq INTEGER);
`);
const insert = database.prepare("INSERT INTO events VALUES (?, ?, ?, ?)");
const advance = database.prepare("INSERT OR REPLACE INTO cursors VALUES (?, ?)");
const cursor = database.prepare("SELECT seq FROM cursors WHERE session = ?");

const interlingua = await Interlingua.connect({ baseUrl, token });

// One stream for all sessions. It begins with a snapshot each time it is connected; while we are busy here, it waits and
// then has the newest state of each session.
for await (const frame of interlingua.feed()) {
  if (frame.type === "snapshot")
    for await (const { id, head } of interlingua.sessions.list()) await catchUp(id, head);
  if (frame.type === "session") await catchUp(frame.session, frame.head);
}

/** Stores the events of a session up to its newest. */
async function catchUp(id: string, head: number): Promise<void> {
  const after = (cursor.get(id)?.seq as number | undefined) ?? 0;
  if (after >= head) return;
  try {
    const session = await interlingua.sessions.get(id);
    for await (const event of session.events({ after })) {
      keep(event);
      if (event.seq >= head) break;
    }
  } catch (error) {
    // Deleted meanwhile, or not readable: the others go on.
    if (!InterlinguaError.is(error, "session_not_found") && !InterlinguaError.is(error, "session_damaged"))
      throw error;
  }
}

function keep(event: SessionEvent): void {
  database.exec("BEGIN");
  insert.run(event.session, event.seq, event.type, JSON.stringify(event));
  advance.run(event.session, event.seq);
  database.exec("COMMIT");
}
