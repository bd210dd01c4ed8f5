/**
 * What OpenCode keeps of a session: events in its database, numbered for each session. They are read from the file, since the
 * server gives them only with those of all other sessions. They are brought back by the server, which makes its tables of
 * them.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AdapterMemory, Conversation } from "../../core/adapter-memory.ts";
import { MAX_MEMORY_BYTES } from "../../core/adapter-memory.ts";
import { conversationRoot } from "../transport/conversation-root.ts";
import type { AgentResources } from "../transport/define-protocol.ts";
import { withServer } from "./memory-server.ts";
import type { OpenCodeServers } from "./servers.ts";

/** One line for each event. */
const PART = "events.jsonl";

const DATABASE = "opencode/opencode.db";
const ROOT = { variable: "XDG_DATA_HOME", home: ".local/share" };

const SELECT = `SELECT id, aggregate_id AS aggregateID, seq, type, data FROM event
  WHERE aggregate_id = ? AND seq > ? ORDER BY seq`;
const SELECT_IDS = "SELECT id FROM event WHERE aggregate_id = ? ORDER BY seq";
/** Without reading the data. */
const SELECT_BYTES = "SELECT sum(octet_length(data)) AS bytes FROM event WHERE aggregate_id = ? AND seq > ?";

/** The database is read at once, so others have to wait for this much. */
const PAGE_BYTES = 1024 * 1024;

/** As the server takes it back. */
interface SyncEvent {
  readonly id: string;
  readonly aggregateID: string;
  readonly seq: number;
  readonly type: string;
  readonly data: object;
}

/** As the table has it. */
type EventRow = Omit<SyncEvent, "data"> & { readonly data: string };

/** The number of the last event that was read. */
type Mark = number;

export function memory(resources: AgentResources<OpenCodeServers>): AdapterMemory {
  const databaseOf = (conversation: Conversation) => {
    const root = conversationRoot(resources.environment(), conversation, ROOT);
    return root === undefined ? undefined : join(root, DATABASE);
  };
  return {
    async capture(conversation, marks) {
      const last = marks.get(PART) as Mark | undefined;
      const read = await readLines(databaseOf(conversation), conversation.agentSessionId, last ?? -1);
      if (!read) return [];
      const { data, mark } = read;
      return [{ part: PART, data, mark, ...(last === undefined && { replaces: true as const }) }];
    },

    async restore(conversation, parts, beforeWrite) {
      const stored = parts.get(PART);
      if (!stored) return new Map();
      const events = parseEvents(stored);
      const here = readIds(databaseOf(conversation), conversation.agentSessionId);
      const isHere = events.every(({ id }, place) => here[place] === id);
      if (!isHere) {
        await beforeWrite();
        const isBehind = here.every((id, place) => events[place]?.id === id);
        await withServer(resources, conversation, (server) =>
          server.replay(inDirectory(events, conversation.cwd), { isNew: !isBehind }),
        );
      }
      return new Map([[PART, events.at(-1)?.seq ?? -1]]);
    },
  };
}

/** Undefined where there is nothing new, or no database yet. Rejects where it cannot be read. */
async function readLines(
  path: string | undefined,
  session: string,
  after: Mark,
): Promise<{ data: Buffer; mark: Mark } | undefined> {
  using database = openDatabase(path);
  if (!database) return undefined;
  const { bytes } = database.prepare(SELECT_BYTES).get(session, after) as { bytes: number | null };
  if ((bytes ?? 0) > MAX_MEMORY_BYTES) throw new Error("it is larger than what is kept");
  const select = database.prepare(SELECT);
  const pages: Buffer[] = [];
  let mark = after;
  for (;;) {
    const lines: string[] = [];
    let length = 0;
    for (const row of select.iterate(session, mark)) {
      const event = row as unknown as EventRow;
      lines.push(lineOf(event));
      mark = event.seq;
      length += event.data.length;
      if (length >= PAGE_BYTES) break;
    }
    if (lines.length > 0) pages.push(Buffer.from(lines.join("")));
    if (length < PAGE_BYTES) break;
    await nextTurn();
  }
  return pages.length > 0 ? { data: Buffer.concat(pages), mark } : undefined;
}

/** The data is JSON already, and most of it. */
function lineOf({ data, ...event }: EventRow): string {
  const json = data.includes("\n") ? JSON.stringify(JSON.parse(data)) : data;
  return `${JSON.stringify(event).slice(0, -1)},"data":${json}}\n`;
}

/** None where there is no database yet. Throws where it cannot be read. */
function readIds(path: string | undefined, session: string): string[] {
  using database = openDatabase(path);
  return (database?.prepare(SELECT_IDS).all(session) ?? []).map((row) => String(row.id));
}

function openDatabase(path: string | undefined): DatabaseSync | undefined {
  if (path === undefined || !existsSync(path)) return undefined;
  return new DatabaseSync(path, { readOnly: true, timeout: 250 });
}

function parseEvents(stored: Uint8Array): SyncEvent[] {
  const lines = Buffer.from(stored).toString().split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as SyncEvent);
}

/** OpenCode works where its session says; that is the directory of ours, which may lie elsewhere here. */
function inDirectory(events: readonly SyncEvent[], directory: string): SyncEvent[] {
  return events.map((event) => {
    const { info } = event.data as { info?: { directory?: unknown } };
    const isOfSession = event.type.startsWith("session.") && typeof info?.directory === "string";
    return isOfSession ? { ...event, data: { ...event.data, info: { ...info, directory } } } : event;
  });
}
