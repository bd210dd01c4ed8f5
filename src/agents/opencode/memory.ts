/**
 * What OpenCode keeps of a session: events in its database, numbered for each session. They are read from the file, since the
 * server gives them only with those of all other sessions. They are brought back by the server, which makes its tables of
 * them.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
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

/** As the server takes it back. */
interface SyncEvent {
  readonly id: string;
  readonly aggregateID: string;
  readonly seq: number;
  readonly type: string;
  readonly data: object;
}

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
      const events = readEvents(databaseOf(conversation), conversation.agentSessionId, last ?? -1);
      const mark: Mark | undefined = events.at(-1)?.seq;
      if (mark === undefined) return [];
      const data = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
      return [{ part: PART, data, mark, ...(last === undefined && { replaces: true as const }) }];
    },

    async restore(conversation, parts, beforeWrite) {
      const stored = parts.get(PART);
      if (!stored) return new Map();
      const events = parseEvents(stored);
      const here = readEvents(databaseOf(conversation), conversation.agentSessionId, -1);
      const isHere = events.every(({ id }, place) => here[place]?.id === id);
      if (!isHere) {
        await beforeWrite();
        const isBehind = here.every(({ id }, place) => events[place]?.id === id);
        await withServer(resources, conversation, (server) =>
          server.replay(inDirectory(events, conversation.cwd), { isNew: !isBehind }),
        );
      }
      return new Map([[PART, events.at(-1)?.seq ?? -1]]);
    },
  };
}

/** None where there is no database yet. Throws where it cannot be read. */
function readEvents(path: string | undefined, session: string, after: number): SyncEvent[] {
  if (path === undefined || !existsSync(path)) return [];
  const database = new DatabaseSync(path, { readOnly: true, timeout: 250 });
  try {
    const events: SyncEvent[] = [];
    let bytes = 0;
    for (const row of database.prepare(SELECT).iterate(session, after)) {
      const { data, ...rest } = row as unknown as Omit<SyncEvent, "data"> & { data: string };
      bytes += data.length;
      if (bytes > MAX_MEMORY_BYTES) throw new Error("it is larger than what is kept");
      events.push({ ...rest, data: JSON.parse(data) as object });
    }
    return events;
  } finally {
    database.close();
  }
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
